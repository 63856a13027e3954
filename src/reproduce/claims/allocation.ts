import type { ReproducedClaim, Sweep } from "../../documents.js";
import type { Materials } from "../materials.js";
import {
  type Average,
  budgetsOf,
  byCount,
  byMargin,
  byNegative,
  type Claim,
  cellOf,
  type Difference,
  pairedDifference,
  plainDifference,
} from "./decide.js";

const [G, T] = ["P(G=1)", "P(T=1)"];
const partial = ["half-joint-R", "half-joint-T", "all-R", "all-T"];
const everywhere = "every budget, both systems";

/** Section 5.3 and appendix E. */
export function allocationClaims(materials: Materials): ReproducedClaim[] {
  const sweeps = materials.sweep("allocation");
  const [qwen, apertus] = sweeps;
  const largest = Math.max(...budgetsOf(qwen));
  /** a minus b at some budgets of some systems. */
  const minus = (
    a: string,
    b: string,
    quantity: string,
    measure: Average,
    { of = sweeps, adds = budgetsOf(qwen) }: { of?: readonly Sweep[]; adds?: readonly number[] } = {},
  ): Difference[] =>
    of.flatMap((sweep) => adds.map((add) => pairedDifference(sweep, { a, b, add, quantity, measure })));
  const relative = (differences: readonly Difference[], margins: readonly number[]) =>
    differences.map((difference, i) => ({ ...difference, margin: margins[i] }));
  /** Shares of an average of all-joint, in the order of `minus`. */
  const shares = (share: number, quantity: string, measure: Average, adds = budgetsOf(qwen)): number[] =>
    sweeps.flatMap((sweep) => adds.map((add) => share * (cellOf(sweep, "all-joint", add, quantity)[measure] ?? 0)));
  const last = { adds: [largest] };
  const of = (id: string, claim: string, contradiction?: string, section = "5.3"): Claim => ({
    id,
    section,
    claim,
    ...(contradiction && { contradiction }),
  });
  return [
    byNegative(
      of("r-for-adherence", "For adherence, labels of R reduce the error more than labels of T."),
      `all-R against all-T, ${everywhere}`,
      minus("all-R", "all-T", G, "mae"),
    ),
    byNegative(
      of("t-for-success", "For task success, labels of T reduce the error more than labels of R."),
      `all-T against all-R, ${everywhere}`,
      minus("all-T", "all-R", T, "mae"),
    ),
    byMargin(
      of("all-r-near-joint", "For Qwen3.5's adherence, all-R comes close to all-joint.", "C6"),
      `error at the largest budget at most 10% above all-joint's (the margin is ours)`,
      relative(minus("all-R", "all-joint", G, "mae", { of: [qwen], ...last }), shares(0.1, G, "mae", [largest])),
      { oneSided: true },
    ),
    byNegative(
      of(
        "all-r-beats-joint",
        "For Qwen3.5's adherence at large budgets, all-R does slightly better than all-joint.",
        "C6",
      ),
      "error at the largest budget",
      minus("all-R", "all-joint", G, "mae", { of: [qwen], ...last }),
    ),
    byNegative(
      of("half-r-beats-joint", "… and so does half-joint-R.", "C6", "F"),
      "error at the largest budget",
      minus("half-joint-R", "all-joint", G, "mae", { of: [qwen], ...last }),
    ),
    byNegative(
      of("all-t-worst", "For adherence, all-T improves most slowly: its intervals are the widest of all."),
      `all-T against each other strategy, ${everywhere}`,
      ["all-joint", ...partial.filter((name) => name !== "all-T")].flatMap((other) =>
        minus(other, "all-T", G, "width"),
      ),
    ),
    byNegative(
      of("gap-widens", "For Apertus' adherence, all-R falls behind all-joint as budgets grow."),
      "lead of all-joint at the smallest budget minus that at the largest",
      [gapChange(apertus, "mae")],
    ),
    byMargin(
      of("all-t-tracks", "For task success, all-T follows all-joint closely."),
      `error within 5% of all-joint's, ${everywhere} (the margin is ours)`,
      relative(minus("all-T", "all-joint", T, "mae"), shares(0.05, T, "mae")),
    ),
    ...[apertus, qwen].map((sweep) => {
      const name = sweep === qwen ? "Qwen3.5" : "Apertus";
      const base = cellOf(sweep, "base", 0, T);
      const change = plainDifference(sweep, base, cellOf(sweep, "all-R", largest, T), "width");
      return byMargin(
        of(
          `all-r-flat-${name.toLowerCase()}`,
          `All-R leaves the interval of task success as wide as it is: ${name}.`,
          "C8",
        ),
        "width narrows by less than 5% up to the largest budget (the margin is ours)",
        [{ ...change, margin: 0.05 * (base.width ?? 0) }],
        { paired: false, oneSided: true },
      );
    }),
    byNegative(
      of("half-between", "Half-joint strategies lie between their extremes."),
      `width of P(G=1): all-joint below half-joint-R below all-R, all-joint below half-joint-T below all-T, ${everywhere}`,
      ["R", "T"].flatMap((label) => [
        ...minus("all-joint", `half-joint-${label}`, G, "width"),
        ...minus(`half-joint-${label}`, `all-${label}`, G, "width"),
      ]),
    ),
    byNegative(
      of("half-r-closer", "For adherence half-joint-R is closer to all-joint than half-joint-T."),
      `width, ${everywhere}`,
      minus("half-joint-R", "half-joint-T", G, "width"),
    ),
    byNegative(
      of("half-t-closer", "For task success half-joint-T is closer to all-joint than half-joint-R."),
      `width, ${everywhere}`,
      minus("half-joint-T", "half-joint-R", T, "width"),
    ),
    byMargin(
      of("joint-robust", "All-joint is never much worse than the best other strategy."),
      `error at most 10% above that of each, ${everywhere}, both quantities (the margin is ours)`,
      [G, T].flatMap((quantity) =>
        partial.flatMap((other) => relative(minus("all-joint", other, quantity, "mae"), shares(0.1, quantity, "mae"))),
      ),
      { oneSided: true },
    ),
    byNegative(
      of("gain-order", "Bits put all-R before half-joint-T for Qwen3.5, and so do the errors.", "C7", "F"),
      "error of P(G=1) at the largest budget",
      minus("all-R", "half-joint-T", G, "mae", { of: [qwen], ...last }),
    ),
    ...apertusOrder(of, apertus, largest),
    byNegative(
      of(
        "r-narrower",
        "For adherence, retrieval-focused strategies have narrower intervals than task-focused ones.",
        undefined,
        "E",
      ),
      `all-R against all-T and half-joint-R against half-joint-T, ${everywhere}`,
      [...minus("all-R", "all-T", G, "width"), ...minus("half-joint-R", "half-joint-T", G, "width")],
    ),
    byNegative(
      of("t-narrower", "For task success it is the other way round.", undefined, "E"),
      `all-T against all-R and half-joint-T against half-joint-R, ${everywhere}`,
      [...minus("all-T", "all-R", T, "width"), ...minus("half-joint-T", "half-joint-R", T, "width")],
    ),
    widthFollows(of, sweeps),
    byMargin(
      of("joint-narrow", "All-joint has among the narrowest intervals for both quantities.", undefined, "E"),
      `width at most 5% above that of each other strategy, ${everywhere} (the margin is ours)`,
      [G, T].flatMap((quantity) =>
        partial.flatMap((other) =>
          relative(minus("all-joint", other, quantity, "width"), shares(0.05, quantity, "width")),
        ),
      ),
      { oneSided: true },
    ),
    byMargin(
      of(
        "coverage",
        "Intervals hold the truth close to 95% of the time, whatever the strategy and budget.",
        undefined,
        "E",
      ),
      "coverage within 0.05 of 0.95 in every cell (the margin is ours)",
      sweeps.flatMap(({ source, cells }) =>
        cells.map(({ strategy, add, quantity, coverage, coverageSe }) => ({
          of: `coverage of ${quantity} minus 0.95, ${strategy} ${add}, ${source}`,
          value: (coverage ?? Number.NaN) - 0.95,
          se: coverageSe ?? Number.NaN,
          margin: 0.05,
        })),
      ),
      { paired: false },
    ),
  ];
}

