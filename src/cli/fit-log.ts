import type { Fit } from "../documents.js";
import type { Draws } from "../engines/engine.js";
import { dataError } from "../errors.js";
import type { RecordCounts } from "../records/index.js";
import type { CommonFlags } from "./options.js";
import { checkSameRecords, type RecordsSeen, type RunRecord, recordsSeen, runRecord } from "./run.js";

/** What a run's fits were made of, for its record; where it repeats a run, whether that is still the same. */
export class FitLog {
  private readonly seen: RecordsSeen[] = [];
  private first: Fit | null = null;

  /** @param repeated the record of the run that this one is to repeat */
  constructor(private readonly repeated: RunRecord | undefined) {}

  /** @throws RatError (data) where a source is not what it was */
  readonly onFit = (fit: Fit, _draws: Draws, { counts }: RecordCounts): void => {
    const now = recordsSeen(fit, counts);
    if (this.repeated?.fits !== undefined) checkSameRecords(now, this.repeated.fits[this.seen.length]);
    this.seen.push(now);
    this.first ??= fit;
  };

  /** @throws RatError (data) where there were more records once */
  checkAll(): void {
    const lost = this.repeated?.fits?.[this.seen.length];
    if (lost !== undefined)
      throw dataError("the run was begun with these records too, and they are gone", { file: lost.source });
  }

  /** Of the run, once it has fitted something. @param flags as given, and what else repeats it */
  record(command: string, files: readonly string[], flags: CommonFlags & { drawsOut?: string }): RunRecord {
    const { out: _out, overwrite: _overwrite, drawsOut: _drawsOut, ...given } = flags;
    const { engine, adapter, sampler, chains, warmup, draws, level, seed } = this.first as Fit;
    // What the exact engine draws is told apart from chains: those that were asked for stay as they were given.
    const sampling = sampler === null ? { level } : { sampler, chains, warmup, draws, level };
    const options = { ...given, ...sampling, seed };
    return { ...runRecord({ command, files, options, seed, engine, adapter }), fits: this.seen };
  }
}
