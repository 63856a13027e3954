/** Judges that label at random, and how often intervals hold what is true of them. */
import { type Agreement, auditAgreement } from "../../src/audit/agreement.js";
import { type Estimate, normalWidth } from "../../src/audit/estimate.js";
import type { Variates } from "../../src/random/variates.js";

/** A way in which items may be labelled, and how often. */
export interface Kind {
  readonly labels: readonly number[];
  readonly p: number;
}

/** Two judges who agree this often, and say yes this often in the mean. */
export function twoJudges(raw: number, prevalence: number): Kind[] {
  const [first, second] = [(1 - raw) * 0.7, (1 - raw) * 0.3];
  const both = prevalence - (1 - raw) / 2;
  return [
    { labels: [1, 1], p: both },
    { labels: [1, 0], p: first },
    { labels: [0, 1], p: second },
    { labels: [0, 0], p: 1 - both - first - second },
  ];
}

/** Judges of these rates, independent given the truth. */
export function manyJudges(judges: number, prevalence: number, sensitivity: number, specificity: number): Kind[] {
  return Array.from({ length: 2 ** judges }, (_, pattern) => {
    const labels = Array.from({ length: judges }, (__, j) => (pattern >> j) & 1);
    const given = (yes: number): number => labels.reduce((p, label) => p * (label === 1 ? yes : 1 - yes), 1);
    return { labels, p: prevalence * given(sensitivity) + (1 - prevalence) * given(1 - specificity) };
  });
}

/** Two judges who draw from so many labels, each by itself. */
export const chanceJudges = (labels: number): Kind[] =>
  Array.from({ length: labels ** 2 }, (_, k) => ({ labels: [Math.floor(k / labels), k % labels], p: labels ** -2 }));

/** Two judges on five ordered categories, each seldom far off a truth that is mostly the last. */
export function orderedJudges(): Kind[] {
  const near = (truth: number): number[] => {
    const weights = [0, 1, 2, 3, 4].map((k) => Math.exp(-2.5 * Math.abs(k - truth)));
    const sum = weights.reduce((all, w) => all + w, 0);
    return weights.map((w) => w / sum);
  };
  const truths = [0.02, 0.03, 0.05, 0.1, 0.8];
  return [0, 1, 2, 3, 4].flatMap((a) =>
    [0, 1, 2, 3, 4].map((b) => ({
      labels: [a, b],
      p: truths.reduce((sum, share, truth) => sum + share * near(truth)[a] * near(truth)[b], 0),
    })),
  );
}

export function drawKind(kinds: readonly Kind[], variates: Variates): Kind {
  let rest = variates.uniform();
  for (const kind of kinds) {
    rest -= kind.p;
    if (rest < 0) return kind;
  }
  return kinds[kinds.length - 1];
}

export const optionsFor = (kinds: readonly Kind[]) => ({
  judges: kinds[0].labels.map((_, j) => `judge ${j}`),
  categories: [...new Set(kinds.flatMap(({ labels }) => labels))].sort(),
  replicates: 0,
});

export type Picked = (result: Agreement) => readonly Estimate[];

export const ofPair: Picked = ({ pairs: [{ raw, cohenKappa, scottPi, ac1, alpha }] }) => [
  ...[raw, cohenKappa, scottPi, ac1, alpha.nominal],
];
export const ofAll: Picked = ({ all: { raw, fleissKappa, ac1, alpha } }) => [raw, fleissKappa, ac1, alpha.nominal];
export const ofWeights: Picked = ({ pairs: [{ alpha, weighted }] }) => [
  ...weighted.flatMap(({ cohenKappa, scottPi, ac2 }) => [cohenKappa, scottPi, ac2]),
  ...[alpha.ordinal, alpha.interval].filter((estimate) => estimate !== null),
];

/** What the picked estimates are of endless items. */
export function truthOf(kinds: readonly Kind[], pick: Picked, scale: "nominal" | "interval"): number[] {
  const items = kinds.map(({ labels, p }) => ({ labels, n: Math.round(p * 1e12) }));
  return pick(auditAgreement(items, { ...optionsFor(kinds), scale, seed: 1 })).map(({ value }) => value as number);
}

/** Of estimates that have a value how many there are, and how many hold the truth. */
export function tallyOf(truths: readonly number[]) {
  const held = truths.map(() => 0);
  const normal = truths.map(() => 0);
  const trials = truths.map(() => 0);
  const add = (estimates: readonly Estimate[]): void => {
    estimates.forEach(({ value, error, lower, upper }, i) => {
      if (value === null || error === null || lower === null || upper === null) return;
      trials[i]++;
      if (lower <= truths[i] && truths[i] <= upper) held[i]++;
      if (Math.abs(value - truths[i]) <= normalWidth(0.95) * error) normal[i]++;
    });
  };
  return { held, normal, trials, add };
}
