import type { Engine, Summaries } from "../../dist/index.js";
import { compileNetwork, patternIndex, rat, ratJudge } from "../../dist/index.js";
import { Inputs } from "../support/random.js";

/*
 * Tests of the engine run what was built, as worker threads are loaded from dist.
 */
export const base = compileNetwork(rat);
export const judge = compileNetwork(ratJudge());

export const samplers = ["nuts", "hmc"] as const;

/** Short, for tests of everything but the numbers' precision. */
export const quick = { chains: 2, warmup: 40, draws: 60, seed: 5, level: 0.95 } as const;

/** Counts of refits with ambiguous records and without, [refits x patterns]. */
export function someCounts(refits: number, network = base, most = 40): Float64Array {
  const inputs = new Inputs(21);
  return inputs.array(refits * network.patterns.length, () => Math.max(0, inputs.below(most) - most / 4));
}

export const idsFrom = (first: number, refits: number): Float64Array =>
  Float64Array.from({ length: refits }, (_, i) => first + i);

export const batchOf = (refits: number, first = 0, network = base) => ({
  network,
  counts: someCounts(refits, network),
  ids: idsFrom(first, refits),
});

/** Records by the levels that they show, `1,0,-1` for R = 1, A = 0, T not observed. */
export function countsOf(entries: Readonly<Record<string, number>>): Float64Array {
  const counts = new Float64Array(base.patterns.length);
  const index = patternIndex(base);
  for (const [levels, n] of Object.entries(entries)) counts[index(levels.split(",").map(Number))] += n;
  return counts;
}

const columns = ["mean", "sd", "median", "lower", "upper", "rhat", "ess", "divergences", "leapfrogs"] as const;

/** Every number of the summaries, one after the other. */
export const numbersOf = (summaries: Summaries): Float64Array =>
  Float64Array.from(columns.flatMap((column) => [...summaries[column]]));

/** Opens engines and disposes of all of them. */
export class Engines {
  private readonly opened: Engine[] = [];

  add<E extends Engine>(engine: E): E {
    this.opened.push(engine);
    return engine;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.opened.splice(0).map((engine) => engine.dispose()));
  }
}
