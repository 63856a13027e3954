import { dataError, usageError } from "../../errors.js";
import { show } from "../../values.js";
import type { Clusters } from "../cluster.js";

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
  /** Which items err together; null: none. */
  readonly together: Together | null;
}

/** Items as they are spread over clusters. */
export interface Together {
  /** [item]: its pattern. */
  readonly pattern: Int32Array;
  /** [item]: how many there are of it. */
  readonly n: Float64Array;
  /** [item]: its cluster. */
  readonly clusters: Clusters;
  /** Room for a number an item: arrays as long as a million items, made anew for each coefficient, cost more than all else. */
  readonly room: Float64Array;
}

/** Tables of categories by categories are made of each pair: more are hardly labels. */
const mostCategories = 500;

/**
 * @param declared all categories there may be, in order; default: those that occur
 * @param clusters of the items; null: none
 * @throws RatError (usage) for labels that aren't declared, ragged items, counts that are none
 */
export function patternsOf(
  items: Iterable<LabelledItem>,
  judges: number,
  scale: Scale,
  declared: readonly (string | number | boolean)[] | undefined,
  clusters: Clusters | null,
): Patterns {
  const known = declared?.map(String);
  if (known !== undefined && new Set(known).size < known.length) {
    throw usageError(`categories must differ, not ${show(known)}`);
  }
  if (known !== undefined && known.length > mostCategories) {
    throw usageError(`there may be ${mostCategories} categories, not ${known.length}`);
  }
  const places = new Map(known?.map((name, k) => [name, k]));
  const patterns = new Map<string, number>();
  const labels: number[][] = [];
  const counts: number[] = [];
  const kept: { pattern: number[]; n: number[]; of: number[] } = { pattern: [], n: [], of: [] };
  let i = 0;
  for (const item of items) {
    checkItem(item, i, judges);
    const { n = 1 } = item;
    if (n > 0) {
      const numbers = item.labels.map((label) => placeOf(label, places, i, known));
      const key = numbers.join();
      let pattern = patterns.get(key);
      if (pattern === undefined) {
        pattern = labels.length;
        patterns.set(key, pattern);
        labels.push(numbers);
        counts.push(0);
      }
      counts[pattern] += n;
      if (clusters !== null) {
        kept.pattern.push(pattern);
        kept.n.push(n);
        kept.of.push(clusters.of[i]);
      }
    }
    i++;
  }
  if (clusters !== null && clusters.of.length !== i) {
    throw usageError(`clusters must be of ${i} items, not ${clusters.of.length}`);
  }
  const names = known ?? sorted([...places.keys()]);
  if (known === undefined) {
    const found = [...places.keys()];
    const to = found.map((name) => names.indexOf(name));
    for (const row of labels) for (let j = 0; j < judges; j++) if (row[j] >= 0) row[j] = to[row[j]];
  }
  const together =
    clusters === null
      ? null
      : {
          pattern: Int32Array.from(kept.pattern),
          n: Float64Array.from(kept.n),
          clusters: renumbered(Int32Array.from(kept.of), clusters.count),
          room: new Float64Array(kept.n.length),
        };
  return { categories: names, values: valuesOf(names, scale), scale, judges, labels, counts, together };
}

/** The items that two judges have both labelled, with these labels alone. */
export function pairOf(patterns: Patterns, first: number, second: number): Patterns {
  const q = patterns.categories.length;
  const found = new Map<number, number>();
  const labels: number[][] = [];
  const counts: number[] = [];
  const to = patterns.labels.map((row, m) => {
    const [a, b] = [row[first], row[second]];
    if (a < 0 || b < 0) return -1;
    let pattern = found.get(a * q + b);
    if (pattern === undefined) {
      pattern = labels.length;
      found.set(a * q + b, pattern);
      labels.push([a, b]);
      counts.push(0);
    }
    counts[pattern] += patterns.counts[m];
    return pattern;
  });
  const { together: all } = patterns;
  const together = all === null ? null : keptOf(all, to);
  return { ...patterns, judges: 2, labels, counts, together };
}

/** @param to [pattern]: its new number, -1 for those that are left out */
function keptOf({ pattern, n, clusters }: Together, to: readonly number[]): Together {
  const kept = (_: number, i: number): boolean => to[pattern[i]] >= 0;
  const found = n.filter(kept);
  return {
    pattern: pattern.filter(kept).map((m) => to[m]),
    n: found,
    clusters: renumbered(clusters.of.filter(kept), clusters.count),
    room: new Float64Array(found.length),
  };
}

/** Clusters without those that no item is left of. */
function renumbered(of: Int32Array, before: number): Clusters {
  const to = new Int32Array(before).fill(-1);
  let count = 0;
  for (const g of of) if (to[g] < 0) to[g] = count++;
  if (count === before) return { of, count };
  return { of: of.map((g) => to[g]), count };
}

function placeOf(
  label: Label,
  places: Map<string, number>,
  i: number,
  declared: readonly string[] | undefined,
): number {
  if (label == null) return -1;
  const name = String(label);
  const place = places.get(name);
  if (place !== undefined) return place;
  if (declared !== undefined) {
    throw usageError(`item ${i}: ${show(label)} is none of the categories ${declared.join(", ")}`);
  }
  if (places.size === mostCategories) {
    throw dataError(`more than ${mostCategories} different labels, such as ${show(label)}: are all of these judges?`);
  }
  places.set(name, places.size);
  return places.size - 1;
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

/** Numbers by size if all are numbers, text by its characters otherwise. */
function sorted(names: string[]): string[] {
  const numeric = names.every(isNumber);
  return names.sort(numeric ? (a, b) => Number(a) - Number(b) : (a, b) => (a < b ? -1 : 1));
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
