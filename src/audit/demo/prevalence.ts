import { normalWidth } from "../estimate.js";
import { type AuditCounts, auditPrevalence, type Prevalence } from "../prevalence.js";
import type { StreamUse } from "../streams.js";
import { article } from "./article.js";
import { type DemoFinding, type DemoPanel, demoLevel, estimated, known, seen } from "./finding.js";
import { coin, inWords, type JudgeRatesPlanted, variatesOf, verdictOn } from "./simulate.js";

/** A claim that was judged; `gold` is null where nobody audited it. */
export interface JudgedClaim {
  readonly system: string;
  readonly judge: 0 | 1;
  readonly gold: 0 | 1 | null;
}

export interface PrevalenceScene {
  readonly panel: DemoPanel;
  readonly dense: readonly JudgedClaim[];
  readonly systems: readonly JudgedClaim[];
  /** For the figure: as judged and corrected, with their intervals. */
  readonly lines: readonly CorrectedLine[];
}

export interface CorrectedLine {
  readonly name: string;
  readonly observed: DemoFinding;
  readonly corrected: DemoFinding;
}

const claims = 10_000;
const audited = 4000;

interface PlantedSystem extends JudgeRatesPlanted {
  readonly name: string;
  readonly prevalence: number;
}

/** Sensitivity and specificity that follow from what is printed: p = prevalence J + 1 - specificity and J = 1 / sqrt(2.6). */
const youden = 1 / Math.sqrt(2.6);
const falsePositive = 0.703 - 0.648 * youden;
export const denseLeg: PlantedSystem = {
  name: "dense leg",
  prevalence: 0.648,
  sensitivity: youden + falsePositive,
  specificity: 1 - falsePositive,
};

/** The article prints no rates of its two systems. One judge, of one sensitivity, that is lenient with A gives its four numbers. */
const sensitivity = 0.92;
const systemOf = (name: string, truth: number, observed: number): PlantedSystem => {
  const yes = (observed - truth * sensitivity) / (1 - truth);
  return { name, prevalence: truth, sensitivity, specificity: 1 - yes };
};
const systems = [systemOf("A", 0.7, 0.8), systemOf("B", 0.79, 0.74)] as const;

export function prevalenceScene(seed: number): PrevalenceScene {
  const dense = simulateClaims(denseLeg, seed, "demoDense", 0);
  const both = systems.map((system, s) => simulateClaims(system, seed, "demoSystems", s));
  const options = { level: demoLevel };
  const own = auditPrevalence(countsOf(dense.claims), options);
  const [a, b] = both.map((one) => auditPrevalence(countsOf(one.claims), options));
  const observed = estimated(["observed", "judge says yes", article.observed], 0.703, own.observed);
  const corrected = estimated(["corrected", "corrected (Rogan-Gladen)", article.corrected], 0.648, own.roganGladen);
  const inflation = estimated(["inflation", "variance inflation, 1/J²", article.inflation], 2.6, inflationOf(own));
  const rawA = estimated(["rawA", "system A, judge says yes", article.rawA], 0.8, a.observed);
  const rawB = estimated(["rawB", "system B, judge says yes", article.rawB], 0.74, b.observed);
  const correctedA = estimated(["correctedA", "system A, corrected", article.correctedA], 0.7, a.roganGladen);
  const correctedB = estimated(["correctedB", "system B, corrected", article.correctedB], 0.79, b.roganGladen);
  const difference = estimated(["reversal", "B less A, corrected", article.reversal], 0.09, differenceOf(b, a));
  const rates = (name: string, { sensitivity: se, specificity: sp }: JudgeRatesPlanted): string =>
    `${name} ${se.toFixed(3)} and ${sp.toFixed(3)}`;
  return {
    dense: dense.claims,
    systems: both.flatMap((one) => one.claims),
    lines: [
      { name: "dense leg", observed, corrected },
      { name: "system A", observed: rawA, corrected: correctedA },
      { name: "system B", observed: rawB, corrected: correctedB },
    ],
    panel: {
      panel: "A",
      title: "A biased verdict, corrected; a ranking, reversed",
      setup:
        `${inWords(claims)} claims a system, ${inWords(audited)} of them audited at random; sensitivity and specificity: ` +
        `${[rates("dense leg", denseLeg), ...systems.map((one) => rates(`system ${one.name}`, one))].join(", ")}`,
      findings: [
        observed,
        corrected,
        inflation,
        identity(dense.truths, dense.claims),
        rawA,
        rawB,
        correctedA,
        correctedB,
        difference,
      ],
      remarks: [
        "a correction by rates that were counted on the very same claims gives their share of truth back whatever the judge: " +
          "that it is exact, as the article has it, says nothing of the judge. Its cost shows with an audit of some claims",
        "the article prints no rates: those of the dense leg follow from its three numbers, those of systems A and B are one choice of many",
      ],
    },
  };
}

function simulateClaims(
  { name, prevalence: truth, ...rates }: PlantedSystem,
  seed: number,
  use: StreamUse,
  set: number,
) {
  const variates = variatesOf(seed, use, set);
  const truths: (0 | 1)[] = [];
  const judged: JudgedClaim[] = [];
  let left = audited;
  for (let i = 0; i < claims; i++) {
    const gold = coin(variates, truth);
    const judge = verdictOn(variates, gold, rates);
    // Each of the claims to come is as likely as the others to be among those left to audit.
    const isAudited = coin(variates, left / (claims - i)) === 1;
    if (isAudited) left--;
    truths.push(gold);
    judged.push({ system: name, judge, gold: isAudited ? gold : null });
  }
  return { truths, claims: judged };
}

function countsOf(rows: readonly JudgedClaim[]) {
  const count = (judge: 0 | 1, gold: 0 | 1 | null): number =>
    rows.filter((row) => row.judge === judge && row.gold === gold).length;
  const audit: AuditCounts = {
    truePositives: count(1, 1),
    falseNegatives: count(0, 1),
    falsePositives: count(1, 0),
    trueNegatives: count(0, 0),
  };
  return { audit, judged: { positives: count(1, null), negatives: count(0, null) } };
}

/** 1 / J^2 falls with J: its interval is that of J turned round. */
function inflationOf({ j, roganGladen }: Prevalence) {
  const inverse = (end: number | null): number | null => (end === null || end <= 0 ? null : 1 / end ** 2);
  return {
    value: roganGladen.inflation,
    lower: inverse(j.upper),
    upper: inverse(j.lower),
    interval: `${j.interval} of J`,
  };
}

function differenceOf({ roganGladen: b }: Prevalence, { roganGladen: a }: Prevalence) {
  const value = known(b.value) - known(a.value);
  const half = normalWidth(demoLevel) * Math.hypot(known(a.error), known(b.error));
  return { value, lower: value - half, upper: value + half, interval: "normal" };
}

/** The dense leg corrected by the rates of all of its claims, beside their share of truth. */
function identity(truths: readonly (0 | 1)[], rows: readonly JudgedClaim[]): DemoFinding {
  const counts = countsOf(rows.map((row, i) => ({ ...row, gold: truths[i] })));
  const { roganGladen } = auditPrevalence(counts, { level: demoLevel });
  const share = truths.reduce((sum: number, truth) => sum + truth, 0) / truths.length;
  return seen(["identity", "corrected by all claims' own rates", null], share, known(roganGladen.value));
}
