import { Command } from "commander";
import type { LatentClassReport } from "../audit/latent-class.js";
import type { AuditLatentClassDocument } from "../documents.js";
import type { MainNumber } from "./audit-fail-on.js";
import type { AuditRow } from "./audit-rows.js";
import { type AuditFlags, addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface LatentClassFlags extends AuditFlags {
  item?: string;
  judge?: string;
  vote?: string;
  judges?: string;
  gold?: string;
  smoothing?: string;
  seed?: string;
}

const defaultSmoothing = 0.5;
/** More labels are no labels. */
const mostLabels = 50;

export function auditLatentClassCommand(): Command {
  const command = new Command("latent-class")
    .description("what judges are worth and what is true of items, from votes alone, without gold")
    .argument(...auditFileArgument)
    .option("--item <column>", "a row a vote: on which item (default: item)")
    .option("--judge <column>", "by which judge (default: judge)")
    .option("--vote <column>", "which label, blank for none (default: vote)")
    .option("--judges <columns>", "instead: a row an item, a column a judge, separated by commas")
    .option("--gold <column>", "the true label where it is known: the fit is held against it, and never uses it")
    .option("--smoothing <number>", `pseudo-counts of each label a judge and class (default: ${defaultSmoothing})`)
    .option("--seed <number>", "of random starts and the check of independence (default: random, always reported)");
  return addAuditOptions(command, "accuracy.lower < 0.8").action(runLatentClass);
}

export async function runLatentClass(file: string, flags: LatentClassFlags): Promise<void> {
  const [{ auditLatentClasses }, { votesOfRows }, { latentClassText }, options, { dataError }] = await Promise.all([
    import("../audit/latent-class.js"),
    import("../audit/latent-class/votes.js"),
    import("../report/audit-latent-class.js"),
    import("../options.js"),
    import("../errors.js"),
  ]);
  const seed = flags.seed === undefined ? options.randomSeed() : options.samplingOptions.seed.read(flags.seed);
  const confusion = await smoothingOf(flags.smoothing);
  const read = await readerOf(flags);
  await runAudit<AuditLatentClassDocument>({
    name: "latent-class",
    file,
    flags,
    seed,
    audit: (rows, source, level) => {
      const { votes: cast, gold } = read(rows);
      const votes = votesOfRows(cast);
      const { classNames, itemNames } = votes;
      if (classNames.length < 2) {
        const which = classNames.length === 0 ? "there are no votes" : `all votes are ${JSON.stringify(classNames[0])}`;
        throw dataError(`${which}: nothing can be learnt of judges who never differ`, { file: source });
      }
      if (classNames.length > mostLabels) {
        const some = classNames.slice(0, 3).map((name) => JSON.stringify(name));
        const what = `${classNames.length} different votes, such as ${some.join(", ")}, and at most ${mostLabels} are labels`;
        throw dataError(`${what}; is it the right column?`, { file: source });
      }
      const places = new Map(classNames.map((name, c) => [name, c]));
      const truth = itemNames.map((item) => {
        const known = gold.get(item);
        if (known === undefined) return -1;
        const place = places.get(known.label);
        if (place !== undefined) return place;
        const why = `gold is ${JSON.stringify(known.label)}, for which no judge votes; labels are ${classNames.join(", ")}`;
        throw dataError(why, { file: source, line: known.line });
      });
      const hasGold = flags.gold !== undefined;
      const report = auditLatentClasses(votes, {
        ...{ level, seed, smoothing: { confusion } },
        ...(hasGold ? { gold: truth } : {}),
      });
      const { posterior, independence, warnings, ...rest } = report;
      return {
        ...{ source, level, seed },
        ...rest,
        independence: independence === null ? null : pairsNamed(independence, report.judges),
        posteriors: itemNames.map((item, i) => {
          const own = [...posterior.subarray(i * classNames.length, (i + 1) * classNames.length)];
          const label = classNames[own.indexOf(Math.max(...own))];
          return { item, label, probabilities: own, gold: gold.get(item)?.label ?? null };
        }),
        warnings: hasGold && report.gold === null ? [...warnings, "no item has gold"] : warnings,
      };
    },
    text: latentClassText,
    numbers: ({ classes, judges, independence, gold }) => {
      const numbers: Record<string, MainNumber> = {
        accuracy: gold?.fitted ?? null,
        majorityAccuracy: gold?.majority ?? null,
        leastInformedness: judges.reduce((least, { informedness }) => Math.min(least, informedness), 1),
        pIndependence: independence?.p ?? null,
      };
      for (const { name, prevalence } of classes) numbers[`prevalence(${name})`] = prevalence;
      for (const { judge, informedness } of judges) numbers[`informedness(${judge})`] = informedness;
      return numbers;
    },
  });
}

function pairsNamed(
  { worst, p, falseAlarm, fails, pairs, replicates }: NonNullable<LatentClassReport["independence"]>,
  judges: LatentClassReport["judges"],
): AuditLatentClassDocument["independence"] {
  const named = worst.map(({ first, second, items, agreement, expected, residualCorrelation, p: own }) => ({
    ...{ first: judges[first].judge, second: judges[second].judge },
    ...{ items, agreement, expected, residualCorrelation, p: own },
  }));
  return { p, falseAlarm, fails, pairs, replicates, worst: named };
}

async function smoothingOf(text: string | undefined): Promise<number> {
  if (text === undefined) return defaultSmoothing;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1e6) return value;
  const { usageError } = await import("../errors.js");
  throw usageError(`--smoothing must be a number from 0 to 1000000, not ${JSON.stringify(text)}`);
}

