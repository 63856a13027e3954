import { Command } from "commander";
import type { LatentClassReport } from "../audit/latent-class.js";
import type { AuditLatentClassDocument } from "../documents.js";
import { dataError } from "../errors.js";
import type { MainNumber } from "./audit-fail-on.js";
import type { ItemFact, VoteFlags } from "./audit-latent-class-votes.js";
import { numberIn, seedOf } from "./audit-options.js";
import { addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface LatentClassFlags extends VoteFlags {
  smoothing?: string;
  seed?: string;
}

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
    .option(
      "--smoothing <number>",
      "pseudo-counts of each label a judge and class (default: 1 / labels, so one a judge and class)",
    )
    .option("--seed <number>", "of random starts and the check of independence (default: random, always reported)");
  return addAuditOptions(command, "accuracy.lower < 0.8").action(runLatentClass);
}

export async function runLatentClass(file: string, flags: LatentClassFlags): Promise<void> {
  const [{ auditLatentClasses }, { votesOfRows }, { clustersOf }, { voteReader }, { latentClassText }] =
    await Promise.all([
      import("../audit/latent-class.js"),
      import("../audit/latent-class/votes.js"),
      import("../audit/cluster.js"),
      import("./audit-latent-class-votes.js"),
      import("../report/audit-latent-class.js"),
    ]);
  const seed = seedOf(flags.seed);
  const confusion =
    flags.smoothing === undefined
      ? undefined
      : numberIn(
          "--smoothing",
          flags.smoothing,
          0,
          "a number from 0 to 1000000",
          (value) => value >= 0 && value <= 1e6,
        );
  const read = voteReader(flags);
  await runAudit<AuditLatentClassDocument>({
    name: "latent-class",
    file,
    flags,
    seed,
    audit: (rows, source, level) => {
      const { votes: cast, gold, clusters } = read(rows);
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
        return known === undefined ? -1 : (places.get(known.label) ?? classNames.length);
      });
      const hasGold = flags.gold !== undefined;
      const report = auditLatentClasses(votes, {
        ...{ level, seed, smoothing: confusion === undefined ? {} : { confusion } },
        ...(hasGold ? { gold: truth } : {}),
        clusters:
          flags.cluster === undefined ? null : clustersOf(itemNames.map((item) => clusters.get(item)?.label ?? "")),
      });
      const { posterior, independence, ...rest } = report;
      const warnings = [...report.warnings, ...unknownGold(gold, places)];
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
    figures: async (document) => {
      const { latentClassFigure } = await import("../report/audit-latent-class-figure.js");
      return { "audit-latent-class": await latentClassFigure(document) };
    },
    numbers: ({ classes, judges, independence, gold, alarms }) => {
      const numbers: Record<string, MainNumber> = {
        accuracy: gold?.fitted ?? null,
        majorityAccuracy: gold?.majority ?? null,
        leastInformedness: judges.reduce((least, { informedness }) => Math.min(least, informedness.value ?? 1), 1),
        pIndependence: independence?.p ?? null,
        alarms: alarms.length,
      };
      for (const { name, prevalence } of classes) numbers[`prevalence(${name})`] = prevalence;
      for (const { judge, informedness, sensitivity, specificity } of judges) {
        numbers[`informedness(${judge})`] = informedness;
        if (sensitivity !== null) numbers[`sensitivity(${judge})`] = sensitivity;
        if (specificity !== null) numbers[`specificity(${judge})`] = specificity;
      }
      return numbers;
    },
  });
}

/** Which gold it is that no judge votes for, and where. */
function unknownGold(gold: ReadonlyMap<string, ItemFact>, places: ReadonlyMap<string, number>): string[] {
  const first = new Map<string, number>();
  for (const { label, line } of gold.values()) if (!places.has(label) && !first.has(label)) first.set(label, line);
  if (first.size === 0) return [];
  const some = [...first].slice(0, 3).map(([label, line]) => `${JSON.stringify(label)} (line ${line})`);
  const more = first.size > some.length ? ` and ${first.size - some.length} more` : "";
  return [
    `no judge votes for gold ${some.join(", ")}${more}; labels are ${[...places.keys()].slice(0, 10).join(", ")}`,
  ];
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
