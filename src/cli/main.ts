import { Command, CommanderError } from "commander";
import { asRatError } from "../errors.js";
import { version } from "../generated/version.js";
import { compareCommand } from "./compare.js";
import { doctorCommand } from "./doctor.js";
import { fitCommand } from "./fit.js";
import { gainCommand } from "./gain.js";
import { mergeCommand } from "./merge.js";
import { networkCommand } from "./network.js";
import { presetsCommand } from "./presets.js";
import { reproduceCommand } from "./reproduce.js";
import { rerunCommand } from "./rerun.js";
import { serveCommand } from "./serve.js";
import { sweepCommand } from "./sweep.js";

const usageExit = 64;

/** Runs one command line, without the program's name. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command("rat")
    .description("Bayesian evaluation of retrieval-augmented generation from records of R, A and T")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(`rat: ${text.replace(/^error: /, "")}`) });
  for (const command of [
    fitCommand(),
    sweepCommand(),
    gainCommand(),
    compareCommand(),
    reproduceCommand(),
    mergeCommand(),
    rerunCommand(),
    serveCommand(),
    presetsCommand(),
    networkCommand(),
    doctorCommand(),
  ]) {
    program.addCommand(command.copyInheritedSettings(program));
    for (const part of command.commands) part.copyInheritedSettings(program);
  }
  try {
    if (argv.length === 0) {
      process.stderr.write(program.helpInformation());
      return usageExit;
    }
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has printed its own message already; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExit;
    const known = asRatError(error);
    process.stderr.write(`rat: ${known.describe()}\n`);
    if (known.kind === "internal" && process.env.RAT_DEBUG) process.stderr.write(`${(error as Error).stack}\n`);
    return known.exitCode;
  }
}