interface Read {
  readonly votes: readonly { readonly item: string; readonly judge: string; readonly label: string | null }[];
  /** Of the items that have it. */
  readonly gold: ReadonlyMap<string, { readonly label: string; readonly line: number }>;
}

async function readerOf(flags: LatentClassFlags): Promise<(rows: readonly AuditRow[]) => Read> {
  const [cells, { dataError, usageError }] = await Promise.all([import("./audit-rows.js"), import("../errors.js")]);
  const { item = "item", judge = "judge", vote = "vote", gold: goldColumn } = flags;
  const goldOption = goldColumn === undefined ? {} : { "--gold": goldColumn };
  const nameIn = (row: AuditRow, column: string): string =>
    cells.labelOf(row, column) ?? cells.refuse(row, column, "expected a name");
  const goldReader = () => {
    const gold = new Map<string, { label: string; line: number }>();
    const see = (name: string, row: AuditRow): void => {
      const label = goldColumn === undefined ? null : cells.labelOf(row, goldColumn);
      if (label === null || goldColumn === undefined) return;
      const known = gold.get(name);
      if (known === undefined) gold.set(name, { label, line: row.line });
      else if (known.label !== label) {
        const before = `${JSON.stringify(known.label)} in line ${known.line}`;
        cells.refuse(row, goldColumn, `expected the gold that item ${JSON.stringify(name)} has already, ${before}`);
      }
    };
    return { gold, see };
  };
  const long = (rows: readonly AuditRow[]): Read => {
    const columns = cells.columnsOf(rows);
    if ([judge, vote].every((name) => !columns.includes(name))) {
      const remedy = "name them with --judge and --vote or, where each judge has a column, those with --judges a,b,c";
      throw dataError(`no columns ${JSON.stringify(judge)} and ${JSON.stringify(vote)}: ${remedy}`, {
        file: rows[0].file,
      });
    }
    cells.checkColumns(rows, { "--item": item, "--judge": judge, "--vote": vote, ...goldOption });
    const { gold, see } = goldReader();
    const votes = rows.map((row) => {
      const name = nameIn(row, item);
      see(name, row);
      return { item: name, judge: nameIn(row, judge), label: cells.labelOf(row, vote) };
    });
    return { votes, gold };
  };
  if (flags.judges === undefined) return long;
  const idle = (["judge", "vote"] as const).find((name) => flags[name] !== undefined);
  if (idle !== undefined) throw usageError(`--${idle} is for a row a vote, and --judges for a row an item`);
  const named = flags.judges.split(",").map((name) => name.trim());
  const judges = named.filter((name) => name !== "");
  if (judges.length === 0) throw usageError("--judges needs the names of columns, separated by commas");
  const twice = judges.find((name, k) => judges.indexOf(name) < k);
  if (twice !== undefined) throw usageError(`--judges names column ${JSON.stringify(twice)} twice`);
  return (rows) => {
    const columns = cells.columnsOf(rows);
    const lost = judges.find((name) => !columns.includes(name));
    if (lost !== undefined) cells.checkColumns(rows, { "--judges": lost });
    const hasItem = flags.item !== undefined || columns.includes(item);
    cells.checkColumns(rows, { ...(hasItem ? { "--item": item } : {}), ...goldOption });
    const taken = judges.find((name) => (hasItem && name === item) || name === goldColumn);
    if (taken !== undefined)
      throw usageError(`column ${JSON.stringify(taken)} can't be a judge and something else, too`);
    const lines = new Map<string, number>();
    const { gold, see } = goldReader();
    const votes = rows.flatMap((row) => {
      const name = hasItem ? nameIn(row, item) : `line ${row.line}`;
      const before = lines.get(name);
      if (before !== undefined) {
        const remedy = "with --judges each item has one row";
        throw dataError(
          `item ${JSON.stringify(name)} is in line ${before} already; ${remedy}`,
          cells.placeOf(row, item),
        );
      }
      lines.set(name, row.line);
      see(name, row);
      return judges.map((own) => ({ item: name, judge: own, label: cells.labelOf(row, own) }));
    });
    return { votes, gold };
  };
}
