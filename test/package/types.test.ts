import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const entries = ["index", "audit"].map((name) => fileURLToPath(new URL(`../../dist/${name}.d.ts`, import.meta.url)));
const textOf = (file: string): string => readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
const beside = (file: string, module: string): string => join(dirname(file), module.replace(/\.js$/, ".d.ts"));

/** What a module exports, by name: the file that declares it, and its name there. */
function exportsOf(file: string): Map<string, { file: string; name: string }> {
  const found = new Map<string, { file: string; name: string }>();
  const text = textOf(file);
  for (const [, name] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:class|interface|type|function|const|let) (\w+)/gm,
  )) {
    found.set(name, { file, name });
  }
  for (const [, names, module] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]*)"/gm)) {
    const inner = exportsOf(beside(file, module));
    for (const [name, outer] of namesIn(names))
      found.set(outer, inner.get(name) ?? { file: beside(file, module), name });
  }
  for (const [, module] of text.matchAll(/^export (?:type )?\* from "(\.[^"]*)"/gm)) {
    for (const [name, place] of exportsOf(beside(file, module))) found.set(name, place);
  }
  return found;
}

/** `type A, B as C` -> [A, A], [B, C]. */
const namesIn = (list: string): [string, string][] =>
  list
    .split(",")
    .map((item) => item.trim().replace(/^type /, ""))
    .filter((item) => item !== "")
    .map((item) => item.split(" as ") as [string, string?])
    .map(([name, outer]) => [name, outer ?? name]);

/** The text of a declaration, without what is private in it. */
function declarationOf({ file, name }: { file: string; name: string }): string {
  const pattern = new RegExp(
    `^export (?:declare )?(?:abstract )?\\w+ ${name}\\b.*?(?=^(?:export|declare|interface|type|import|//#)\\b)`,
    "ms",
  );
  const text = `${textOf(file)}\nexport {};`;
  return (pattern.exec(text)?.[0] ?? "").replaceAll(/^\s+private .*$/gm, "");
}

/** Names of types that a file declares or imports from another one of ours. */
function ownTypes(file: string): Set<string> {
  const text = textOf(file);
  const declared = [...text.matchAll(/^(?:export )?(?:declare )?(?:interface|type|class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "\./gm)].flatMap(([, names]) =>
    namesIn(names),
  );
  return new Set([...declared, ...imported.map(([, name]) => name)]);
}

it.each(entries)("every type that a public signature of %s names is public itself", (entry) => {
  const all = exportsOf(entry);
  const known = new Set(entries.flatMap((any) => [...exportsOf(any).keys()]));
  expect(all.size).toBeGreaterThan(80);
  const hidden = [...all].flatMap(([name, place]) => {
    const declaration = declarationOf(place);
    expect(declaration, name).not.toBe("");
    const own = ownTypes(place.file);
    const used = new Set(declaration.match(/\b[A-Z]\w+\b/g) ?? []);
    return [...used].filter((type) => own.has(type) && !known.has(type)).map((type) => `${name}: ${type}`);
  });
  expect(hidden).toEqual([]);
});
