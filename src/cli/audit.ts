import { Command } from "commander";
import { auditAgreementCommand, runAgreement } from "./audit-agreement.js";
import { auditCalibrationCommand, runCalibration } from "./audit-calibration.js";
import { auditDemoCommand, runDemo } from "./audit-demo.js";
import { auditLatentClassCommand, runLatentClass } from "./audit-latent-class.js";
import { auditPrevalenceCommand, runPrevalence } from "./audit-prevalence.js";
import type { AuditFlags } from "./audit-run.js";
import { auditSwapCommand, runSwap } from "./audit-swap.js";
import { auditVarianceCommand, runVariance } from "./audit-variance.js";

/** Each command loads the audit it runs, and its tables, once it runs. */
export function auditCommand(): Command {
  return new Command("audit")
    .description("what a judge's verdicts and scores are worth: bias, agreement, variance, rates, calibration")
    .addCommand(auditSwapCommand())
    .addCommand(auditVarianceCommand())
    .addCommand(auditAgreementCommand())
    .addCommand(auditPrevalenceCommand())
    .addCommand(auditCalibrationCommand())
    .addCommand(auditLatentClassCommand())
    .addCommand(auditDemoCommand());
}

/** What each command runs, on the options that it was given, for a run that is repeated. */
export const auditRuns: Readonly<Record<string, (file: string, flags: AuditFlags) => Promise<void>>> = {
  "audit swap": runSwap,
  "audit variance": runVariance,
  "audit agreement": runAgreement,
  "audit prevalence": runPrevalence,
  "audit calibration": runCalibration,
  "audit latent-class": runLatentClass,
  "audit demo": (_file, flags) => runDemo(flags),
};
