import { Command, Option } from "commander";
import type { CalibrationMap } from "../audit/calibration/maps.js";
import type { CalibrationFigures } from "../audit/calibration.js";
import type { AppliedCalibrationMap, AuditCalibrationDocument } from "../documents.js";
import type { MainNumber } from "./audit-fail-on.js";
import type { AuditRow } from "./audit-rows.js";
import { type AuditFlags, addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface CalibrationFlags extends AuditFlags {
  confidence?: string;
  logprobYes?: string;
  logprobNo?: string;
  outcome?: string;
  group?: string;
  bins?: string;
  folds?: string;
  over?: "logit" | "confidence";
  smooth?: boolean;
  seed?: string;
  map?: CalibrationMap["kind"];
  save?: string;
  apply?: string;
}

const defaultBins = 10;
const defaultFolds = 5;

export function auditCalibrationCommand(): Command {
  const command = new Command("calibration")
    .description("whether a judge's confidence is a probability, and maps that make it one")
    .argument(...auditFileArgument)
    .option("--confidence <column>", "that the outcome is 1, from 0 to 1 (default: confidence)")
    .option("--logprob-yes <column>", "instead: log probability of the token Yes (default: logprob_yes)")
    .option("--logprob-no <column>", "and of the token No (default: logprob_no)")
    .option("--outcome <column>", "what came true, 1 or 0 (default: outcome)")
    .option("--group <column>", "rows of one value share a fold, as those of one query")
    .option("--bins <number>", `of the reliability diagram (default: ${defaultBins})`)
    .option("--folds <number>", `of the cross-validation of maps; 0: none (default: ${defaultFolds})`)
    .addOption(new Option("--over <what>", "Platt's curve is over (default: logit)").choices(["logit", "confidence"]))
    .option("--smooth", "Platt's smoothed targets, for classes that confidence separates")
    .option("--seed <number>", "of the folds (default: random, always reported)")
    .addOption(new Option("--map <kind>", "fitted to all rows, for --save to write").choices(["platt", "isotonic"]))
    .option("--save <file>", "write the map of --map as JSON (--overwrite replaces it)")
    .option("--apply <file>", "calibrate the confidences with a map that was saved; outcomes may be missing");
  return addAuditOptions(command, "ece > 0.1").action(runCalibration);
}

/** Confidences of rows, and the outcome of those that have one. */
interface Read {
  readonly rows: readonly AuditRow[];
  readonly confidence: Float64Array;
  readonly logits: Float64Array | null;
  readonly outcome: readonly (0 | 1 | null)[];
  readonly group: Uint32Array | null;
  readonly leftOut: number;
}

export async function runCalibration(file: string, flags: CalibrationFlags): Promise<void> {
  const [{ auditCalibration }, { calibrationText }, options, { dataError }] = await Promise.all([
    import("../audit/calibration.js"),
    import("../report/audit-calibration.js"),
    import("../options.js"),
    import("../errors.js"),
  ]);
  await checkFlags(flags);
  const seed = flags.seed === undefined ? options.randomSeed() : options.samplingOptions.seed.read(flags.seed);
  const bins = await wholeOf(
    "--bins",
    flags.bins,
    defaultBins,
    (value) => value >= 1 && value <= 10_000,
    "a whole number from 1 to 10000",
  );
  const folds = await wholeOf(
    "--folds",
    flags.folds,
    defaultFolds,
    (value) => value === 0 || (value >= 2 && value <= 255),
    "0, or a whole number from 2 to 255",
  );
  const read = await readerOf(flags);
  const apply = flags.apply === undefined ? null : await applierOf(flags.apply, bins);
  const save = flags.save === undefined ? null : await saverOf(flags.save, flags.overwrite === true);
  await runAudit<AuditCalibrationDocument>({
    name: "calibration",
    file,
    flags,
    seed,
    audit: async (all, source, level) => {
      const data = read(all);
      const { confidence, logits, group, leftOut } = data;
      if (confidence.length === 0) {
        const both = apply === null ? "both a confidence and an outcome" : "a confidence";
        throw dataError(`no row has ${both}`, { file: source });
      }
      const head = { source, level, seed, leftOut };
      if (apply !== null) {
        const applied = apply(data, level);
        return { ...head, report: null, saved: null, applied, warnings: [], notes: [] };
      }
      const report = auditCalibration(
        { confidence, logits, group, outcome: data.outcome.map(Number) },
        { bins, folds, seed, level, on: flags.over ?? "logit", smooth: flags.smooth ?? false },
      );
      const { warnings, notes } = report;
      if (save === null || flags.map === undefined)
        return { ...head, report, saved: null, applied: null, warnings, notes };
      const { map, note } = report[flags.map].fit;
      if (map === null) throw dataError(`there is no ${flags.map} map to save: ${note}`, { file: source });
      await save(map);
      const saved = { file: flags.save as string, map };
      return { ...head, report, saved, applied: null, warnings, notes };
    },
    text: calibrationText,
    numbers: ({ report, applied }) =>
      report === null
        ? { ...numbersOf(applied?.raw ?? null), ...numbersOf(applied?.mapped ?? null, "mapped.") }
        : {
            ...numbersOf(report.raw),
            ...numbersOf(report.platt.crossValidated, "platt."),
            ...numbersOf(report.isotonic.crossValidated, "isotonic."),
          },
  });
}

const numbersOf = (figures: CalibrationFigures | null, prefix = ""): Record<string, MainNumber> => ({
  [`${prefix}auc`]: figures?.auc ?? null,
  [`${prefix}brier`]: figures?.brier ?? null,
  [`${prefix}logLoss`]: figures?.logLoss ?? null,
  [`${prefix}ece`]: figures?.equalWidth.ece ?? null,
  [`${prefix}eceEqualMass`]: figures?.equalMass.ece ?? null,
  [`${prefix}mce`]: figures?.equalWidth.mce ?? null,
});

/** @throws RatError (usage) for options that have no effect together */
async function checkFlags(flags: CalibrationFlags): Promise<void> {
  const { usageError } = await import("../errors.js");
  const { confidence, logprobYes, logprobNo, map, save, apply } = flags;
  if (confidence !== undefined && (logprobYes !== undefined || logprobNo !== undefined)) {
    throw usageError("--confidence and --logprob-yes with --logprob-no are two ways to say one thing: choose one");
  }
  if (map !== undefined && save === undefined) throw usageError(`--map ${map} has no effect without --save FILE`);
  if (save !== undefined && map === undefined) throw usageError("--save needs --map platt or --map isotonic");
  const idle = (["save", "group", "folds", "over", "smooth"] as const).find((name) => flags[name] !== undefined);
  if (apply !== undefined && idle !== undefined) {
    throw usageError(`--${idle} is for fitting a map, and --apply uses one that is fitted`);
  }
}

async function wholeOf(
  name: string,
  text: string | undefined,
  otherwise: number,
  isRight: (value: number) => boolean,
  expected: string,
): Promise<number> {
  if (text === undefined) return otherwise;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isInteger(value) && isRight(value)) return value;
  const { usageError } = await import("../errors.js");
  throw usageError(`${name} must be ${expected}, not ${JSON.stringify(text)}`);
}

