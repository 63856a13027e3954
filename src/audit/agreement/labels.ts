import { dataError, usageError } from "../../errors.js";
import { isObject, show } from "../../values.js";
import type { Clusters } from "../cluster.js";
import { counted } from "../counted.js";

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
 * `interval`: numbers whose differences mean something. On the latter two numbers of one value are one category, however
 * they are spelt.
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
  /** [cluster]: its items with labels of two judges or more. */
  readonly paired: Float64Array;
  /** [cluster]: its items with a label. */
  readonly labelled: Float64Array;
  /** Room for a number an item: arrays as long as a million items, made anew for each coefficient, cost more than all else. */
  readonly room: Float64Array;
}

/** Tables of categories by categories are made of each pair: more are hardly labels. */
const mostCategories = 500;

/** A label's category: its text; where categories are ordered, the shortest one of a number's. */
export function categoryOf(label: string | number | boolean, scale: Scale): string {
  const name = String(label);
  return scale !== "nominal" && isNumber(name) ? String(Number(name)) : name;
}

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
  const known = declared?.map((name) => categoryOf(name, scale));
  if (known !== undefined && new Set(known).size < known.length) {
    throw usageError(`categories must differ, not ${show(declared)}`);
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
    const numbers = item.labels.map((label) => (n === 0 ? -1 : placeOf(label, places, i, scale, known)));
    // Without a label there is nothing to count.
    if (numbers.some((k) => k >= 0)) {
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
        kept.of.push(clusterOf(clusters, i));
      }
    }
    i++;
  }
  if (clusters !== null && clusters.of.length !== i) {
    throw usageError(`clusters must be of ${counted(i, "item")}, not ${clusters.of.length}`);
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
      : togetherOf(
          Int32Array.from(kept.pattern),
          Float64Array.from(kept.n),
          renumbered(Int32Array.from(kept.of), clusters.count),
          labels,
        );
  if (scale === "ordinal" && known === undefined) checkOrdered(names);
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
  const together = all === null ? null : keptOf(all, to, labels);
  return { ...patterns, judges: 2, labels, counts, together };
}

/** @param to [pattern]: its new number, -1 for those that are left out */
function keptOf(
  { pattern, n, clusters }: Together,
  to: readonly number[],
  labels: readonly (readonly number[])[],
): Together {
  const kept = (_: number, i: number): boolean => to[pattern[i]] >= 0;
  const own = pattern.filter(kept).map((m) => to[m]);
  return togetherOf(own, n.filter(kept), renumbered(clusters.of.filter(kept), clusters.count), labels);
}

function togetherOf(
  pattern: Int32Array,
  n: Float64Array,
  clusters: Clusters,
  labels: readonly (readonly number[])[],
): Together {
  const given = labels.map((row) => row.reduce((sum, k) => sum + (k >= 0 ? 1 : 0), 0));
  const [paired, labelled] = [new Float64Array(clusters.count), new Float64Array(clusters.count)];
  for (let i = 0; i < n.length; i++) {
    if (given[pattern[i]] > 1) paired[clusters.of[i]] += n[i];
    if (given[pattern[i]] > 0) labelled[clusters.of[i]] += n[i];
  }
  return { pattern, n, clusters, paired, labelled, room: new Float64Array(n.length) };
}

/** Clusters with an item that has labels of two judges or more. */
export const withPairs = ({ paired }: Together): number => paired.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0);

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
  scale: Scale,
  declared: readonly string[] | undefined,
): number {
  if (label == null) return -1;
  const name = categoryOf(label, scale);
  const place = places.get(name);
  if (place !== undefined) return place;
  if (declared !== undefined) {
    throw usageError(`items[${i}].labels: ${show(label)} is none of the categories ${declared.join(", ")}`);
  }
  if (places.size === mostCategories) {
    throw dataError(`more than ${mostCategories} different labels, such as ${show(label)}: are all of these judges?`);
  }
  places.set(name, places.size);
  return places.size - 1;
}

function clusterOf({ of, count }: Clusters, i: number): number {
  const cluster = of[i] ?? 0;
  if (Number.isSafeInteger(cluster) && cluster >= 0 && cluster < count) return cluster;
  throw usageError(
    `clusters.of[${i}] must be a whole number from 0 and below their count ${count}, not ${show(cluster)}`,
  );
}

function checkItem(item: LabelledItem, i: number, judges: number): void {
  if (!isObject(item)) throw usageError(`items[${i}] must be an object with labels, not ${show(item)}`);
  const { labels, n = 1 } = item;
  if (!Array.isArray(labels) || labels.length !== judges) {
    throw usageError(`items[${i}].labels must be a list of ${judges}, one a judge, not ${show(labels)}`);
  }
  if (!(Number.isSafeInteger(n) && n >= 0)) {
    throw usageError(`items[${i}].n must be a whole number of items, 0 or more, not ${show(n)}`);
  }
  labels.forEach((label, j) => {
    if (label == null || typeof label === "string" || typeof label === "boolean" || Number.isFinite(label)) return;
    const expected = "text, a finite number, true, false or null";
    throw usageError(`items[${i}].labels[${j}] must be ${expected}, not ${show(label)}`);
  });
}

/** Numbers by size if all are numbers, text by its characters otherwise. */
function sorted(names: string[]): string[] {
  const numeric = names.every(isNumber);
  return names.sort(numeric ? (a, b) => Number(a) - Number(b) || (a < b ? -1 : 1) : (a, b) => (a < b ? -1 : 1));
}

export const isNumber = (name: string): boolean => name.trim() !== "" && Number.isFinite(Number(name));

function checkOrdered(names: readonly string[]): void {
  const other = names.find((name) => !isNumber(name));
  if (other === undefined) return;
  throw usageError(`scale "ordinal" needs categories in their order, or numbers for labels, not ${show(other)}`);
}

function valuesOf(names: readonly string[], scale: Scale): number[] {
  if (scale !== "interval") return names.map((_, k) => k);
  const other = names.find((name) => !isNumber(name));
  if (other === undefined) return names.map(Number);
  throw usageError(
    `scale "interval" needs numbers for labels, not ${show(other)}: use "ordinal" with categories in order`,
  );
}
