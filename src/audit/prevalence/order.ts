import { usageError } from "../../errors.js";
import { Variates } from "../../random/variates.js";
import { type StreamUse, streamOf } from "../streams.js";
import { prevalenceDraw, rateDraw, roganGladenDraw } from "./draws.js";
import { type Audit, auditOf, type PrevalenceInput } from "./input.js";
import { clusteredDraws, correctedInfluence, rawInfluence } from "./order-clustered.js";
import { predictionPowered } from "./prediction-powered.js";
import { roganGladen } from "./rogan-gladen.js";

export interface OrderOptions {
  /** Default 4000. */
  readonly draws?: number | undefined;
  readonly seed: number;
}

/** Systems whose records were judged: who comes first as the judge sees it, and who in truth. */
export interface SystemOrder {
  /** Greatest first. */
  readonly raw: readonly OrderedSystem[];
  /** Greatest first; empty where `reason` says why. */
  readonly corrected: readonly OrderedSystem[];
  /** What corrects: the prediction-powered estimate where every system has a random audit. */
  readonly estimator: "Rogan-Gladen" | "prediction-powered" | null;
  readonly reason: string | null;
  /** Every order of the corrected values that was drawn, the most probable first; at most 24. */
  readonly orders: readonly OrderProbability[];
  readonly pairs: readonly OrderedPair[];
  /** Pairs that the judge's errors have in the wrong order, in words. */
  readonly reversals: readonly string[];
  readonly draws: number;
  /** Draws in which every judge is better than chance: those that the probabilities are of. */
  readonly usedDraws: number;
}

export interface OrderedSystem {
  readonly system: string;
  readonly value: number;
}

export interface OrderProbability {
  readonly systems: readonly string[];
  readonly probability: number;
}

/** Two systems; `first` is the one with the greater raw rate. */
export interface OrderedPair {
  readonly first: string;
  readonly second: string;
  readonly rawDifference: number;
  readonly correctedDifference: number | null;
  /** Whether the corrected values stand the other way round. */
  readonly reversed: boolean;
  /** Probability that the first is greater; null of fewer than two clusters. */
  readonly pRaw: number | null;
  readonly pCorrected: number | null;
}

const mostOrders = 24;
const mostSystems = 100;

/**
 * Orders systems by raw and by corrected rates. Each system has its own judge rates. The probabilities are shares of draws
 * from Beta posteriors (Jeffreys' prior), independent from system to system: of the prevalence itself with a random audit,
 * of Rogan and Gladen's raw estimate otherwise. Of clusters they are normal draws around the values, with the sandwich
 * covariance of systems that share clusters. Their Monte Carlo error is at most .5 / sqrt(draws).
 *
 * @throws RatError (usage) for fewer than two systems, or two of one name
 */
export function orderSystems(
  systems: readonly { readonly name: string; readonly input: PrevalenceInput }[],
  { draws = 4000, seed }: OrderOptions,
): SystemOrder {
  const names = systems.map(({ name }) => name);
  if (names.length < 2 || names.length > mostSystems) {
    throw usageError(`an order is of 2 to ${mostSystems} systems, not ${names.length}`);
  }
  if (new Set(names).size < names.length) throw usageError("two systems have the same name");
  if (!(Number.isSafeInteger(draws) && draws > 0))
    throw usageError(`draws must be a whole number above 0, not ${draws}`);
  const audits = systems.map(({ name, input }) => auditOf(input, name));
  const raw = audits.map(({ observed }) => observed.value);
  const { estimator, values, reason } = correctedValues(names, audits);
  const clustered = audits.every(({ counts }) => counts?.clusters !== undefined);
  const variatesOf = (use: StreamUse): Variates => new Variates(streamOf(use, seed));
  const rawDraws = clustered
    ? clusteredDraws(raw, audits.map(rawInfluence), draws, variatesOf("clusteredRawRates"))
    : drawsOf(audits, draws, seed, "rawRates", (audit, variates) => rateDraw(variates, audit.observed));
  const correctedDraws =
    values === null
      ? null
      : clustered
        ? clusteredDraws(
            values,
            audits.map((audit, s) => correctedInfluence(audit, estimator === "Rogan-Gladen" ? values[s] : null)),
            draws,
            variatesOf("clusteredCorrectedRates"),
          )
        : drawsOf(audits, draws, seed, "correctedRates", (audit, variates) =>
            audit.random === null ? roganGladenDraw(audit, variates) : prevalenceDraw(audit.random, variates),
          );
  const pairs = pairsOf(names, raw, values, rawDraws, correctedDraws);
  return {
    raw: ranked(names, raw),
    corrected: values === null ? [] : ranked(names, values),
    estimator,
    reason,
    orders: correctedDraws === null ? [] : ordersOf(names, correctedDraws),
    pairs,
    reversals: pairs.filter(({ reversed }) => reversed).map(inWords),
    draws,
    usedDraws: correctedDraws?.length ?? 0,
  };
}

