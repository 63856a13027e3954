import type { Batch, Engine, Fallback, SamplerOptions, Summaries } from "../engines/engine.js";
import { Pace } from "../pace.js";
import { type PieceOptions, pipeline } from "../pipeline.js";
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
  /** Called with each refit that another engine did. */
  readonly onFallback?: ((fallback: Fallback) => void) | undefined;
}

/** Runs the replicates of a design and yields the rows of each, in replicate order. */
export async function* runAllocation(
  engine: Engine,
  design: Design,
  options: AllocationOptions,
): AsyncGenerator<Row[]> {
  const cells = design.cells.length;
  const perBatch = Math.max(1, Math.floor(engine.batchRefits / cells));
  const common = { ...options.sampling, ...(options.onNotice && { onNotice: options.onNotice }) };
  const work = async ({ first, count }: Replicates, piece: PieceOptions) => {
    const batch = await batchOf(design, first, count, new Pace(piece.signal));
    const summaries = await engine.run(batch, { ...common, ...piece });
    return { first, count, summaries };
  };
  const pace = new Pace(options.signal);
  for await (const { first, count, summaries } of pipeline(batchesOf(options, perBatch), work, options)) {
    for (const fallback of summaries.fallbacks) options.onFallback?.(fallback);
    for (let i = 0; i < count; i++) {
      if (pace.isDue()) await pace.rest();
      yield rowsOf(design, first + i, summaries, i * cells);
    }
  }
}

interface Replicates {
  readonly first: number;
  readonly count: number;
}

function* batchesOf({ first, end }: AllocationOptions, most: number): Generator<Replicates> {
  for (let next = first; next < end; next += most) yield { first: next, count: Math.min(most, end - next) };
}

/** Replicates `first` ... `first + count - 1`. A refit's id is its place in the whole experiment. */
async function batchOf(design: Design, first: number, count: number, pace: Pace): Promise<Batch> {
  const cells = design.cells.length;
  const patterns = design.network.patterns.length;
  const counts = new Float64Array(count * cells * patterns);
  for (let i = 0; i < count; i++) {
    counts.set(replicateCounts(design, first + i), i * cells * patterns);
    if (pace.isDue()) await pace.rest();
  }
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
