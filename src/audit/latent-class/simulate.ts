import type { Stream } from "../../random/stream.js";
import type { Model } from "./em.js";
import { type Patterns, patternsOf } from "./votes.js";

/** Votes of the model's judges on the same (item, judge) pairs, as patterns. @param items whose votes are drawn */
export function simulate(patterns: Patterns, model: Model, items: Uint32Array, stream: Stream): Patterns {
  const { judges, classes, starts, codes, patternOf } = patterns;
  const [item, judge, label]: [number[], number[], number[]] = [[], [], []];
  items.forEach((i, k) => {
    const p = patternOf[i];
    const c = draw(model.prevalence, 0, 1, stream);
    for (let v = starts[p]; v < starts[p + 1]; v++) {
      const j = Math.floor(codes[v] / classes);
      item.push(k);
      judge.push(j);
      label.push(draw(model.rates, j * classes * classes + c, classes, stream));
    }
  });
  return patternsOf({ items: items.length, judges, classes, item, judge, label });
}

function draw(values: Float64Array, first: number, stride: number, stream: Stream): number {
  let rest = stream.uniform();
  const count = stride === 1 ? values.length : stride;
  for (let l = 0; l < count - 1; l++) {
    rest -= values[first + l * stride];
    if (rest < 0) return l;
  }
  return count - 1;
}

/**
 * The same patterns, each as often as draws with replacement show it: of as many items, or of as many clusters, as there
 * are. @param members items of each cluster; null where items are drawn
 */
export function resample(patterns: Patterns, members: readonly Uint32Array[] | null, stream: Stream): Patterns {
  const weights = new Float64Array(patterns.count);
  let voted = 0;
  const take = (item: number): void => {
    const p = patterns.patternOf[item];
    if (patterns.starts[p] === patterns.starts[p + 1]) return;
    weights[p]++;
    voted++;
  };
  if (members === null) for (let k = 0; k < patterns.items; k++) take(stream.integerBelow(patterns.items));
  else for (const _ of members) members[stream.integerBelow(members.length)].forEach(take);
  return { ...patterns, weights, voted };
}

/** The votes of some items by all judges but some, as patterns; judges keep their numbers. */
export function votesOf(patterns: Patterns, items: Uint32Array, left: ReadonlySet<number>): Patterns {
  const { judges, classes, starts, codes, patternOf } = patterns;
  const [item, judge, label]: [number[], number[], number[]] = [[], [], []];
  items.forEach((i, k) => {
    const p = patternOf[i];
    for (let v = starts[p]; v < starts[p + 1]; v++) {
      const j = Math.floor(codes[v] / classes);
      if (left.has(j)) continue;
      item.push(k);
      judge.push(j);
      label.push(codes[v] % classes);
    }
  });
  return patternsOf({ items: items.length, judges, classes, item, judge, label });
}