/** How far all-joint's lead over all-R changes: at the smallest budget minus at the largest. */
function gapChange(sweep: Sweep, measure: Average): Difference {
  const adds = budgetsOf(sweep);
  const [first, last] = [Math.min(...adds), Math.max(...adds)].map((add) =>
    pairedDifference(sweep, { a: "all-R", b: "all-joint", add, quantity: G, measure }),
  );
  return { of: "errors added", value: first.value - last.value, se: Math.hypot(first.se, last.se) };
}

type Head = (id: string, claim: string, contradiction?: string, section?: string) => Claim;

/** The order of Apertus' errors that appendix F states for the largest budget. */
function apertusOrder(of: Head, apertus: Sweep, add: number): ReproducedClaim[] {
  const minus = (a: string, b: string) => pairedDifference(apertus, { a, b, add, quantity: G, measure: "mae" });
  const joint = cellOf(apertus, "all-joint", add, G).mae ?? Number.NaN;
  return [
    byMargin(
      of(
        "apertus-half-r",
        "Apertus at the largest budget: half-joint-R is about as good as all-joint.",
        undefined,
        "F",
      ),
      "error within 20% of all-joint's (the margin is ours)",
      [{ ...minus("half-joint-R", "all-joint"), margin: 0.2 * joint }],
    ),
    byNegative(
      of("apertus-order", "… then come half-joint-T, all-R and all-T, in this order.", undefined, "F"),
      "errors of neighbours in that order, half-joint-R first",
      [minus("half-joint-R", "half-joint-T"), minus("half-joint-T", "all-R"), minus("all-R", "all-T")],
    ),
  ];
}

/** Pairs of strategies whose errors differ beyond doubt and whose widths differ the other way. */
function widthFollows(of: Head, sweeps: readonly Sweep[]): ReproducedClaim {
  const decided = sweeps.flatMap(({ paired }) =>
    paired.filter(({ maeDifference, maeDifferenceSe }) => Math.abs(maeDifference ?? 0) > 3 * (maeDifferenceSe ?? 0)),
  );
  const against = decided.filter(
    ({ maeDifference, widthDifference }) => (maeDifference ?? 0) * (widthDifference ?? 0) < 0,
  );
  return byCount(
    of("width-follows", "Widths rank the strategies as errors do.", undefined, "E"),
    `pairs whose errors differ by more than three standard errors and whose widths differ the other way, of ${decided.length}`,
    against.length,
    against.length === 0,
  );
}
