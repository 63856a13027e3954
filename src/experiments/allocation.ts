import type { Engine, RunOptions, SamplerOptions, Summaries } from "../engines/engine.js";
import { type Design, replicateCounts } from "./design.js";
import type { Row } from "./rows.js";

export interface AllocationOptions {
  /** Replicates to run, [first, end). */
  readonly first: number;
  readonly end: number;
  readonly sampling: SamplerOptions;
  readonly signal?: AbortSignal | undefined;
  /** Refits finished in this call so far. */
  readonly onProgress?: ((finished: number) => void) | undefined;
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/**
 * Runs the replicates of a design and yields the rows of each, in replicate order. Two batches are under way at a time,
 * so that no thread waits for the slowest refit of the one before.
 */
export async function* runAllocation(
  engine: Engine,
  design: Design,
  options: AllocationOptions,
): AsyncGenerator<Row[]> {
  const perBatch = Math.max(1, Math.floor(engine.batchRefits / design.cells.length));
  const cells = design.cells.length;
  const waiting: { first: number; count: number; summaries: Promise<Summaries> }[] = [];
  let next = options.first;
  let finished = 0;
  const start = (): void => {
    const first = next;
    const count = Math.min(perBatch, options.end - first);
    next += count;
    let reported = 0;
    const run: RunOptions = {
      ...options.sampling,
      ...(options.signal && { signal: options.signal }),
      ...(options.onNotice && { onNotice: options.onNotice }),
      onProgress: (done) => {
        finished += done - reported;
        reported = done;
        options.onProgress?.(finished);
      },
    };
    const summaries = engine.run(batchOf(design, first, count), run);
    summaries.catch(() => {}); // an error is thrown where the batch is waited for
    waiting.push({ first, count, summaries });
  };
  while (next < options.end || waiting.length > 0) {
    while (waiting.length < 2 && next < options.end) start();
    const batch = waiting.shift();
    if (batch === undefined) return;
    const summaries = await batch.summaries;
    for (let i = 0; i < batch.count; i++) yield rowsOf(design, batch.first + i, summaries, i * cells);
  }
}

/** Replicates `first` ... `first + count - 1`. A refit's id is its place in the whole experiment. */
function batchOf(design: Design, first: number, count: number) {
  const cells = design.cells.length;
  const patterns = design.network.patterns.length;
  const counts = new Float64Array(count * cells * patterns);
  for (let i = 0; i < count; i++) counts.set(replicateCounts(design, first + i), i * cells * patterns);
  const ids = Float64Array.from({ length: count * cells }, (_, i) => first * cells + i);
  return { network: design.network, counts, ids };
}

function rowsOf(design: Design, replicate: number, summaries: Summaries, firstRefit: number): Row[] {
  return design.cells.map(({ strategy, add }, c) => {
    const at = (firstRefit + c) * summaries.quantities;
    const quantities = Array.from({ length: summaries.quantities }, (_, q) => ({
      mean: summaries.mean[at + q],
      sd: summaries.sd[at + q],
      lower: summaries.lower[at + q],
      upper: summaries.upper[at + q],
      rhat: summaries.rhat[at + q],
      ess: summaries.ess[at + q],
    }));
    const refit = replicate * design.cells.length + c;
    return { refit, replicate, strategy, add, divergences: summaries.divergences[firstRefit + c], quantities };
  });
}
