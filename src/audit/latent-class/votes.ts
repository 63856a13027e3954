import { dataError, usageError } from "../../errors.js";
import { check, fields, isIterable, isObject, list, show, text } from "../../values.js";

/** Votes as a list of (item, judge, label), numbered from 0; no vote is no entry, and a judge may vote again. */
export interface Votes {
  readonly items: number;
  readonly judges: number;
  readonly classes: number;
  readonly item: ArrayLike<number>;
  readonly judge: ArrayLike<number>;
  readonly label: ArrayLike<number>;
  readonly judgeNames?: readonly string[];
  readonly classNames?: readonly string[];
  readonly itemNames?: readonly string[];
}

/**
 * Distinct sets of votes and how many items have each: EM's cost depends on these alone, which for few judges are few.
 * A vote's code is judge * classes + label.
 */
export interface Patterns {
  readonly judges: number;
  readonly classes: number;
  readonly items: number;
  readonly count: number;
  /** [count + 1] where each pattern's codes start; codes ascend within a pattern. */
  readonly starts: Uint32Array;
  readonly codes: Uint32Array;
  /** Items of each pattern; 0 for that of no votes. */
  readonly weights: Float64Array;
  /** [items] */
  readonly patternOf: Uint32Array;
  /** Sum of the weights. */
  readonly voted: number;
}

/** A vote with names; a null label is no vote. */
export interface VoteRow {
  readonly item: string;
  readonly judge: string;
  readonly label: string | null;
}

/** As `voteRow` has it, without the cost of words. */
const isVoteRow = (row: VoteRow): boolean =>
  typeof row?.item === "string" &&
  typeof row.judge === "string" &&
  (typeof row.label === "string" || row.label === null);

const named = fields({ item: text, judge: text });
const voteRow = fields({ item: text, judge: text, label: text });

/**
 * Votes of rows with names. Classes are in order of their names, numbers by size; null labels are no votes.
 * @throws RatError (usage) for rows that aren't of three texts
 */
export function votesOfRows(
  rows: Iterable<VoteRow>,
): Votes & { readonly judgeNames: string[]; readonly classNames: string[]; readonly itemNames: string[] } {
  const [items, judges, labels] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const numberOf = (names: Map<string, number>, name: string): number => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  };
  const [item, judge, seen]: [number[], number[], number[]] = [[], [], []];
  if (!isIterable(rows)) throw usageError(`rows must be a list of { item, judge, label }, not ${show(rows)}`);
  let place = 0;
  for (const row of rows) {
    if (!isVoteRow(row)) check(row?.label === null ? named : voteRow, row, `rows[${place}]`);
    place++;
    const [i, j] = [numberOf(items, row.item), numberOf(judges, row.judge)];
    if (row.label === null) continue;
    item.push(i);
    judge.push(j);
    seen.push(numberOf(labels, row.label));
  }
  const compare = (a: string, b: string): number => Number(a) - Number(b) || (a < b ? -1 : a > b ? 1 : 0);
  const classNames = [...labels.keys()].sort(compare);
  const places = new Map(classNames.map((name, c) => [labels.get(name), c]));
  return {
    items: items.size,
    judges: judges.size,
    classes: classNames.length,
    item: Uint32Array.from(item),
    judge: Uint32Array.from(judge),
    label: Uint32Array.from(seen, (l) => places.get(l) ?? 0),
    judgeNames: [...judges.keys()],
    classNames,
    itemNames: [...items.keys()],
  };
}

/** An array or a typed one. */
export const isList = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);

