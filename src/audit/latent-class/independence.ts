import { counted } from "../counted.js";
import { streamOf } from "../streams.js";
import { Em, type Model, type Smoothing } from "./em.js";
import { simulate } from "./simulate.js";
import type { Patterns } from "./votes.js";

/** Two judges whose votes agree other than the model lets them. */
export interface PairResidual {
  readonly first: number;
  readonly second: number;
  /** Items that both voted on. */
  readonly items: number;
  readonly agreement: number;
  readonly expected: number;
  /** Of two who vote at random, each with its own shares of the labels. */
  readonly chance: number;
  /** Correlation of their votes beyond the model's: (agreement - expected) / sqrt(V V'), V = 1 - sum of squared shares. */
  readonly residualCorrelation: number;
  /** (agreement - expected) in binomial standard errors; the fit shares in the noise, so it isn't standard normal. */
  readonly z: number;
  /** Share of the simulated data sets in which any pair is as far off: family-wise. */
  readonly p: number;
}

export interface IndependenceCheck {
  /** Pairs with enough items in common, among the judges with the most votes. */
  readonly pairs: number;
  readonly judges: number;
  readonly replicates: number;
  /** p of the pair that is the furthest off. */
  readonly p: number;
  /** The chance that judges who are independent fail. */
  readonly falseAlarm: number;
  readonly fails: boolean;
  /** Furthest off first, ten at most. */
  readonly worst: readonly PairResidual[];
  /** Pairs that never disagree, beyond chance (1 in 10,000): copies of each other, or both all but perfect. */
  readonly identical: readonly PairResidual[];
}

/** Without the p that simulated data sets give. */
export type Residual = Omit<PairResidual, "p">;

const mostJudges = 40;
const leastInCommon = 10;
/** A class, on average, of more than two: of fewer independent judges fail too often. */
const leastItems = 4;
/** Votes of a simulated data set; z of more has the same distribution, nearly. */
const mostVotes = 10_000;
const effort = { tolerance: 1e-5, iterations: 200 };

/**
 * Are judges independent given the class? Bivariate residuals (Vermunt and Magidson 2004, "Latent class analysis", in the
 * Sage Encyclopedia of Social Science Research Methods; for tests without gold: Qu, Tan and Kutner 1996, "Random effects
 * models in latent class analysis for evaluating accuracy of diagnostic tests", Biometrics 52, 797-810): how often two
 * judges agree, against sum_c prevalence_c sum_l rate_j(l | c) rate_k(l | c). The greatest of all pairs is compared with
 * that of data sets drawn from the fit and fitted again (parametric bootstrap), so that p is 1 in `replicates` + 1 at least.
 * Who shares errors isn't told: the fit may take two like judges for the truth, and then it is the others who correlate.
 * In words: why there is no check.
 */
export function checkIndependence(
  patterns: Patterns,
  model: Model,
  smoothing: Smoothing,
  replicates: number,
  seed: number,
): IndependenceCheck | string {
  const { judges, classes } = patterns;
  const free = classes - 1 + judges * classes * (classes - 1);
  if (classes ** judges - 1 <= free) {
    return `independence can't be checked: ${counted(judges, "judge")} of ${classes} classes leave nothing that ${free} parameters don't fit`;
  }
  if (classes > 2 && patterns.voted < leastItems * classes) {
    return `independence can't be checked: ${patterns.voted} items are too few to tell ${classes} classes, of ${leastItems} each at least`;
  }
  const chosen = busiestJudges(patterns);
  const seen = residualsOf(patterns, model, chosen);
  if (seen.length === 0) return `independence can't be checked: no two judges share ${leastInCommon} items`;
  const items = someItems(patterns);
  const greatest: number[] = [];
  for (let r = 0; r < replicates; r++) {
    const drawn = simulate(patterns, model, items, streamOf("independence", seed, r));
    const { model: refit } = new Em(drawn, smoothing).fromModel(model, effort);
    greatest.push(residualsOf(drawn, refit, chosen).reduce((most, { z }) => Math.max(most, Math.abs(z)), 0));
  }
  const withP = seen
    .map((pair) => ({
      ...pair,
      p: (1 + greatest.filter((z) => z >= Math.abs(pair.z)).length) / (replicates + 1),
    }))
    .sort((a, b) => Math.abs(b.z) - Math.abs(a.z));
  const falseAlarm = Math.max(0.01, 1 / (replicates + 1));
  return {
    pairs: withP.length,
    judges: chosen.length,
    replicates,
    p: withP[0].p,
    falseAlarm,
    fails: withP[0].p <= falseAlarm + 1e-12,
    worst: withP.slice(0, 10),
    identical: withP.filter(isIdentical),
  };
}

