import { Command, Option } from "commander";
import type { AuditCounts, AuditSample, JudgedCounts, PrevalenceInput, RatesInput } from "../audit/prevalence.js";
import type { AuditPrevalenceDocument } from "../documents.js";
import type { MainNumber } from "./audit-fail-on.js";
import type { AuditRow } from "./audit-rows.js";
import { type AuditFlags, addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface PrevalenceFlags extends AuditFlags {
  gold?: string;
  judge?: string;
  by?: string;
  sample?: AuditSample;
  seed?: string;
  p?: string;
  n?: string;
  se?: string;
  sp?: string;
  nSe?: string;
  nSp?: string;
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
    .option("--seed <number>", "of simulated intervals and orders (default: random, always reported)");
  return addAuditOptions(command, "roganGladen.lower < 0.6").action(runPrevalence);
}

interface System {
  readonly system: string;
  readonly input: PrevalenceInput;
  readonly audit: AuditCounts | null;
  readonly unaudited: JudgedCounts | null;
}

export async function runPrevalence(file: string | undefined, flags: PrevalenceFlags): Promise<void> {
  const [{ orderSystems, prevalence }, { prevalenceNotes, prevalenceText }, options, { showList }, { counted }] =
    await Promise.all([
      import("../audit/prevalence.js"),
      import("../report/audit-prevalence.js"),
      import("../options.js"),
      import("../records/row.js"),
      import("../report/format.js"),
    ]);
  const rates = await ratesOf(file, flags);
  const seed = flags.seed === undefined ? options.randomSeed() : options.samplingOptions.seed.read(flags.seed);
  const sample = rates === null ? (flags.sample ?? "random") : "separate";
  const systemsOf = await readerOf(flags, sample);
  await runAudit<AuditPrevalenceDocument>({
    name: "prevalence",
    file: file ?? null,
    flags,
    seed,
    audit: (rows, source, level) => {
      const given: System = { system: "as given", input: rates as RatesInput, audit: null, unaudited: null };
      const { systems, leftOut } = rates === null ? systemsOf(rows, source) : { systems: [given], leftOut: 0 };
      const named = systems.map(({ system, input }) => ({ name: system, input }));
      const results = systems.map(({ system, input, audit, unaudited }) => ({
        ...{ system, audit, unaudited },
        ...prevalence(input, { level, seed }),
      }));
      const bare = results.filter(({ audit }) => audit !== null && sum(Object.values(audit)) === 0);
      return {
        source: rates === null ? source : null,
        ...{ sample, level, seed },
        systems: results,
        order: systems.length > 1 ? orderSystems(named, { seed }) : null,
        warnings: [
          ...(leftOut > 0
            ? [
                `${counted(String(leftOut), "row")} without the judge's verdict ${leftOut === 1 ? "is" : "are"} left out`,
              ]
            : []),
          ...(bare.length > 0 ? [`no record is audited: ${showList(bare.map(({ system }) => system))}`] : []),
        ],
        notes: prevalenceNotes(sample),
      };
    },
    text: prevalenceText,
    numbers: ({ systems, order }) => {
      const numbers: Record<string, MainNumber> = {};
      for (const system of systems) {
        const prefix = systems.length > 1 ? `${system.system}.` : "";
        for (const name of ["observed", "sensitivity", "specificity", "j"] as const) {
          numbers[prefix + name] = system[name];
        }
        numbers[`${prefix}roganGladen`] = system.roganGladen;
        numbers[`${prefix}predictionPowered`] = system.predictionPowered;
        numbers[`${prefix}covering.lower`] = system.covering.lower;
        numbers[`${prefix}covering.upper`] = system.covering.upper;
      }
      if (order !== null) numbers.reversals = order.reason === null ? order.reversals.length : null;
      return numbers;
    },
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Reads the systems of a file's rows. */
async function readerOf({ gold = "gold", judge = "judge", by }: PrevalenceFlags, sample: AuditSample) {
  const [cells, { dataError }] = await Promise.all([import("./audit-rows.js"), import("../errors.js")]);
  return (rows: readonly AuditRow[], source: string): { systems: System[]; leftOut: number } => {
    cells.checkColumns(rows, { "--gold": gold, "--judge": judge, ...(by === undefined ? {} : { "--by": by }) });
    const found = new Map<string, { audit: Writable<AuditCounts>; unaudited: Writable<JudgedCounts> }>();
    let leftOut = 0;
    for (const row of rows) {
      const [truth, verdict] = [cells.outcomeOf(row, gold), cells.outcomeOf(row, judge)];
      const system =
        by === undefined ? source : (cells.labelOf(row, by) ?? cells.refuse(row, by, "expected the name of a system"));
      const counts = found.get(system) ?? {
        audit: { truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 0 },
        unaudited: { positives: 0, negatives: 0 },
      };
      found.set(system, counts);
      if (verdict === null) leftOut++;
      else if (truth === null) counts.unaudited[verdict === 1 ? "positives" : "negatives"]++;
      else if (truth === 1) counts.audit[verdict === 1 ? "truePositives" : "falseNegatives"]++;
      else counts.audit[verdict === 1 ? "falsePositives" : "trueNegatives"]++;
    }
    const systems = [...found].map(([system, counts]): System => {
      const judged =
        sum(Object.values(counts.unaudited)) + (sample === "random" ? sum(Object.values(counts.audit)) : 0);
      if (judged === 0) {
        const audited = sum(Object.values(counts.audit)) > 0;
        const why = audited ? "every record is audited, and --sample separate needs others" : "no record has a verdict";
        throw dataError(`${system === source ? "" : `${system}: `}${why}`, { file: source });
      }
      return { system, ...counts, input: { audit: counts.audit, judged: counts.unaudited, sample } };
    });
    return { systems, leftOut };
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const needed = ["p", "se", "sp"] as const;
const sizes = ["n", "nSe", "nSp"] as const;
const names = { p: "--p", se: "--se", sp: "--sp", n: "--n", nSe: "--n-se", nSp: "--n-sp" } as const;

/** null where there is a file instead. @throws RatError (usage) */
async function ratesOf(file: string | undefined, flags: PrevalenceFlags): Promise<RatesInput | null> {
  const { usageError } = await import("../errors.js");
  const given = [...needed, ...sizes].filter((name) => flags[name] !== undefined);
  if (file !== undefined) {
    if (given.length > 0) throw usageError(`${names[given[0]]} is for rates that are given instead of a file`);
    return null;
  }
  if (given.length === 0) {
    throw usageError("name a file of records (- is standard input), or give --p, --se and --sp");
  }
  const missing = needed.find((name) => flags[name] === undefined);
  if (missing !== undefined)
    throw usageError(`rates instead of a file need --p, --se and --sp: ${names[missing]} is missing`);
  const idle = (["gold", "judge", "by", "sample"] as const).find((name) => flags[name] !== undefined);
  if (idle !== undefined) throw usageError(`--${idle} is for a file, and there are rates instead`);
  const read = (name: keyof typeof names, expected: string, isRight: (value: number) => boolean): number => {
    const text = flags[name] ?? "";
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (isRight(value)) return value;
    throw usageError(`${names[name]} must be ${expected}, not ${JSON.stringify(text)}`);
  };
  const share = (name: (typeof needed)[number]): number =>
    read(name, "a share from 0 to 1", (value) => value >= 0 && value <= 1);
  const size = (name: (typeof sizes)[number]): number | undefined =>
    flags[name] === undefined
      ? undefined
      : read(name, "a whole number of records above 0", (value) => Number.isSafeInteger(value) && value > 0);
  return {
    ...{ observed: share("p"), n: size("n") },
    ...{ sensitivity: share("se"), sensitivityN: size("nSe") },
    ...{ specificity: share("sp"), specificityN: size("nSp") },
  };
}