/** @throws RatError (usage, data) for numbers that aren't of these items, judges and classes */
export function checkVotes(votes: Votes): void {
  if (!isObject(votes)) throw usageError(`votes must be what votesOfRows returns, not ${show(votes)}`);
  const { items, judges, classes, item, judge, label } = votes as Votes;
  for (const [name, value, least] of [
    ["items", items, 1],
    ["judges", judges, 1],
    ["classes", classes, 2],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < least || value > 2 ** 31) {
      throw usageError(`${name} must be a whole number from ${least}, not ${show(value)}`);
    }
  }
  for (const name of ["item", "judge", "label"] as const) {
    if (!isList((votes as Votes)[name])) {
      throw usageError(`votes.${name} must be a list of numbers, one a vote, not ${show((votes as Votes)[name])}`);
    }
  }
  for (const [name, count] of [
    ["judgeNames", judges],
    ["classNames", classes],
    ["itemNames", items],
  ] as const) {
    const names = (votes as Votes)[name];
    if (names === undefined) continue;
    check(list(text, "names"), names, `votes.${name}`);
    if (names.length !== count) throw usageError(`votes.${name} has ${names.length} names: expected ${count}`);
  }
  if (judges * classes > 2 ** 31) {
    throw usageError(`judges times classes must be at most 2^31, not ${judges} times ${classes}`);
  }
  if (item.length !== judge.length || item.length !== label.length) {
    throw usageError(`${item.length} items, ${judge.length} judges, ${label.length} labels: one each a vote`);
  }
  if (item.length === 0) throw dataError("no votes: nothing can be learnt");
  const within = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end;
  for (let v = 0; v < item.length; v++) {
    if (within(item[v], items) && within(judge[v], judges) && within(label[v], classes)) continue;
    throw dataError(
      `votes[${v}]: expected an item below ${items}, a judge below ${judges} and a label below ${classes}, not ` +
        `${show(item[v])}, ${show(judge[v])}, ${show(label[v])}`,
    );
  }
}

/** Checked votes by pattern: two counting sorts, by code and by item, and a table of what was met. */
export function patternsOf({ items, judges, classes, item, judge, label }: Votes): Patterns {
  const votes = item.length;
  const code = new Uint32Array(votes);
  for (let v = 0; v < votes; v++) code[v] = judge[v] * classes + label[v];
  const byCode = countingSort(code, judges * classes, null).order;
  const { order, starts: itemStarts } = countingSort(item, items, byCode);
  const codes = new Uint32Array(votes);
  for (let v = 0; v < votes; v++) codes[v] = code[order[v]];

  const size = 2 ** Math.ceil(Math.log2(2 * items + 1));
  const table = new Int32Array(size).fill(-1);
  const patternOf = new Uint32Array(items);
  const starts = new Uint32Array(items + 1);
  const weights = new Float64Array(items);
  let [count, voted] = [0, 0];
  for (let i = 0; i < items; i++) {
    const [from, to] = [itemStarts[i], itemStarts[i + 1]];
    let hash = 0x811c9dc5;
    for (let v = from; v < to; v++) hash = Math.imul(hash ^ codes[v], 0x01000193) ^ (hash >>> 15);
    let slot = hash & (size - 1);
    while (table[slot] >= 0 && !samePattern(codes, starts, table[slot], from, to)) slot = (slot + 1) & (size - 1);
    if (table[slot] < 0) {
      // Patterns that are kept move down over those that were met before, in place.
      codes.copyWithin(starts[count], from, to);
      starts[count + 1] = starts[count] + to - from;
      table[slot] = count++;
    }
    patternOf[i] = table[slot];
    if (to === from) continue;
    weights[table[slot]]++;
    voted++;
  }
  return {
    judges,
    classes,
    items,
    count,
    starts: starts.slice(0, count + 1),
    codes: codes.slice(0, starts[count]),
    weights: weights.slice(0, count),
    patternOf,
    voted,
  };
}

function samePattern(codes: Uint32Array, starts: Uint32Array, pattern: number, from: number, to: number): boolean {
  const start = starts[pattern];
  if (starts[pattern + 1] - start !== to - from) return false;
  for (let v = from; v < to; v++) if (codes[v] !== codes[start + v - from]) return false;
  return true;
}

/** Places by ascending key, equal keys as in `before` (null: as they are), and where each key starts. */
function countingSort(keys: ArrayLike<number>, bound: number, before: Uint32Array | null) {
  const starts = new Uint32Array(bound + 1);
  for (let v = 0; v < keys.length; v++) starts[keys[v] + 1]++;
  for (let key = 0; key < bound; key++) starts[key + 1] += starts[key];
  const next = starts.slice();
  const order = new Uint32Array(keys.length);
  for (let k = 0; k < keys.length; k++) {
    const v = before === null ? k : before[k];
    order[next[keys[v]]++] = v;
  }
  return { order, starts };
}