async function readerOf(flags: CalibrationFlags): Promise<(all: readonly AuditRow[]) => Read> {
  const [cells, { confidenceOfLogProbabilities }, { dataError }] = await Promise.all([
    import("./audit-rows.js"),
    import("../audit/calibration/maps.js"),
    import("../errors.js"),
  ]);
  const { confidence = "confidence", logprobYes: yes = "logprob_yes", logprobNo: no = "logprob_no" } = flags;
  const { outcome = "outcome", group, apply } = flags;
  const wantsLogs = (columns: readonly string[]): boolean => {
    if (flags.logprobYes !== undefined || flags.logprobNo !== undefined) return true;
    return (
      flags.confidence === undefined && !columns.includes(confidence) && columns.includes(yes) && columns.includes(no)
    );
  };
  const confidenceIn = (row: AuditRow): number | null => {
    const value = cells.numberOf(row, confidence);
    if (value === null || (value >= 0 && value <= 1)) return value;
    const remedy = value > 1 && value <= 100 ? "; divide percentages by 100" : "";
    return cells.refuse(row, confidence, `expected a confidence from 0 to 1${remedy}`);
  };
  const logIn = (row: AuditRow, column: string): number | null => {
    const cell = cells.cellOf(row, column);
    if (typeof cell === "string" && /^-inf(?:inity)?$/i.test(cell)) return -Infinity;
    const value = cells.numberOf(row, column);
    // Rounding of sums over tokens may leave them a little above 0.
    if (value === null || value <= 1e-6) return value;
    return cells.refuse(row, column, "expected a log probability, at most 0");
  };
  return (all) => {
    const columns = cells.columnsOf(all);
    const logs = wantsLogs(columns);
    const needsOutcome = apply === undefined || flags.outcome !== undefined;
    cells.checkColumns(all, {
      ...(logs ? { "--logprob-yes": yes, "--logprob-no": no } : { "--confidence": confidence }),
      ...(needsOutcome ? { "--outcome": outcome } : {}),
      ...(group === undefined ? {} : { "--group": group }),
    });
    const rows: AuditRow[] = [];
    const outcomes: (0 | 1 | null)[] = [];
    const [first, second]: [number[], number[]] = [[], []];
    const groups = new Map<string, number>();
    const own: number[] = [];
    for (const row of all) {
      const [a, b] = logs ? [logIn(row, yes), logIn(row, no)] : [confidenceIn(row), 0];
      const truth = columns.includes(outcome) ? cells.outcomeOf(row, outcome) : null;
      if (a === null || b === null || (truth === null && apply === undefined)) continue;
      if (a === -Infinity && b === -Infinity) {
        throw dataError("neither Yes nor No has any probability: leave both blank", cells.placeOf(row, yes));
      }
      if (group !== undefined) {
        const name = cells.labelOf(row, group) ?? cells.refuse(row, group, "expected the name of a group");
        if (!groups.has(name)) groups.set(name, groups.size);
        own.push(groups.get(name) as number);
      }
      rows.push(row);
      outcomes.push(truth);
      first.push(a);
      second.push(b);
    }
    const found = logs
      ? confidenceOfLogProbabilities(first, second)
      : { confidence: Float64Array.from(first), logits: null };
    const leftOut = all.length - rows.length;
    return { rows, ...found, outcome: outcomes, group: group === undefined ? null : Uint32Array.from(own), leftOut };
  };
}

