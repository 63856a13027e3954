import { usageError } from "../../errors.js";
import { show } from "../../values.js";

/** A label; null or undefined: this judge has none here. */
export type Label = string | number | boolean | null | undefined;

/** What judges say of one item, or of n alike. */
export interface LabelledItem {
  /** One a judge, in their order. */
  readonly labels: readonly Label[];
  /** Default 1. */
  readonly n?: number | undefined;
}

/**
 * `nominal`: categories of no order. `ordinal`: in the order in which they are declared, or in that of numbers.
 * `interval`: numbers whose differences mean something.
 */
export type Scale = "nominal" | "ordinal" | "interval";

/** Labels as numbers of categories. Items that are labelled alike are one pattern. */
export interface Patterns {
  readonly categories: readonly string[];
  /** Values of the categories, where they are numbers; their ranks otherwise. */
  readonly values: readonly number[];
  readonly scale: Scale;
  readonly judges: number;
  /** [pattern][judge]: number of a category, -1 for no label. */
  readonly labels: readonly (readonly number[])[];
  /** Items of each pattern. */
  readonly counts: readonly number[];
}

/**
 * @param declared all categories there may be, in order; default: those that occur
 * @throws RatError (usage) for labels that aren't declared, ragged items, counts that are none
 */
export function patternsOf(
  items: Iterable<LabelledItem>,
  judges: number,
  scale: Scale,
  declared?: readonly (string | number | boolean)[],
): Patterns {
  const all = [...items];
  all.forEach((item, i) => {
    checkItem(item, i, judges);
  });
  const found = declared ?? seen(all);
  const names = found.map(String);
  if (new Set(names).size < names.length) throw usageError(`categories must differ, not ${show(names)}`);
  const places = new Map(names.map((name, k) => [name, k]));
  const patterns = new Map<string, { labels: number[]; n: number }>();
  all.forEach(({ labels, n = 1 }, i) => {
    if (n === 0) return;
    const numbers = labels.map((label) =>
      label == null ? -1 : (places.get(String(label)) ?? unknown(label, i, names)),
    );
    const key = numbers.join();
    const pattern = patterns.get(key) ?? { labels: numbers, n: 0 };
    pattern.n += n;
    patterns.set(key, pattern);
  });
  return {
    categories: names,
    values: valuesOf(names, scale),
    scale,
    judges,
    labels: [...patterns.values()].map(({ labels }) => labels),
    counts: [...patterns.values()].map(({ n }) => n),
  };
}

/** The same items with the labels of two judges alone. */
export function pairOf(patterns: Patterns, first: number, second: number): Patterns {
  const labels = patterns.labels.map((row) => [row[first], row[second]]);
  return { ...patterns, judges: 2, labels };
}

function checkItem({ labels, n = 1 }: LabelledItem, i: number, judges: number): void {
  if (!Array.isArray(labels) || labels.length !== judges) {
    throw usageError(`item ${i}: labels must be a list of ${judges}, one a judge, not ${show(labels)}`);
  }
  if (!(Number.isSafeInteger(n) && n >= 0)) {
    throw usageError(`item ${i}: n must be a whole number of items, 0 or more, not ${show(n)}`);
  }
  for (const label of labels) {
    if (label == null || typeof label === "string" || typeof label === "boolean" || Number.isFinite(label)) continue;
    throw usageError(`item ${i}: a label must be text, a finite number, true, false or null, not ${show(label)}`);
  }
}

/** Labels that occur: numbers by size if all are numbers, text by its characters otherwise. */
function seen(items: readonly LabelledItem[]): string[] {
  const names = new Set(items.flatMap(({ labels }) => labels.filter((label) => label != null).map(String)));
  const numeric = [...names].every(isNumber);
  return [...names].sort(numeric ? (a, b) => Number(a) - Number(b) : (a, b) => (a < b ? -1 : 1));
}

const isNumber = (name: string): boolean => name.trim() !== "" && Number.isFinite(Number(name));

function valuesOf(names: readonly string[], scale: Scale): number[] {
  if (scale !== "interval") return names.map((_, k) => k);
  const other = names.find((name) => !isNumber(name));
  if (other === undefined) return names.map(Number);
  throw usageError(
    `scale "interval" needs numbers for labels, not ${show(other)}: use "ordinal" with categories in order`,
  );
}

function unknown(label: Label, i: number, names: readonly string[]): never {
  throw usageError(`item ${i}: ${show(label)} is none of the categories ${names.join(", ")}`);
}
