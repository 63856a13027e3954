import type { CompiledNetwork } from "../../network/compiled.js";
import type { WorkerPool } from "./pool.js";
import type { Sampling } from "./protocol.js";

/** Setups without work that stay with the workers. */
const mostIdle = 2;

interface Prepared {
  readonly key: readonly unknown[];
  readonly setup: Promise<number>;
  users: number;
}

/** What a pool's threads are ready for: set up when it is first asked for, forgotten some time after its last use. */
export class Setups {
  private readonly pool: WorkerPool;
  private readonly prepared: Prepared[] = [];

  constructor(pool: WorkerPool) {
    this.pool = pool;
  }

  /**
   * Works with a setup that every thread knows, and that none forgets while it is in use.
   * @param sampling null: for approximations
   */
  async use<T>(network: CompiledNetwork, sampling: Sampling | null, work: (setup: number) => Promise<T>): Promise<T> {
    const key = keyOf(network, sampling);
    let entry = this.prepared.find((known) => isSame(known.key, key));
    if (entry === undefined) {
      entry = { key, setup: this.pool.prepare({ network, sampling }), users: 0 };
      this.prepared.push(entry);
    }
    entry.users++;
    try {
      return await work(await entry.setup);
    } catch (error) {
      // A setup that failed is not to be found again.
      await entry.setup.catch(() => this.drop(entry));
      throw error;
    } finally {
      entry.users--;
      this.forgetIdle();
    }
  }

  /** A worker keeps its memory for a setup: a few idle ones are kept, so that alternating batches don't set up anew. */
  private forgetIdle(): void {
    const idle = this.prepared.filter(({ users }) => users === 0);
    for (const entry of idle.slice(0, Math.max(0, idle.length - mostIdle))) {
      this.drop(entry);
      entry.setup.then(
        (setup) => this.pool.forget(setup),
        () => {},
      );
    }
  }

  private drop(entry: Prepared | undefined): void {
    const at = entry === undefined ? -1 : this.prepared.indexOf(entry);
    if (at >= 0) this.prepared.splice(at, 1);
  }
}

/** Work with the same key can share a setup: every task brings its own seed. */
function keyOf(network: CompiledNetwork, sampling: Sampling | null): readonly unknown[] {
  if (sampling === null) return [network];
  const { options, chains, trace } = sampling;
  return [network, options.sampler, chains, options.warmup, options.draws, options.level, trace];
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