/** Of random audits the estimate that is surer, and that the draws are of, too. */
function correctedValues(names: readonly string[], audits: readonly Audit[]) {
  // The level is the intervals', which nobody asks for here.
  const powered = audits.map((audit) => predictionPowered(audit, 0.95).raw);
  if (allNumbers(powered)) return { estimator: "prediction-powered", values: powered, reason: null } as const;
  const inverted = audits.map((audit) => roganGladen(audit, 0.95));
  const values = inverted.map(({ raw }) => raw);
  if (allNumbers(values)) return { estimator: "Rogan-Gladen", values, reason: null } as const;
  const s = values.indexOf(null);
  return { estimator: null, values: null, reason: `${names[s]}: ${inverted[s].reason}` } as const;
}

const allNumbers = (values: readonly (number | null)[]): values is readonly number[] => !values.includes(null);

/** Draws of all systems at once, [draws][systems], without those in which one has none. */
function drawsOf(
  audits: readonly Audit[],
  draws: number,
  seed: number,
  use: StreamUse,
  draw: (audit: Audit, variates: Variates) => number,
): Float64Array[] {
  const variates = audits.map((_, s) => new Variates(streamOf(use, seed, s)));
  const all = Array.from({ length: draws }, () => Float64Array.from(audits, (audit, s) => draw(audit, variates[s])));
  return all.filter((values) => values.every(Number.isFinite));
}

const ranked = (names: readonly string[], values: readonly number[]): OrderedSystem[] =>
  names.map((system, s) => ({ system, value: values[s] })).sort((a, b) => b.value - a.value);

function ordersOf(names: readonly string[], draws: readonly Float64Array[]): OrderProbability[] {
  const found = new Map<string, number>();
  for (const values of draws) {
    const key = names.map((_, s) => s).sort((a, b) => values[b] - values[a]);
    found.set(key.join(), (found.get(key.join()) ?? 0) + 1);
  }
  return [...found]
    .map(([key, n]) => ({ systems: key.split(",").map((s) => names[Number(s)]), probability: n / draws.length }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, mostOrders);
}

function pairsOf(
  names: readonly string[],
  raw: readonly number[],
  corrected: readonly number[] | null,
  rawDraws: readonly Float64Array[] | null,
  correctedDraws: readonly Float64Array[] | null,
): OrderedPair[] {
  return names.flatMap((_, a) =>
    names.slice(a + 1).map((_, after): OrderedPair => {
      const b = a + 1 + after;
      const [first, second] = raw[a] >= raw[b] ? [a, b] : [b, a];
      const rawDifference = raw[first] - raw[second];
      const correctedDifference = corrected === null ? null : corrected[first] - corrected[second];
      return {
        first: names[first],
        second: names[second],
        rawDifference,
        correctedDifference,
        reversed: correctedDifference !== null && rawDifference > 0 && correctedDifference < 0,
        pRaw: rawDraws === null ? null : shareGreater(rawDraws, first, second),
        pCorrected: correctedDraws === null ? null : shareGreater(correctedDraws, first, second),
      };
    }),
  );
}

/** A tie, as between rates that are known, counts half. */
function shareGreater(draws: readonly Float64Array[], first: number, second: number): number | null {
  if (draws.length === 0) return null;
  const wins = draws.map((values) => (Math.sign(values[first] - values[second]) + 1) / 2);
  return wins.reduce((sum, win) => sum + win, 0) / draws.length;
}

function inWords({ first, second, rawDifference, correctedDifference, pCorrected }: OrderedPair): string {
  const sure = pCorrected === null ? "" : ` (probability ${(1 - pCorrected).toFixed(3)})`;
  return (
    `${first} is ahead of ${second} by ${rawDifference.toFixed(3)} as judged, ` +
    `but behind by ${Math.abs(correctedDifference ?? 0).toFixed(3)} when corrected${sure}`
  );
}
