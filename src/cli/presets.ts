import { Command } from "commander";
import { print } from "./run.js";

export function presetsCommand(): Command {
  return new Command("presets").description("list the shipped records of the paper's 27 systems").action(async () => {
    const { presetNames } = await import("../records/index.js");
    await print(`${presetNames().join("\n")}\n`);
  });
}
