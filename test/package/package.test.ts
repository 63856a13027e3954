import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const installed = (name: string): string => join(root, "node_modules", name);
const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** An empty project that installs the packed package, as users do. */
const project = mkdtempSync(join(tmpdir(), "rat-package-"));
const inProject = (path: string, text: string): string => {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
let tarball = "";
let files: string[] = [];

/** Node on a file of the project, or another program there. */
async function inShell(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(program, args, { cwd: project });
  return stdout;
}

beforeAll(async () => {
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", project];
  const [packed] = JSON.parse((await run("npm", pack, { cwd: root })).stdout);
  tarball = join(project, packed.filename);
  files = packed.files.map(({ path }: { path: string }) => path);
  inProject("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
  await inShell("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", tarball);
}, 180_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the packed package", () => {
  it("has nothing that publint objects to", async () => {
    const bytes = readFileSync(tarball);
    const packed = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const { messages, pkg } = await publint({ pack: { tarball: packed }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("has types that resolve under node16 and bundlers", async () => {
    const attw = join(installed("@arethetypeswrong/cli"), "dist", "index.js");
    // It exits with 1 where there is a problem.
    await run(process.execPath, [attw, tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"]);
  });

  it("holds what it needs, sources for the source maps, and nothing else", () => {
    const folders = new Set(files.map((file) => file.split("/")[0]));
    const top = ["LICENSE", "README.md", "assembly", "data", "dist", "package.json", "schemas", "src"];
    expect([...folders].sort()).toEqual([...top, "CHANGELOG.md"].filter((name) => folders.has(name)).sort());
    expect([...folders]).toEqual(expect.arrayContaining(top));
    const lost = files
      .filter((file) => file.endsWith(".map"))
      .flatMap((file) => {
        const { sources } = JSON.parse(readFileSync(join(root, file), "utf8")) as { sources: string[] };
        return sources.map((source) => posix.join(posix.dirname(file), source));
      })
      .filter((source) => !files.includes(source));
    expect(lost).toEqual([]);
  });

  it("names side effects and entries that are there", () => {
    const { sideEffects, imports, bin } = packageJson;
    const named = [
      ...sideEffects,
      ...Object.values(imports).flatMap((paths) => Object.values(paths as object)),
      ...Object.values(bin),
    ];
    expect(named.filter((path) => !files.includes(posix.normalize(path)))).toEqual([]);
  });
});

describe("installed in an empty project", () => {
  it("npx rat fits a file", async () => {
    inProject("answers.csv", "id,R,A,T\nq1,1,0,1\nq2,0,1,\nq3,,0,0\n");
    expect((await inShell("npx", "--no-install", "rat", "--version")).trim()).toBe(packageJson.version);
    const { fits } = JSON.parse(await inShell("npx", "--no-install", "rat", "fit", "answers.csv", "--json"));
    expect(fits[0]).toMatchObject({ source: "answers.csv", records: 3, engine: "wasm" });
  });

  it("#spawn is threads in Node and module workers elsewhere", async () => {
    const at = "const at = new URL('./dist/index.js', import.meta.resolve('rat-engine/package.json'));";
    const engine = join(project, "node_modules", "rat-engine", "dist", "engines", "wasm");
    const probe = join(engine, "probe.mjs");
    writeFileSync(probe, `${at} console.log(import.meta.resolve("#spawn"));`);
    try {
      expect(basename((await inShell(process.execPath, probe)).trim())).toBe("spawn-node.js");
    } finally {
      rmSync(probe);
    }
    expect(packageJson.imports["#spawn"].default).toBe("./dist/engines/wasm/spawn-browser.js");
  });

  const samples = ["docs/library.md", "README.md"].flatMap((document) => {
    const text = readFileSync(join(root, document), "utf8");
    return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code], i) => ({ name: `${document} ${i + 1}`, code }));
  });

  it("every sample of the documentation has its types, with no types of Node's", async () => {
    const paths = samples.map(({ name, code }) =>
      inProject(`samples/${name.replaceAll(/\W+/g, "-")}.ts`, code.replaceAll(/^import .* from "node:.*\n/gm, "")),
    );
    const web = paths.filter((_, i) => !samples[i].code.includes("node:"));
    const tsc = join(installed("typescript"), "bin", "tsc");
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "ES2022", "--types", ""];
    const lib = ["--lib", "ES2023,DOM,DOM.Iterable,DOM.AsyncIterable"];
    for (const module of [
      ["--module", "node16"],
      ["--module", "esnext", "--moduleResolution", "bundler"],
    ]) {
      await inShell(process.execPath, tsc, ...strict, ...lib, ...module, ...web);
    }
  });

  it.each(samples)("sample $name runs", async ({ name, code }) => {
    const file = inProject(`samples/${name.replaceAll(/\W+/g, "-")}.mjs`, code);
    expect(await inShell(process.execPath, file)).not.toBe("");
  });
});

describe("in a default Vite project", () => {
  const assets = join(project, "dist", "assets");
  const entry = `
    import { createEngine, fit, RatError, rat, version } from "rat-engine";
    const records = [{ R: 1, A: 0, T: 1 }, { R: 0, A: 1 }, { A: 0, T: 0, n: 20 }];
    const sampled = await fit([{ name: "mine", records }], { seed: 1, draws: 200, workers: 2 });
    const exact = await fit([{ name: "mine", records }], { seed: 1, draws: 200, engine: "exact" });
    const engine = await createEngine({ workers: 2 });
    const progress = [];
    const counts = new Float64Array(100 * 18).fill(3);
    const { mean } = await engine.run(rat, counts, { seed: 1, onProgress: (finished) => progress.push(finished) });
    await engine.dispose();
    const refused = await engine.run(rat, counts).catch((error) => error instanceof RatError && error.kind);
    const quantities = [sampled, exact].map(({ fits }) => fits[0].quantities);
    globalThis.report?.(JSON.stringify({ version, quantities, mean: [...mean], last: progress.at(-1), refused }));
  `;
  let names: string[] = [];
  let modules: string[] = [];
  const isOfProject = (id: string): boolean =>
    id.startsWith(project) || id.startsWith("\0vite/") || id.startsWith("\0rolldown");
  const textOf = (name: string): string => readFileSync(join(assets, name), "utf8");

  beforeAll(async () => {
    inProject("index.html", '<!doctype html><body><script type="module" src="/main.js"></script></body>');
    inProject("main.js", entry);
    // `configFile: false` is a project without a configuration.
    const built = await build({ root: project, configFile: false, logLevel: "error" });
    if (!("output" in built)) throw new Error("one build was asked for");
    modules = built.output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
    names = readdirSync(assets);
  });

  it("builds, with the worker as an asset of its own", () => {
    const workers = names.filter((name) => name.startsWith("worker-browser"));
    expect(workers).toHaveLength(1);
    const starters = names.filter((name) => textOf(name).includes("new Worker("));
    expect(starters).toHaveLength(1);
    expect(textOf(starters[0]).includes(workers[0])).toBe(true);
  });

  it("has nothing in it that only Node, the command line and figures need", () => {
    const packages = new Set(modules.map((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id));
    const ours = [...packages].filter((name) => !name.startsWith("@stdlib/") && !isOfProject(name)).sort();
    // debug and ms come with @stdlib.
    expect(ours).toEqual(["@assemblyscript/loader", "debug", "ms", "papaparse", "rat-engine"]);
    const parts = new Set(modules.flatMap((id) => /rat-engine\/dist\/(\w+)\//.exec(id)?.[1] ?? []));
    for (const part of ["cli", "report", "serve"]) expect(parts).not.toContain(part);
    // A page loads the kernel only where it samples in its own thread.
    const withKernel = names.filter((name) => textOf(name).includes("AGFzbQ"));
    expect(withKernel.map((name) => name.replace(/-[\w-]{8}\.js$/, "")).sort()).toEqual(["worker", "worker-browser"]);
    // Twice the kernel with what is around it, exact engine and records; figures alone would be as much again.
    expect(names.reduce((sum, name) => sum + Buffer.byteLength(textOf(name)), 0)).toBeLessThan(700_000);
  });

  it("gives the numbers that Node gives, sampled in its workers", async () => {
    const node = inProject("node.mjs", `globalThis.report = console.log;\nawait import("./main.js");`);
    const expected = JSON.parse(await inShell(process.execPath, node));
    expect(expected).toMatchObject({ version: packageJson.version, last: 100, refused: "usage" });
    const page = inProject("page.mjs", pageInNode(names.find((name) => name.startsWith("index-")) ?? ""));
    expect(JSON.parse(await inShell(process.execPath, page))).toEqual(expected);
  });
});

/** A page's globals instead of Node's, as far as the bundle needs them, and its workers as threads. */
function pageInNode(main: string): string {
  const forget = 'for (const name of ["process", "Buffer", "global", "setImmediate"]) delete globalThis[name];';
  return `
    import { Worker as Thread } from "node:worker_threads";
    const folder = new URL("./dist", import.meta.url);
    const around = \`
      const { parentPort, workerData } = require("node:worker_threads");
      ${forget}
      globalThis.self = globalThis;
      globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
      import(workerData).then(() => parentPort.on("message", (data) => globalThis.onmessage({ data })));\`;
    globalThis.Worker = class {
      constructor(url) {
        this.thread = new Thread(around, { eval: true, workerData: folder.href + new URL(url).pathname });
        this.thread.on("message", (data) => this.onmessage({ data }));
        this.thread.on("error", (error) => this.onerror(error));
      }
      postMessage(message, transfer) { this.thread.postMessage(message, transfer); }
      terminate() { this.thread.terminate(); }
    };
    globalThis.navigator ??= { hardwareConcurrency: 2 };
    globalThis.window = globalThis;
    globalThis.location = new URL("file:///");
    const element = { relList: { supports: () => true }, getAttribute: () => null };
    globalThis.document = {
      createElement: () => ({ ...element }),
      querySelectorAll: () => [],
      querySelector: () => null,
      getElementsByTagName: () => [],
      head: { appendChild: () => {} },
    };
    globalThis.report = console.log;
    ${forget}
    await import("./dist/assets/${main}");`;
}
