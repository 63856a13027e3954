import { Command, Option } from "commander";
import { alarmCount } from "../audit/alarm.js";
import type { CalibrationFigures } from "../audit/calibration.js";
import type { AuditCalibrationDocument } from "../documents.js";
import { dataError, usageError } from "../errors.js";
import type { CalibrationFlags } from "./audit-calibration-input.js";
import type { MainNumber } from "./audit-fail-on.js";
import { numberIn, seedOf } from "./audit-options.js";
import { addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

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
    .addOption(new Option("--group <column>").hideHelp())
    .option("--bins <number>", `of the reliability diagram (default: ${defaultBins})`)
    .option("--folds <number>", `of the cross-validation of maps; 0: none (default: ${defaultFolds})`)
    .addOption(new Option("--over <what>", "Platt's curve is over (default: logit)").choices(["logit", "confidence"]))
    .option("--smooth", "Platt's smoothed targets, for classes that confidence separates")
    .option("--seed <number>", "of folds and simulated tests (default: random, always reported)")
    .addOption(new Option("--map <kind>", "fitted to all rows, for --save to write").choices(["platt", "isotonic"]))
    .option("--save <file>", "write the map of --map as JSON (--overwrite replaces a map)")
    .option("--apply <file>", "calibrate the confidences with a map that was saved; outcomes may be missing");
  return addAuditOptions(command, "ece > 0.1").action(runCalibration);
}

export async function runCalibration(file: string, flags: CalibrationFlags): Promise<void> {
  const [{ auditCalibration }, { calibrationText }, input, maps] = await Promise.all([
    import("../audit/calibration.js"),
    import("../report/audit-calibration.js"),
    import("./audit-calibration-input.js"),
    import("./audit-calibration-maps.js"),
  ]);
  checkFlags(flags);
  const seed = seedOf(flags.seed);
  const bins = numberIn(
    "--bins",
    flags.bins,
    defaultBins,
    "a whole number from 1 to 10000",
    (value) => Number.isInteger(value) && value >= 1 && value <= 10_000,
  );
  const folds = numberIn(
    "--folds",
    flags.folds,
    defaultFolds,
    "0, or a whole number from 2 to 255",
    (value) => value === 0 || (Number.isInteger(value) && value >= 2 && value <= 255),
  );
  const read = input.readerOf(flags);
  const apply = flags.apply === undefined ? null : await maps.applierOf(flags.apply, bins);
  const save = flags.save === undefined ? null : await maps.saverOf(flags.save, file, flags.overwrite === true);
  await runAudit<AuditCalibrationDocument>({
    name: "calibration",
    file,
    flags,
    seed,
    audit: async (all, source, level) => {
      const data = read(all);
      const { confidence, logits, clusters, leftOut } = data;
      if (confidence.length === 0) {
        const both = apply === null ? "both a confidence and an outcome" : "a confidence";
        throw dataError(`no row has ${both}`, { file: source });
      }
      const head = { source, level, seed, leftOut, clusters: clusters?.count ?? null };
      if (apply !== null) return { ...head, report: null, saved: null, ...apply(data, level, seed), notes: [] };
      const { alarms, warnings, notes, ...report } = auditCalibration(
        { confidence, logits, clusters, outcome: data.outcome as (0 | 1)[] },
        { bins, folds, seed, level, on: flags.over ?? "logit", smooth: flags.smooth ?? false },
      );
      const said = { alarms, warnings, notes };
      if (save === null || flags.map === undefined) return { ...head, report, saved: null, applied: null, ...said };
      const { map, note } = report[flags.map].fit;
      if (map === null) throw dataError(`there is no ${flags.map} map to save: ${note}`, { file: source });
      await save(map);
      const saved = { file: flags.save as string, map };
      return { ...head, report, saved, applied: null, ...said };
    },
    text: calibrationText,
    figures: async (document) => {
      const { calibrationFigure } = await import("../report/audit-calibration-figure.js");
      const figure = await calibrationFigure(document);
      return figure === null ? {} : { "audit-calibration": figure };
    },
    numbers: ({ report, applied, alarms }) =>
      report === null
        ? {
            ...numbersOf(applied?.raw ?? null),
            ...numbersOf(applied?.mapped ?? null, "mapped."),
            "mapped.p": applied?.recalibration?.test ?? null,
            alarms: alarmCount(alarms, applied?.recalibration?.test.p != null),
          }
        : {
            p: report.recalibration.test,
            slope: report.recalibration.slope,
            intercept: report.recalibration.intercept,
            alarms: alarmCount(alarms, report.recalibration.test.p !== null),
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
function checkFlags(flags: CalibrationFlags): void {
  const { confidence, logprobYes, logprobNo, map, save, apply } = flags;
  if (confidence !== undefined && (logprobYes !== undefined || logprobNo !== undefined)) {
    throw usageError("--confidence and --logprob-yes with --logprob-no are two ways to say one thing: choose one");
  }
  if (map !== undefined && save === undefined) throw usageError(`--map ${map} has no effect without --save FILE`);
  if (save !== undefined && map === undefined) throw usageError("--save needs --map platt or --map isotonic");
  if (flags.group !== undefined) {
    throw usageError("--group is --cluster now: rows of one value share a fold, and intervals allow for them");
  }
  const idle = (["save", "folds", "over", "smooth"] as const).find((name) => flags[name] !== undefined);
  if (apply !== undefined && idle !== undefined) {
    throw usageError(`--${idle} is for fitting a map, and --apply uses one that is fitted`);
  }
}
