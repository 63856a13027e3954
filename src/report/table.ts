/** Tables for people, within 100 columns for the usual networks; machines get JSON and CSV. */
import type { Fit, FitQuantity, Sweep, SweepCell, SweepPaired } from "../documents.js";
import { policyText, rat } from "../network/index.js";
import {
  absent,
  bounded,
  brief,
  counted,
  decimalsFor,
  duration,
  fixed,
  percent,
  range,
  shorten,
  signed,
  whole,
} from "./format.js";
import {
  averageColumn,
  type Column,
  drawGrid,
  numberColumn,
  type Painter,
  painter,
  pairColumn,
  textColumn,
} from "./grid.js";
import { comparisonLines, judgeLines } from "./judge.js";
import { sensitivityLines } from "./sensitivity.js";

export interface TableOptions {
  /** Escape codes for bold and colour: only for a terminal. Default false. */
  readonly colour?: boolean;
}

/** One fit: a title, a row a quantity, then what the sampler did and what to beware of. */
export function fitTable(fit: Fit, options: TableOptions = {}): string {
  const paint = painter(options.colour ?? false);
  const lines = [
    paint.bold(
      `${fit.source}: ${whole(fit.records)} ${fit.records === 1 ? "record" : "records"}, ${fit.network} network`,
    ),
    fitMethod(fit),
    ...policyLines(fit.policy),
    ...judgeLines(fit.judge),
    "",
    drawGrid(fitColumns(fit), fit.quantities, paint),
    "",
    ...comparisonLines(fit.judgeComparison, paint),
    ...sensitivityLines(fit.priorSensitivity, fit.level, paint),
  ];
  if (fit.quantities.some((q) => q.noData)) {
    lines.push("no data: nothing seen informs the quantity, which shows its prior");
  }
  const implied = Object.entries(fit.implied).filter(([, count]) => count > 0);
  if (implied.length > 0) {
    lines.push(`implied by the model where blank: ${implied.map(([name, n]) => `${name} ${whole(n)}`).join(", ")}`);
  }
  lines.push(fitDiagnostics(fit), ...fit.warnings.map((warning) => paint.warn(`warning: ${warning}`)));
  return lines.join("\n");
}

const widest = 100;

/** The policy, where it isn't what everyone expects; a term stays on its line. */
function policyLines(policy: string | null): string[] {
  if (policy === null || (rat.policy !== undefined && policy === policyText(rat.policy))) return [];
  const lines = ["policy: "];
  for (const term of (policy || "nothing is adherent").split(/(?<=, )/)) {
    const last = lines[lines.length - 1];
    if (last.trim() !== "policy:" && last.length + term.trimEnd().length > widest) lines.push(`        ${term}`);
    else lines[lines.length - 1] += term;
  }
  return lines.map((line) => line.trimEnd());
}

/** One sweep: a table a quantity, then the paired differences. */
export function sweepTable(sweep: Sweep, options: TableOptions = {}): string {
  const paint = painter(options.colour ?? false);
  const lines = [
    paint.bold(`${sweep.source}: ${sweepSize(sweep)}, ${sweep.network} network`),
    sweepMethod(sweep),
    ...policyLines(sweep.policy),
    ...judgeLines(sweep.judge),
    ...impliedLines(sweep),
  ];
  for (const quantity of new Set(sweep.cells.map((cell) => cell.quantity))) {
    const cells = sweep.cells.filter((cell) => cell.quantity === quantity);
    const truth = bounded(sweep.truth[quantity] ?? null, 4);
    lines.push("", paint.bold(truth === absent ? quantity : `${quantity}: ${truth} on the full data`), "");
    lines.push(drawGrid(sweepColumns, cells, paint), "", worstOf(cells));
  }
  if (sweep.paired.length > 0) {
    lines.push(...pairedTables(sweep.paired, paint));
  }
  return lines.join("\n");
}

function impliedLines({ impliedShare }: Sweep): string[] {
  if (impliedShare === null || impliedShare === 0) return [];
  return [
    `${percent(impliedShare)} of labels of T alone fall on abstentions, where T is known; --skip-implied buys others`,
  ];
}

function fitMethod({ engine, adapter, fallback, sampler, chains, warmup, draws, seed }: Fit): string {
  const parts = [adapter === null ? engine : `${engine} on ${adapter}`];
  if (fallback !== null) parts.push(`fallback: ${fallback}`);
  if (sampler !== null) parts.push(sampler);
  if (draws !== null && chains === null) parts.push(`${whole(draws)} independent draws`);
  if (draws !== null && chains !== null) {
    parts.push(
      `${counted(whole(chains), "chain")} × (${warmup === null ? "" : `${whole(warmup)} warmup + `}${whole(draws)} draws)`,
    );
  }
  if (seed !== null) parts.push(`seed ${seed}`);
  return parts.join(", ");
}

function fitColumns({ quantities, level, judge }: Fit): Column<FitQuantity>[] {
  // What is held has a spread that nobody needs to see.
  const spreads = quantities.map((q) => (Object.hasOwn(judge?.held ?? {}, q.name) ? null : q.sd));
  const decimals = decimalsFor(spreads, 2);
  return [
    textColumn("quantity", (q) => q.name),
    numberColumn("mean", (q) => bounded(q.mean, decimals)),
    numberColumn("sd", (q) => bounded(q.sd, decimals)),
    pairColumn(`${percent(level)} interval`, (q) => [bounded(q.lower, decimals), bounded(q.upper, decimals)], [
      "[",
      ", ",
      "]",
    ]),
    pairColumn("counted", (q) => {
      if (q.noData) return "no data";
      return q.counted === null ? absent : [whole(q.counted.k), whole(q.counted.n)];
    }),
    numberColumn("R-hat", (q) => fixed(q.rhat, 3)),
    pairColumn("ESS bulk/tail", (q) => [whole(q.essBulk), whole(q.essTail)]),
    numberColumn("missing", (q) => whole(q.nMissing)),
  ];
}

