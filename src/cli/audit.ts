import { Command } from "commander";
import { auditAgreementCommand } from "./audit-agreement.js";
import { auditCalibrationCommand } from "./audit-calibration.js";
import { auditLatentClassCommand } from "./audit-latent-class.js";
import { auditPrevalenceCommand } from "./audit-prevalence.js";
import { auditSwapCommand } from "./audit-swap.js";
import { auditVarianceCommand } from "./audit-variance.js";

/** Each command loads the audit it runs, and its tables, once it runs. */
export function auditCommand(): Command {
  return new Command("audit")
    .description("what a judge's verdicts and scores are worth: bias, agreement, variance, rates, calibration")
    .addCommand(auditSwapCommand())
    .addCommand(auditVarianceCommand())
    .addCommand(auditAgreementCommand())
    .addCommand(auditPrevalenceCommand())
    .addCommand(auditCalibrationCommand())
    .addCommand(auditLatentClassCommand());
}
