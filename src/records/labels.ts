import { type Leveled, listLevels, spellingTolerance } from "../network/levels.js";

/** What a cell says about a variable: the index of a level, or one of these. */
export const notObserved = -1;
export const notALabel = -2;

/** How far a number may be from a level, for scores that went through floating point. */
const tolerance = spellingTolerance;

/** Cells that say "not observed" unless a level of the variable has that name. Compared in lower case. */
const missingWords = new Set(["", "na", "nan", "null", "none"]);

const words: Readonly<Record<string, string>> = { true: "1", yes: "1", false: "0", no: "0" };

/** The cache of labels seen is for the usual few spellings; a column of a million different ones must not fill it. */
const maxCached = 256;

const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/;

type Variable = Leveled;

/** What the reader of a variable knows: texts that name a level, in lower case, and the index of the level. */
interface Spelled extends Variable {
  readonly spelled: readonly (readonly [text: string, level: number])[];
}

/**
 * A reader of the labels of one variable. Names of levels and their other spellings are read in any case, numbers within
 * 1e-9 of a numeric one, and true, false, yes and no where the levels are 0 and 1. Blanks, quotes, a trailing dot and
 * `[[…]]` around are ignored.
 */
export function labelReader(variable: Variable): (value: unknown) => number {
  const cache = new Map<unknown, number>();
  const { levels, spellings = {} } = variable;
  const names = [...levels.map((level) => [level, level]), ...Object.entries(spellings)];
  const spelled = names.map(([text, level]) => [text.toLowerCase(), levels.indexOf(level)] as const);
  const known = { ...variable, spelled };
  return (value) => {
    const cached = cache.get(value);
    if (cached !== undefined) return cached;
    const label = readLabel(known, value);
    if (cache.size < maxCached && (typeof value !== "object" || value === null)) cache.set(value, label);
    return label;
  };
}

/** What a label of the variable looks like, for messages. */
export function describeLabels(variable: Variable): string {
  const isPlain = hasLevels01(variable) && variable.spellings === undefined;
  return isPlain ? "a 0/1 label" : `one of ${listLevels(variable)}`;
}

export const hasLevels01 = ({ levels }: Variable): boolean =>
  levels.length === 2 && levels.includes("0") && levels.includes("1");

function readLabel(variable: Spelled, value: unknown): number {
  if (value === undefined || value === null || Number.isNaN(value)) return notObserved;
  if (typeof value === "number") return nearestLevel(variable, value);
  if (typeof value === "boolean") return textLabel(variable, String(value));
  return typeof value === "string" ? textLabel(variable, value) : notALabel;
}

function textLabel(variable: Spelled, text: string): number {
  const exact = variable.levels.indexOf(text);
  if (exact >= 0) return exact;
  const word = unwrapped(text.toLowerCase());
  const named = variable.spelled.find(([name]) => name === word);
  if (named !== undefined) return named[1];
  if (missingWords.has(text.trim().toLowerCase())) return notObserved;
  if (numberText.test(word)) return nearestLevel(variable, Number(word));
  return hasLevels01(variable) && Object.hasOwn(words, word) ? variable.levels.indexOf(words[word]) : notALabel;
}

function nearestLevel({ spelled }: Spelled, value: number): number {
  const near = spelled.find(([name]) => name.trim() !== "" && Math.abs(Number(name) - value) <= tolerance);
  return near === undefined ? notALabel : near[1];
}

/** Without what judges like to put around a verdict, however nested: `"[[Yes]]."` -> `yes`. */
function unwrapped(text: string): string {
  const inner = text
    .trim()
    .replace(/^(["'])(.+)\1$|^“(.+)”$|^\[\[(.+)\]\]$/s, (_, _quote, ...bodies) => bodies.find((b) => b !== undefined))
    .replace(/(.)\.$/s, "$1");
  return inner === text ? text : unwrapped(inner);
}
