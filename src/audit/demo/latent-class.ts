import { normalWidth, shareEstimate } from "../estimate.js";
import { auditLatentClasses } from "../latent-class.js";
import { article } from "./article.js";
import { type DemoFinding, type DemoPanel, demoLevel, estimated, exact, known, repeated } from "./finding.js";
import { coin, type JudgeRatesPlanted, variatesOf, verdictOn } from "./simulate.js";

/** Votes on an item by judge, and what is true of it. */
export interface VotedItem {
  readonly votes: readonly (0 | 1)[];
  readonly gold: 0 | 1;
}

export interface LatentClassScene {
  readonly panel: DemoPanel;
  readonly items: readonly VotedItem[];
  /** How many sets had so many more items labelled right by the fit than by the majority vote, ascending. */
  readonly differences: readonly { readonly items: number; readonly sets: number }[];
}

const votedItems = 360;
/** Sets of each kind of judges. */
export const latentSets = 400;
const prevalence = 0.648;

const ratesOf = (pairs: readonly (readonly [number, number])[]): JudgeRatesPlanted[] =>
  pairs.map(([sensitivity, specificity]) => ({ sensitivity, specificity }));

/** Of such judges the best rule, by rates that are known, labels 0.976 of items right, the majority vote 0.972. */
const unlike = ratesOf([
  [0.9, 0.94],
  [0.88, 0.88],
  [0.86, 0.8],
  [0.8, 0.75],
  [0.75, 0.9],
]);
/** Of these the majority vote is the best rule. */
const alike = ratesOf([
  [0.9, 0.8],
  [0.85, 0.85],
  [0.8, 0.8],
  [0.85, 0.75],
  [0.8, 0.85],
]);

/** @param onSet called after each repeated set */
export function latentClassScene(seed: number, onSet: () => void): LatentClassScene {
  const items = simulateVotes(unlike, seed, 0);
  const own = fitOf(items, unlike);
  const sets = Array.from({ length: latentSets }, (_, s) => {
    onSet();
    return fitOf(simulateVotes(unlike, seed, s + 1), unlike);
  });
  const others = Array.from({ length: latentSets }, (_, s) => {
    onSet();
    return fitOf(simulateVotes(alike, seed, latentSets + s + 1), alike);
  });
  const errors = sets.map(({ rateError }) => rateError).sort((a, b) => a - b);
  const mores = sets.map(({ more }) => more);
  const rules = accuracies(unlike);
  // As printed: 0.064 is 0.06.
  const within = errors.filter((error) => error < 0.065).length / latentSets;
  const wins = (sign: number, among = sets): number =>
    among.filter(({ more }) => Math.sign(more) === sign).length / latentSets;
  const share = (id: string, finding: string, value: number): DemoFinding =>
    repeated([id, finding, null], null, value, shareEstimate(value, latentSets, demoLevel));
  return {
    items,
    differences: tally(mores),
    panel: {
      panel: "E",
      title: "Judges without gold: rates from votes alone",
      setup:
        `${votedItems} items, ${prevalence} of them true, five judges of sensitivity and specificity ` +
        `${unlike.map((one) => `${one.sensitivity}/${one.specificity}`).join(", ")}; ${latentSets} more such sets`,
      findings: [
        repeated(["rateError", "greatest error of a rate", article.rateError], null, own.rateError, {
          ...{ lower: errors[0], upper: errors[errors.length - 1] },
          interval: `least and greatest of ${latentSets} sets`,
        }),
        share("rateErrorWithin", "sets, every rate within 0.06", within),
        estimated(["fitted", "labelled right by the fit", article.fitted], null, own.fitted),
        estimated(["majority", "labelled right by majority", article.majority], rules.majority, own.majority),
        exact(["knownRates", "right by the best rule, rates known", null], rules.best),
        repeated(["difference", "fit less majority, this set", article.difference], null, own.more / votedItems, {
          ...{ lower: Math.min(...mores) / votedItems, upper: Math.max(...mores) / votedItems },
          interval: `least and greatest of ${latentSets} sets`,
        }),
        repeated(
          ["beatsMajority", `fit less majority, mean of ${latentSets}`, article.beatsMajority],
          null,
          ...meanOf(sets.map(({ more }) => more / votedItems)),
        ),
        share("wins", "sets, fit ahead", wins(1)),
        share("ties", "sets, level", wins(0)),
        share("losses", "sets, majority ahead", wins(-1)),
        repeated(
          ["alikeDifference", "fit less majority, judges alike", null],
          null,
          ...meanOf(others.map(({ more }) => more / votedItems)),
        ),
        share("alikeWins", "sets, fit ahead, judges alike", wins(1, others)),
        share("alikeLosses", "sets, majority ahead, judges alike", wins(-1, others)),
      ],
      remarks: [
        "0.975 against 0.972 is one item of some 280 to 470, or three of 1,000: one set's luck decides it. How often the fit is ahead " +
          "depends on the judges: where they are unlike, in about half of the sets, and behind in a quarter; where the majority vote " +
          "is the best rule there is (judges alike), behind more often than ahead",
        "rates are known no better than the items allow: at this size the greatest of ten errors is above 0.06 in about a third of the sets",
      ],
    },
  };
}

