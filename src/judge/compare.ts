import gammaln from "@stdlib/math-base-special-gammaln";
import type { JudgeComparison, PairCheck } from "../documents.js";
import { usageError } from "../errors.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { fold } from "../network/fold.js";
import { compileOnce, judgeOf, ratJudgeIndependent } from "../network/index.js";
import { pairsTogether } from "./together.js";

/** log Bayes factors beyond which the labels speak for one of the two: 20 to 1. */
const decisive = Math.log(20);
/** p-values below, with five pairs: by chance one in a hundred comparisons shows any. */
const rare = 0.002;

/**
 * Compares the judge network with the independent one on the fully labelled records.
 * @param network rat-judge with its priors, which give the base rows the same marginal likelihood in both
 * @param counts [patterns]
 * @throws RatError (usage) for another network
 */
export function compareJudges(network: CompiledNetwork, counts: ArrayLike<number>, seed: number): JudgeComparison {
  checkComparable(network);
  const independent = compileOnce(ratJudgeIndependent);
  const full = Float64Array.from(counts, (n, m) => (network.patterns[m].levels.includes(-1) ? 0 : n));
  const records = full.reduce((sum, n) => sum + n, 0);
  const judgeRows = (name: string): boolean => !/^theta_/.test(name);
  const logBayesFactor =
    logMarginal(network, full, judgeRows) - logMarginal(independent, moved(network, independent, full), judgeRows);
  const checks = pairsTogether(network, counts, seed);
  return { records, logBayesFactor, checks, verdict: verdictOf(records, logBayesFactor, checks) };
}

/** @throws RatError (usage) for networks other than rat-judge */
export function checkComparable({ definition, name }: CompiledNetwork): void {
  if (judgeOf(definition) === "joint") return;
  throw usageError(`judges are compared on network rat-judge (--compare-judges), not ${name}`);
}

/**
 * Log marginal likelihood of fully labelled records under some of a network's rows: each is Beta-binomial,
 * log B(a + k, b + n - k) - log B(a, b).
 */
export function logMarginal(
  network: CompiledNetwork,
  counts: ArrayLike<number>,
  rows: (name: string) => boolean = () => true,
): number {
  const { success, failure } = fold(network, counts);
  return network.rowNames.reduce((sum, name, k) => {
    if (!rows(name)) return sum;
    return sum + logBeta(success[k], failure[k]) - logBeta(network.priorSuccess[k], network.priorFailure[k]);
  }, 0);
}

// Its types say that the module is the function; to an ES module it is the default export.
const lnGamma = gammaln as unknown as (x: number) => number;

const logBeta = (a: number, b: number): number => lnGamma(a) + lnGamma(b) - lnGamma(a + b);

/** Counts of one network's patterns in the order of another one's, which has the same variables. */
function moved(from: CompiledNetwork, to: CompiledNetwork, counts: Float64Array): Float64Array {
  const result = new Float64Array(to.patterns.length);
  const places = new Map(to.patterns.map(({ levels }, m) => [levels.join(), m]));
  from.patterns.forEach(({ levels }, m) => {
    const place = places.get(levels.join());
    if (place !== undefined) result[place] += counts[m];
  });
  return result;
}

function verdictOf(records: number, logBayesFactor: number, checks: readonly PairCheck[]): string {
  if (records === 0) return "no record has all five labels: nothing can be said";
  const together = checks.filter(({ p }) => p < rare).map(({ pair }) => pair);
  const pairs = together.length === 0 ? "no pair moves together beyond chance" : `together move ${together.join("; ")}`;
  const odds =
    Math.abs(logBayesFactor) > 10 ? "beyond doubt" : `by ${Math.exp(Math.abs(logBayesFactor)).toPrecision(2)} to 1`;
  const words =
    logBayesFactor > decisive
      ? `the labels speak for a joint judge, ${odds}`
      : logBayesFactor < -decisive
        ? `the simple judge is enough: the labels speak for it, ${odds}`
        : "the labels don't decide between the two judges";
  return `${words}; ${pairs}`;
}