function fitDiagnostics({ diagnostics, sampler }: Fit): string {
  const { divergences, meanLeapfrogs, stepSize, seconds, totalSeconds } = diagnostics;
  const parts: string[] = [];
  if (divergences !== null) parts.push(`divergences ${whole(divergences)}`);
  if (meanLeapfrogs !== null) parts.push(`${brief(meanLeapfrogs)} leapfrog steps a draw`);
  if (stepSize !== null && stepSize.length > 0) {
    const [least, most] = [brief(Math.min(...stepSize)), brief(Math.max(...stepSize))];
    parts.push(`step size ${least === most ? least : `${least} to ${most}`}`);
  }
  parts.push(`${duration(seconds)} ${sampler === null ? "computing" : "sampling"}, ${duration(totalSeconds)} in all`);
  return parts.join("; ");
}

/** What every cell shares: base records and replicates, as ranges should they ever differ. */
function sweepSize({ cells, budget }: Sweep): string {
  if (cells.length === 0) return "no cells";
  const unit = budget === "labels" ? ", additions counted in labels" : "";
  return `base ${counted(range(cells.map((c) => c.base)), "record")}, ${counted(range(cells.map((c) => c.replicates)), "replicate")}${unit}`;
}

function sweepMethod({ engine, adapter, sampler, seed, refits, seconds, refitsPerSecond, workers }: Sweep): string {
  const parts = [adapter === null ? engine : `${engine} on ${adapter}`];
  if (sampler !== null) parts.push(sampler);
  parts.push(`seed ${seed}`);
  const rate = refitsPerSecond === null ? "" : ` (${brief(refitsPerSecond)}/s)`;
  const crew = workers === null ? "" : ` with ${counted(whole(workers), "worker")}`;
  return `${parts.join(", ")}; ${counted(whole(refits), "refit")} in ${duration(seconds)}${rate}${crew}`;
}

const sweepColumns: readonly Column<SweepCell>[] = [
  textColumn("strategy", (cell) => cell.strategy),
  numberColumn("add", (cell) => whole(cell.add)),
  averageColumn("MAE ± se", (cell) => [cell.mae, cell.maeSe], bounded),
  averageColumn("width ± se", (cell) => [cell.width, cell.widthSe], bounded),
  averageColumn("coverage ± se", (cell) => [cell.coverage, cell.coverageSe], bounded, 3),
  averageColumn("bias ± se", (cell) => [cell.bias, cell.biasSe], signed),
];

/** Differences of one strategy and budget, by quantity. */
type PairedRow = ReadonlyMap<string, SweepPaired>;

/** Tables of a row a strategy and budget, each as wide as two quantities: more would pass 100 columns. */
function pairedTables(paired: readonly SweepPaired[], paint: Painter): string[] {
  const others = new Set(paired.map((pair) => pair.versus));
  const rows = new Map<string, Map<string, SweepPaired>>();
  for (const pair of paired) {
    const key = JSON.stringify([pair.strategy, pair.versus, pair.add]);
    rows.set(key, (rows.get(key) ?? new Map()).set(pair.quantity, pair));
  }
  const quantities = [...new Set(paired.map((pair) => pair.quantity))];
  const title = `Differences from ${[...others].join(", ")} on the same replicates, ± se (+ is larger)`;
  const lines = ["", paint.bold(title)];
  for (let i = 0; i < quantities.length; i += 2) {
    const columns = pairedColumns(quantities.slice(i, i + 2), others.size > 1);
    lines.push("", drawGrid(columns, [...rows.values()], paint));
  }
  return lines;
}

function pairedColumns(quantities: readonly string[], showVersus: boolean): Column<PairedRow>[] {
  const first = (row: PairedRow) => [...row.values()][0];
  // The usual sweep compares with one strategy only, which the title names.
  const versus = showVersus ? [textColumn<PairedRow>("versus", (row) => first(row).versus)] : [];
  const differences = quantities.flatMap((quantity): Column<PairedRow>[] => {
    const pair = (row: PairedRow) => row.get(quantity);
    const name = shorten(quantity, 10);
    return [
      averageColumn(
        `${name} MAE`,
        (row) => [pair(row)?.maeDifference ?? null, pair(row)?.maeDifferenceSe ?? null],
        signed,
      ),
      averageColumn(
        `${name} width`,
        (row) => [pair(row)?.widthDifference ?? null, pair(row)?.widthDifferenceSe ?? null],
        signed,
      ),
    ];
  });
  return [
    textColumn("strategy", (row) => first(row).strategy),
    ...versus,
    numberColumn("add", (row) => whole(first(row).add)),
    ...differences,
  ];
}

/** The worst diagnostics of any refit behind these cells. */
function worstOf(cells: readonly SweepCell[]): string {
  const rhats = cells.flatMap(({ maxRhat }) => (maxRhat === null ? [] : [maxRhat]));
  const sizes = cells.flatMap(({ minEss }) => (minEss === null ? [] : [minEss]));
  if (rhats.length === 0 && sizes.length === 0) return "R-hat and ESS don't apply";
  const worst = rhats.length === 0 ? absent : fixed(Math.max(...rhats), 3);
  const least = sizes.length === 0 ? absent : whole(Math.min(...sizes));
  return `worst R-hat ${worst}, least ESS ${least} of any refit`;
}
