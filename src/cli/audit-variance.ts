import { Command, Option } from "commander";
import type { MissingScores, PanelBudget, ScoreRecord } from "../audit/variance.js";
import type { AuditVarianceDocument } from "../documents.js";
import { dataError, usageError } from "../errors.js";
import { numberIn } from "./audit-options.js";
import type { AuditRow } from "./audit-rows.js";
import { type AuditFlags, addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface VarianceFlags extends AuditFlags {
  query?: string;
  judge?: string;
  score?: string;
  missing?: MissingScores;
  budget?: string;
  maxJudges?: string;
  costQuery?: string;
  costCall?: string;
}

/** A score and its row, for messages. */
interface PlacedScore extends ScoreRecord {
  readonly row: AuditRow;
}

const defaultMaxJudges = 10;

export function auditVarianceCommand(): Command {
  const command = new Command("variance")
    .description("how much of the scores' variance is queries, judges and noise, and what panel of judges to pay for")
    .argument(...auditFileArgument)
    .option("--query <column>", "a row a score: of which query (default: query)")
    .option("--judge <column>", "of which judge (default: judge)")
    .option("--score <column>", "the score, a number (default: score)")
    .addOption(
      new Option(
        "--missing <rule>",
        "queries without a score of every judge: leave them out, use their scores, refuse (default: drop)",
      ).choices(["drop", "use", "refuse"]),
    )
    .option("--budget <number>", "plan the panel of least error that it buys, in calls or what --cost-call is in")
    .option("--max-judges <number>", `of the plan (default: ${defaultMaxJudges})`)
    .option("--cost-query <number>", "of the plan: what a query costs beside its calls (default: 0)")
    .option("--cost-call <number>", "of the plan: what a judge's score of a query costs (default: 1)");
  return addAuditOptions(command, "icc.lower < 0.6").action(runVariance);
}

export async function runVariance(file: string, flags: VarianceFlags): Promise<void> {
  const [{ scoreCells, auditVariance }, { clustersOf }, { varianceNotes, varianceText }, cells] = await Promise.all([
    import("../audit/variance.js"),
    import("../audit/cluster.js"),
    import("../report/audit-variance.js"),
    import("./audit-rows.js"),
  ]);
  const { query = "query", judge = "judge", score = "score", missing, cluster } = flags;
  const budget = limitsOf(flags);
  const twice = (later: PlacedScore, earlier: PlacedScore): never => {
    const whose = `judge ${JSON.stringify(later.judge)} scored query ${JSON.stringify(later.query)}`;
    const where = `in line ${earlier.row.line} already; keep one of them, or average them`;
    throw dataError(`${whose} ${where}`, cells.placeOf(later.row, query));
  };
  /** The cluster of each query, in order of appearance; every row of a query has the same. */
  const clusterNames = (rows: readonly AuditRow[], column: string): string[] => {
    const names = new Map<string, string>();
    for (const row of rows) {
      const [asked, name] = [cells.nameOf(row, query), cells.nameOf(row, column)];
      const known = names.get(asked) ?? name;
      if (known !== name) {
        const of = `query ${JSON.stringify(asked)} is of cluster ${JSON.stringify(known)} in an earlier row`;
        throw dataError(`${of}: a query is of one cluster`, cells.placeOf(row, column));
      }
      names.set(asked, known);
    }
    return [...names.values()];
  };
  await runAudit<AuditVarianceDocument>({
    name: "variance",
    file,
    flags,
    seed: null,
    audit: (rows, source, level) => {
      cells.checkColumns(rows, { "--query": query, "--judge": judge, "--score": score, "--cluster": cluster });
      const records = rows.map((row): PlacedScore => {
        const [asked, by] = [cells.nameOf(row, query), cells.nameOf(row, judge)];
        return { query: asked, judge: by, score: cells.numberOf(row, score), row };
      });
      const table = scoreCells(records, twice);
      const clusters = cluster === undefined ? null : clustersOf(clusterNames(rows, cluster));
      const audit = auditVariance(table, { level, missing, clusters, budget });
      return { source, level, ...audit, notes: varianceNotes(audit, cluster) };
    },
    text: varianceText,
    figures: async (document) => {
      const { varianceFigure } = await import("../report/audit-variance-figure.js");
      return { "audit-variance": await varianceFigure(document) };
    },
    numbers: ({ mean, icc, components, floor, tests, missingScores }) => ({
      mean,
      icc: icc.single,
      iccPanel: icc.panel,
      queryVariance: components.query,
      judgeVariance: components.judge,
      errorVariance: components.error,
      floor: floor.panel,
      floorOneJudge: floor.oneJudge,
      pQuery: tests.query,
      pJudge: tests.judge,
      missingScores,
    }),
  });
}

/** Null without a budget. @throws RatError (usage) */
function limitsOf({ budget, maxJudges, costQuery, costCall }: VarianceFlags): PanelBudget | null {
  const parts = { "--max-judges": maxJudges, "--cost-query": costQuery, "--cost-call": costCall };
  const given = Object.entries(parts).find(([, text]) => text !== undefined)?.[0];
  if (budget === undefined) {
    if (given !== undefined) throw usageError(`${given} has no effect without --budget`);
    return null;
  }
  const isPositive = (value: number): boolean => value > 0 && value < Infinity;
  return {
    budget: numberIn("--budget", budget, 0, "a number above 0", isPositive),
    mostJudges: numberIn(
      "--max-judges",
      maxJudges,
      defaultMaxJudges,
      "a whole number from 1 to 10000",
      (value) => Number.isInteger(value) && value >= 1 && value <= 10_000,
    ),
    perQuery: numberIn(
      "--cost-query",
      costQuery,
      0,
      "a number of at least 0",
      (value) => value === 0 || isPositive(value),
    ),
    perCall: numberIn("--cost-call", costCall, 1, "a number above 0", isPositive),
  };
}
