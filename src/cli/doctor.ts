import { Command } from "commander";
import { RatError } from "../errors.js";
import { jsonText, print } from "./run.js";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("what this machine offers, what auto would take and why, and whether the engines agree")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .action(runDoctor);
}

async function runDoctor(flags: { json?: boolean }): Promise<void> {
  const [{ examine }, { doctorText }] = await Promise.all([import("../doctor.js"), import("../report/doctor.js")]);
  const document = await examine();
  await print(flags.json ? jsonText(document) : `Node ${process.versions.node}, ${doctorText(document)}\n`);
  const wrong = document.engines.find(({ agrees }) => !agrees);
  if (wrong) throw new RatError("internal", `engine ${wrong.engine} gives a wrong answer on this machine`);
}