/** Whether two never disagree, more often than votes at random would in 1 of 10,000. */
export const isIdentical = ({ agreement, chance, items }: Residual): boolean =>
  agreement === 1 && items * Math.log(chance) < Math.log(1e-4);

/** The judges with the most votes, ascending. */
export function busiestJudges({ judges, classes, count, starts, codes, weights }: Patterns): Uint32Array {
  const votes = new Float64Array(judges);
  for (let p = 0; p < count; p++) {
    for (let v = starts[p]; v < starts[p + 1]; v++) votes[Math.floor(codes[v] / classes)] += weights[p];
  }
  const order = Uint32Array.from(votes, (_, j) => j).sort((a, b) => votes[b] - votes[a] || a - b);
  return order.slice(0, mostJudges).sort();
}

/** Items that stand for all, evenly spread, where all have too many votes. */
export function someItems({ items, starts, patternOf }: Patterns): Uint32Array {
  let votes = 0;
  for (const p of patternOf) votes += starts[p + 1] - starts[p];
  const step = Math.max(1, votes / mostVotes);
  return Uint32Array.from({ length: Math.ceil(items / step) }, (_, k) => Math.floor(k * step));
}

/**
 * Pairs of the chosen judges; a judge's first vote on an item counts.
 * @param model null: what two who vote at random would agree in is expected
 */
export function residualsOf(patterns: Patterns, model: Model | null, chosen: Uint32Array): Residual[] {
  const { judges, classes, count, starts, codes, weights } = patterns;
  const size = chosen.length;
  const place = new Int32Array(judges).fill(-1);
  chosen.forEach((j, k) => {
    place[j] = k;
  });
  const [both, same] = [new Float64Array(size * size), new Float64Array(size * size)];
  const shares = new Float64Array(size * classes);
  const own = new Uint32Array(size);
  const said = new Uint32Array(size);
  for (let p = 0; p < count; p++) {
    let voters = 0;
    for (let v = starts[p]; v < starts[p + 1]; v++) {
      const k = place[Math.floor(codes[v] / classes)];
      if (k < 0 || (voters > 0 && own[voters - 1] === k)) continue;
      own[voters] = k;
      said[voters++] = codes[v] % classes;
    }
    for (let a = 0; a < voters; a++) {
      shares[own[a] * classes + said[a]] += weights[p];
      for (let b = 0; b < a; b++) {
        const at = own[b] * size + own[a];
        both[at] += weights[p];
        if (said[a] === said[b]) same[at] += weights[p];
      }
    }
  }
  const sharesOf = (k: number): Float64Array => {
    const own = shares.subarray(k * classes, (k + 1) * classes);
    const total = own.reduce((sum, n) => sum + n, 0);
    return own.map((n) => n / Math.max(1, total));
  };
  const spread = Float64Array.from({ length: size }, (_, k) => 1 - productOf(sharesOf(k), sharesOf(k)));
  const pairs: Residual[] = [];
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const items = both[a * size + b];
      if (items < leastInCommon) continue;
      const agreement = same[a * size + b] / items;
      const chance = productOf(sharesOf(a), sharesOf(b));
      const expected = model === null ? chance : expectedAgreement(model, chosen[a], chosen[b], classes);
      const scale = Math.sqrt(spread[a] * spread[b]);
      // Of a judge with one label nothing can correlate.
      const residualCorrelation = scale > 0 ? (agreement - expected) / scale : 0;
      // The floor keeps an agreement that is all but certain from counting for more than an item of its own.
      const z = (agreement - expected) / Math.sqrt(Math.max(expected * (1 - expected), 1 / items) / items);
      pairs.push({ first: chosen[a], second: chosen[b], items, agreement, expected, chance, residualCorrelation, z });
    }
  }
  return pairs;
}

function expectedAgreement({ prevalence, rates }: Model, j: number, k: number, classes: number): number {
  let sum = 0;
  for (let l = 0; l < classes; l++) {
    const [a, b] = [(j * classes + l) * classes, (k * classes + l) * classes];
    for (let c = 0; c < classes; c++) sum += prevalence[c] * rates[a + c] * rates[b + c];
  }
  return Math.min(1, sum);
}

const productOf = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, l) => sum + value * b[l], 0);
