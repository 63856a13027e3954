import { Command, Option } from "commander";
import { alarmCount } from "../audit/alarm.js";
import type { AuditSample } from "../audit/prevalence.js";
import type { AuditPrevalenceDocument } from "../documents.js";
import type { MainNumber } from "./audit-fail-on.js";
import { seedOf } from "./audit-options.js";
import type { RateFlags } from "./audit-prevalence-rates.js";
import type { PrevalenceColumns, ReadSystems } from "./audit-prevalence-rows.js";
import { type AuditFlags, addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface PrevalenceFlags extends AuditFlags, RateFlags, Omit<PrevalenceColumns, "cluster"> {
  sample?: AuditSample;
  prior?: string[];
  seed?: string;
}

export function auditPrevalenceCommand(): Command {
  const command = new Command("prevalence")
    .description("how frequent truth is, from a judge's verdicts and an audit of some of them")
    .argument("[file]", auditFileArgument[1])
    .option("--gold <column>", "what is true, blank where a record isn't audited (default: gold)")
    .option("--judge <column>", "what the judge says (default: judge)")
    .option("--by <column>", "each value of a column is a system: order them, raw and corrected")
    .addOption(
      new Option(
        "--sample <kind>",
        "audited records are a random sample of the judged ones, or separate: anything else (default: random)",
      ).choices(["random", "separate"]),
    )
    .option("--p <share>", "instead of a file: share that the judge says yes to")
    .option("--n <number>", "records that --p is of; without it there are no errors")
    .option("--se <share>", "sensitivity: share of what is true that the judge says yes to")
    .option("--sp <share>", "specificity: share of what is false that the judge says no to")
    .option("--n-se <number>", "true records that --se is of; without it --se is taken for known")
    .option("--n-sp <number>", "false records that --sp is of; without it --sp is taken for known")
    .option(
      "--prior <rate=a,b>",
      "Beta(a, b) prior of the Bayesian estimate, of prevalence, sensitivity or false-positive-rate; repeatable " +
        "(default: 1,1)",
      (value: string, all: string[] = []) => [...all, value],
    )
    .option("--seed <number>", "of the Bayesian estimate and drawn orders (default: random, always reported)");
  return addAuditOptions(command, "roganGladen.lower < 0.6").action(runPrevalence);
}

export async function runPrevalence(file: string | undefined, flags: PrevalenceFlags): Promise<void> {
  const [{ prevalenceDocument }, { prevalenceText }, { priorsOf, ratesOf }] = await Promise.all([
    import("./audit-prevalence-document.js"),
    import("../report/audit-prevalence.js"),
    import("./audit-prevalence-rates.js"),
  ]);
  const rates = ratesOf(file, flags);
  const priors = priorsOf(flags.prior);
  const seed = seedOf(flags.seed);
  const sample = rates === null ? (flags.sample ?? "random") : "separate";
  await runAudit<AuditPrevalenceDocument>({
    name: "prevalence",
    file: file ?? null,
    flags,
    seed,
    audit: async (rows, source, level) => {
      const { readSystems } = await import("./audit-prevalence-rows.js");
      const read: ReadSystems =
        rates === null
          ? readSystems(rows, source, flags, sample)
          : {
              systems: [{ system: "as given", input: rates, audit: null, unaudited: null }],
              leftOut: 0,
              clusters: null,
            };
      return prevalenceDocument(read, { source: rates === null ? source : null, sample, level, seed, priors });
    },
    text: prevalenceText,
    numbers: numbersOf,
    figures: async (document) => {
      const { prevalenceFigure } = await import("../report/audit-prevalence-figure.js");
      return { "audit-prevalence": await prevalenceFigure(document) };
    },
  });
}

/** What --fail-on may name. */
function numbersOf({ systems, order, alarms }: AuditPrevalenceDocument): Record<string, MainNumber> {
  const isTested = systems.every(({ bias }) => bias.p !== null);
  const numbers: Record<string, MainNumber> = { alarms: alarmCount(alarms, isTested) };
  for (const system of systems) {
    const prefix = systems.length > 1 ? `${system.system}.` : "";
    for (const name of ["observed", "sensitivity", "specificity", "j"] as const) numbers[prefix + name] = system[name];
    for (const name of ["roganGladen", "bayesian", "predictionPowered"] as const) numbers[prefix + name] = system[name];
    numbers[`${prefix}fieller.lower`] = system.fieller?.lower ?? null;
    numbers[`${prefix}fieller.upper`] = system.fieller?.upper ?? null;
    numbers[`${prefix}bias`] = system.bias;
    if (system.overClusters === null) continue;
    numbers[`${prefix}overClusters`] = system.overClusters.observed;
    numbers[`${prefix}overClusters.roganGladen`] = system.overClusters.roganGladen;
  }
  if (order !== null) numbers.reversals = order.reason === null ? order.reversals.length : null;
  return numbers;
}
