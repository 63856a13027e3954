import { Command, CommanderError } from "commander";
import { asRatError, usageError } from "../errors.js";
import { version } from "../generated/version.js";

const usageExit = 64;

/** Each in its own module: a command line loads what it names alone. In the order of the help. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  fit: async () => (await import("./fit.js")).fitCommand(),
  sweep: async () => (await import("./sweep.js")).sweepCommand(),
  gain: async () => (await import("./gain.js")).gainCommand(),
  compare: async () => (await import("./compare.js")).compareCommand(),
  audit: async () => (await import("./audit.js")).auditCommand(),
  reproduce: async () => (await import("./reproduce.js")).reproduceCommand(),
  merge: async () => (await import("./merge.js")).mergeCommand(),
  rerun: async () => (await import("./rerun.js")).rerunCommand(),
  serve: async () => (await import("./serve.js")).serveCommand(),
  presets: async () => (await import("./presets.js")).presetsCommand(),
  network: async () => (await import("./network.js")).networkCommand(),
  doctor: async () => (await import("./doctor.js")).doctorCommand(),
};

/** Runs one command line, without the program's name. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command("rat")
    .description("Bayesian evaluation of retrieval-augmented generation from records of R, A and T")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(`rat: ${text.replace(/^error: /, "")}`) });
  try {
    const named = Object.hasOwn(commands, argv[0]) ? [commands[argv[0]]] : Object.values(commands);
    for (const command of await Promise.all(named.map((load) => load()))) {
      program.addCommand(command);
      for (const one of [command, ...command.commands]) refuseTwice(one.copyInheritedSettings(program));
    }
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

/** Options that hold lists or conditions: who gives one twice wants both. Of all others the last counts, as is usual. */
const once = new Set(["categories", "gate", "judges", "map", "policy", "preset"]);

function refuseTwice(command: Command): void {
  for (const { parseArg, long } of command.options) {
    const name = long?.slice(2) ?? "";
    if (!once.has(name) || parseArg !== undefined) continue;
    let given = false;
    command.on(`option:${name}`, () => {
      if (given) throw usageError(`${long} is given twice`);
      given = true;
    });
  }
}