/** Reads a map and applies it. @throws RatError (io, data) */
async function applierOf(path: string, bins: number): Promise<(read: Read, level: number) => AppliedCalibrationMap> {
  const [{ applyCalibration }, { figuresOf }, { sortWithPlaces }, { readJsonFile }, { dataError }] = await Promise.all([
    import("../audit/calibration/maps.js"),
    import("../audit/calibration.js"),
    import("../statistics/sort.js"),
    import("./io.js"),
    import("../errors.js"),
  ]);
  const map = (await readJsonFile(path)) as CalibrationMap;
  try {
    applyCalibration(map, [0.5]);
  } catch {
    throw dataError("this is no calibration map, such as --save writes", { file: path });
  }
  return ({ rows, confidence, logits, outcome }, level) => {
    const calibrated = applyCalibration(map, confidence, logits);
    const known = outcome.flatMap((truth, i) => (truth === null ? [] : [i]));
    const truths = Uint8Array.from(known, (i) => outcome[i] as number);
    const figures = (values: Float64Array): CalibrationFigures | null => {
      const own = Float64Array.from(known, (i) => values[i]);
      const settings = { bins, level, ties: "divide", logLossClip: 0 } as const;
      return known.length === 0 ? null : figuresOf(own, truths, sortWithPlaces(own).order, settings, false);
    };
    return {
      file: path,
      map,
      rows: rows.map(({ line }, i) => ({ line, confidence: confidence[i], calibrated: calibrated[i] })),
      raw: figures(confidence),
      mapped: figures(calibrated),
    };
  };
}

/** @throws RatError (usage) where the file is there and may not be replaced */
async function saverOf(path: string, overwrite: boolean): Promise<(map: CalibrationMap) => Promise<void>> {
  const [{ access, writeFile }, { usageError }, { writeError }, { jsonText }] = await Promise.all([
    import("node:fs/promises"),
    import("../errors.js"),
    import("./io.js"),
    import("./run.js"),
  ]);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere && !overwrite) throw usageError(`--save ${path}: it is there already; add --overwrite to replace it`);
  return async (map) => {
    await writeFile(path, jsonText(map)).catch((error: unknown) => {
      throw writeError(path, error);
    });
  };
}
