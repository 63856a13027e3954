import type { SweepDocument } from "../documents.js";
import type { EngineName } from "../engines/engine.js";
import type { Experiment } from "../reproduce/experiments.js";
import type { Source } from "../source.js";
import { type SweepOptions, sweep } from "../sweep.js";
import { OutputFolder, type OutputMode, runFile } from "./output.js";
import { readRunRecord } from "./run.js";
import { rowsFiles, type SweepFlags } from "./sweep.js";
import { resultFiles, writeSweeps } from "./sweep-results.js";
import { SweepRun } from "./sweep-run.js";

/** Runs each experiment in a folder of its own, as `rat sweep --out` does, and goes on with what is there. */
export class KeptSweeps {
  /** Refits in all folders. */
  kept = 0;
  private begun: Promise<void> | null = null;

  /** @param start to be done before the first file is written */
  constructor(
    private readonly folder: OutputFolder,
    private readonly mode: OutputMode,
    private readonly start: () => Promise<void>,
  ) {}

  begin(): Promise<void> {
    this.begun ??= this.start();
    return this.begun;
  }

  readonly run = async (
    experiment: Experiment,
    sources: readonly Source[],
    options: SweepOptions,
  ): Promise<SweepDocument> => {
    await this.begin();
    const folder = await OutputFolder.open(this.folder.file(experiment.name), this.mode);
    try {
      return await this.runIn(folder, experiment, sources, options);
    } finally {
      await folder.close();
    }
  };

  private async runIn(
    folder: OutputFolder,
    experiment: Experiment,
    sources: readonly Source[],
    options: SweepOptions,
  ): Promise<SweepDocument> {
    const earlier = folder.resumes ? await readRunRecord(folder.file(runFile)) : null;
    const rows = rowsFiles(sources.map(({ name }) => name));
    const run = new SweepRun(folder, [], flagsOf(experiment, options), earlier, rows, undefined);
    try {
      for (const lost of await run.look()) options.onNotice?.(lost);
      const document = await sweep(sources, {
        ...options,
        // What auto chose at first goes on, whatever it would choose today.
        engine: (options.engine ?? "auto") === "auto" ? (earlier?.engine as EngineName) : options.engine,
        onStart: async (plan) => {
          await run.begin(plan);
          await options.onStart?.(plan);
        },
        finished: (plan) => run.finished(plan),
        onRows: (finished) => run.keep(finished),
        onSweep: () => run.end(),
      });
      const finished = await run.documentOf(document);
      if (!(run.isFinished && resultFiles.every((name) => folder.holds(name)))) {
        await writeSweeps(folder, finished.sweeps, run.level);
      }
      return finished;
    } finally {
      await run.end();
      this.kept += run.kept;
    }
  }
}

/** The experiment as `rat sweep` would be told to do it, so that `rat rerun` can. */
function flagsOf(experiment: Experiment, { replicates, seed, engine }: SweepOptions): SweepFlags {
  const { presets, network, base, add, strategies, judge } = experiment;
  const rates = Object.entries(judge.judgeRate ?? {}).map(([name, rate]) => `${name}=${rate}`);
  return {
    preset: presets.join(","),
    network,
    base: String(base),
    add: add.join(","),
    strategies: [strategies],
    replicates: String(replicates),
    seed: String(seed),
    ...(engine && { engine }),
    ...(judge.judgeRates && { judgeRates: judge.judgeRates, judgeRate: rates }),
  };
}