function simulateVotes(judges: readonly JudgeRatesPlanted[], seed: number, set: number): VotedItem[] {
  const variates = variatesOf(seed, "demoVotes", set);
  return Array.from({ length: votedItems }, (): VotedItem => {
    const gold = coin(variates, prevalence);
    return { gold, votes: judges.map((judge) => verdictOn(variates, gold, judge)) };
  });
}

function fitOf(items: readonly VotedItem[], judges: readonly JudgeRatesPlanted[]) {
  const count = judges.length;
  const all = items.length * count;
  const report = auditLatentClasses(
    {
      ...{ items: items.length, judges: count, classes: 2 },
      item: Uint32Array.from({ length: all }, (_, v) => Math.floor(v / count)),
      judge: Uint32Array.from({ length: all }, (_, v) => v % count),
      label: Uint32Array.from({ length: all }, (_, v) => items[Math.floor(v / count)].votes[v % count]),
    },
    {
      ...{ randomStarts: 0, checkReplicates: 0, errors: "none" },
      ...{ level: demoLevel, gold: items.map(({ gold }) => gold) },
    },
  );
  const { gold } = report;
  if (gold === null) throw new Error("the simulated items have gold");
  const errors = report.judges.flatMap(({ confusion: [ofFalse, ofTrue] }, j) => [
    Math.abs(ofTrue[1] - judges[j].sensitivity),
    Math.abs(ofFalse[0] - judges[j].specificity),
  ]);
  return {
    rateError: Math.max(...errors),
    fitted: gold.fitted,
    majority: gold.majority,
    /** Items that the fit labels right beyond those of the majority vote; halves where its probabilities tie. */
    more: Math.round(2 * items.length * known(gold.difference.value)) / 2,
  };
}

/** Shares of items that the majority vote, and the rule of greatest probability, label right, over all votes there can be. */
export function accuracies(judges: readonly JudgeRatesPlanted[]): { best: number; majority: number } {
  let [best, majority] = [0, 0];
  for (let pattern = 0; pattern < 2 ** judges.length; pattern++) {
    const votes = judges.map((_, j) => (pattern >> j) & 1);
    const of = (truth: 0 | 1): number =>
      judges.reduce(
        (product, { sensitivity, specificity }, j) => {
          const yes = truth === 1 ? sensitivity : 1 - specificity;
          return product * (votes[j] === 1 ? yes : 1 - yes);
        },
        truth === 1 ? prevalence : 1 - prevalence,
      );
    best += Math.max(of(0), of(1));
    majority += of(2 * votes.reduce((sum, vote) => sum + vote, 0) > judges.length ? 1 : 0);
  }
  return { best, majority };
}

export const plantedJudges = { unlike, alike };

function meanOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const half = normalWidth(demoLevel) * Math.sqrt(variance / values.length);
  return [mean, { lower: mean - half, upper: mean + half, interval: "normal" }] as const;
}

function tally(values: readonly number[]): { items: number; sets: number }[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b).map(([items, sets]) => ({ items, sets }));
}
