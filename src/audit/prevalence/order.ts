import { usageError } from "../../errors.js";
import { Variates } from "../../random/variates.js";
import { check, fields, list, show, text } from "../../values.js";
import { checkOptions, checkSeed } from "../arguments.js";
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
  /** What corrects: the prediction-powered estimate of random audits; null where fewer than two systems can be corrected. */
  readonly estimator: "Rogan-Gladen" | "prediction-powered" | null;
  readonly reason: string | null;
  /** Systems that have no corrected value, and why; the others are ordered without them. */
  readonly leftOut: readonly SystemLeftOut[];
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

export interface SystemLeftOut {
  readonly system: string;
  readonly reason: string;
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
  /** Probability that the first is greater; null of fewer than two clusters, or of a system that is left out. */
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
  options: OrderOptions,
): SystemOrder {
  checkOptions(options, ["draws", "seed"]);
  const { draws = 4000, seed } = options;
  checkSystems(systems);
  if (!(Number.isSafeInteger(draws) && draws > 0)) {
    throw usageError(`draws must be a whole number above 0, not ${show(draws)}`);
  }
  checkSeed(seed);
  const names = systems.map(({ name }) => name);
  const audits = systems.map(({ input }, s) => auditOf(input, `systems[${s}].input`));
  const raw = audits.map(({ observed }) => observed.value);
  const { estimator, values, leftOut, reason } = correctedValues(names, audits);
  const kept = [...values.keys()].filter((s) => values[s] !== null);
  const clustered = audits.every(({ counts }) => counts?.clusters !== undefined);
  const variatesOf = (use: StreamUse): Variates => new Variates(streamOf(use, seed));
  const all = [...names.keys()];
  const rawDraws = clustered
    ? clusteredDraws(raw, audits.map(rawInfluence), draws, variatesOf("clusteredRawRates"))
    : drawsOf(audits, all, draws, seed, "rawRates", (audit, variates) => rateDraw(variates, audit.observed));
  const correctedDraws =
    estimator === null
      ? null
      : clustered
        ? clusteredDraws(
            kept.map((s) => values[s] as number),
            kept.map((s) => correctedInfluence(audits[s], estimator === "Rogan-Gladen" ? values[s] : null)),
            draws,
            variatesOf("clusteredCorrectedRates"),
          )
        : drawsOf(audits, kept, draws, seed, "correctedRates", (audit, variates) =>
            audit.random === null ? roganGladenDraw(audit, variates) : prevalenceDraw(audit.random, variates),
          );
  const pairs = pairsOf(names, raw, values, rawDraws, correctedDraws);
  const keptNames = kept.map((s) => names[s]);
  return {
    raw: ranked(names, raw),
    corrected: ranked(
      keptNames,
      kept.map((s) => values[s] as number),
    ),
    estimator,
    reason,
    leftOut,
    orders: correctedDraws === null ? [] : ordersOf(keptNames, correctedDraws),
    pairs,
    reversals: pairs.filter(({ reversed }) => reversed).map(inWords),
    draws,
    usedDraws: correctedDraws?.length ?? 0,
  };
}

/** @throws RatError (usage) for what are no systems with names of their own */
function checkSystems(systems: unknown): void {
  check(list(fields({ name: text }), "systems, each with name and input"), systems, "systems");
  const names = (systems as readonly { readonly name: string }[]).map(({ name }) => name);
  if (names.length < 2 || names.length > mostSystems) {
    throw usageError(`systems must be 2 to ${mostSystems}, for an order, not ${names.length}`);
  }
  const twin = names.findIndex((name, s) => names.indexOf(name) < s);
  if (twin >= 0) throw usageError(`systems[${twin}].name: two systems are called ${show(names[twin])}`);
}

interface Corrected {
  readonly estimator: SystemOrder["estimator"];
  /** Null of a system that has none. */
  readonly values: readonly (number | null)[];
  readonly leftOut: SystemOrder["leftOut"];
  readonly reason: string | null;
}

/** Of the estimate that most systems have; of random audits the one that is surer, and that the draws are of, too. */
function correctedValues(names: readonly string[], audits: readonly Audit[]): Corrected {
  // The level is the intervals', which nobody asks for here.
  const powered = audits.map((audit) => predictionPowered(audit, 0.95));
  const inverted = audits.map((audit) => roganGladen(audit, 0.95));
  const has = (estimates: readonly { readonly raw: number | null }[]): number =>
    estimates.filter(({ raw }) => raw !== null).length;
  const estimator = has(powered) > 0 && has(powered) >= has(inverted) ? "prediction-powered" : "Rogan-Gladen";
  const chosen = estimator === "prediction-powered" ? powered : inverted;
  const leftOut = chosen.flatMap(({ reason }, s) => (reason === null ? [] : [{ system: names[s], reason }]));
  if (has(chosen) >= 2) return { estimator, values: chosen.map(({ raw }) => raw), leftOut, reason: null };
  // One by itself has no order.
  const reason = leftOut.map((out) => `${out.system}: ${out.reason}`).join("; ");
  return { estimator: null, values: names.map(() => null), leftOut, reason };
}

/** Draws of these systems at once, [draws][theirs], without those in which one has none. */
function drawsOf(
  audits: readonly Audit[],
  systems: readonly number[],
  draws: number,
  seed: number,
  use: StreamUse,
  draw: (audit: Audit, variates: Variates) => number,
): Float64Array[] {
  const variates = systems.map((s) => new Variates(streamOf(use, seed, s)));
  const all = Array.from({ length: draws }, () => Float64Array.from(systems, (s, k) => draw(audits[s], variates[k])));
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
  corrected: readonly (number | null)[],
  rawDraws: readonly Float64Array[] | null,
  correctedDraws: readonly Float64Array[] | null,
): OrderedPair[] {
  // Places in the draws, which are of the corrected ones alone.
  let kept = 0;
  const places = corrected.map((value) => (value === null ? -1 : kept++));
  return names.flatMap((_, a) =>
    names.slice(a + 1).map((_, after): OrderedPair => {
      const b = a + 1 + after;
      const [first, second] = raw[a] >= raw[b] ? [a, b] : [b, a];
      const rawDifference = raw[first] - raw[second];
      const [greater, other] = [corrected[first], corrected[second]];
      const correctedDifference = greater === null || other === null ? null : greater - other;
      const draws = correctedDifference === null ? null : correctedDraws;
      return {
        first: names[first],
        second: names[second],
        rawDifference,
        correctedDifference,
        reversed: correctedDifference !== null && rawDifference > 0 && correctedDifference < 0,
        pRaw: rawDraws === null ? null : shareGreater(rawDraws, first, second),
        pCorrected: draws === null ? null : shareGreater(draws, places[first], places[second]),
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
