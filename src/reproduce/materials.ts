import type { Fit, Gain, Sweep } from "../documents.js";
import { usageError } from "../errors.js";
import { type FitOptions, fit } from "../fit.js";
import { gain } from "../gain.js";
import { networkNamed } from "../network/index.js";
import { presetSource } from "../source.js";
import type { ExperimentName } from "./experiments.js";
import { type Configuration, configurations, presetOf, printedNumbers } from "./printed.js";

/** The posterior of one system, in closed form, with independent draws of every quantity. */
export interface Posterior extends Configuration {
  readonly fit: Fit;
  readonly draws: ReadonlyMap<string, Float64Array>;
}

export interface MaterialOptions {
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  /** What is worked on, how much of it is done, of how much. */
  readonly onProgress?: ((label: string, finished: number, total: number) => void) | undefined;
}

const chains = 4;
/** Of each system's posterior, in all: a probability of one half has a standard error of 0.008. */
export const posteriorDraws = 4000;

/** What tables and claims are made from; each kind is made once, when it is first asked for. */
export class Materials {
  private readonly made = new Map<string, Promise<unknown>>();

  constructor(
    private readonly options: MaterialOptions,
    private readonly sweeps: ReadonlyMap<ExperimentName, readonly Sweep[]>,
  ) {}

  /** The 27 systems, in the paper's order. */
  posteriors(): Promise<readonly Posterior[]> {
    return this.once("posteriors", () => this.fitted("rat", configurations, 0));
  }

  /** The nine with three levels of retrieval. */
  ternary(): Promise<readonly Posterior[]> {
    return this.once("partial retrieval", () => this.fitted("rat-ternary", printedNumbers.table9, 100));
  }

  /** The three with labels of a judge. */
  judged(): Promise<readonly Posterior[]> {
    const hybrid = ({ dataset, retriever }: Configuration): boolean => dataset === "HotpotQA" && retriever === "hybrid";
    return this.once("judges", () => this.fitted("rat-judge", configurations.filter(hybrid), 200));
  }

  /** Bits on P(G=1) of the 27 systems. */
  gains(): Promise<readonly (Gain & Configuration)[]> {
    return this.once("gains", async () => {
      const { seed, signal, onProgress } = this.options;
      const all: (Gain & Configuration)[] = [];
      for (const [i, system] of configurations.entries()) {
        const options = { engine: "exact", chains, draws: posteriorDraws / chains, seed, signal } as const;
        const { gains } = await gain([presetSource(presetOf(system))], options);
        all.push(...gains.filter(({ quantity }) => quantity === "P(G=1)").map((one) => ({ ...one, ...system })));
        onProgress?.("bits that labels tell", i + 1, configurations.length);
      }
      return all;
    });
  }

  /** @throws RatError (usage) for an experiment that wasn't run */
  sweep(name: ExperimentName): readonly Sweep[] {
    const sweeps = this.sweeps.get(name);
    if (sweeps === undefined) throw usageError(`experiment ${name} was not run`);
    return sweeps;
  }

  private async fitted(network: string, systems: readonly Configuration[], firstSeed: number): Promise<Posterior[]> {
    const { seed, signal, onProgress } = this.options;
    const posteriors: Posterior[] = [];
    for (const [i, system] of systems.entries()) {
      // Seeds of their own, so that draws of different systems are independent.
      const own = (seed + firstSeed + i) % Number.MAX_SAFE_INTEGER;
      const options: FitOptions = { engine: "exact", chains, draws: posteriorDraws / chains, seed: own, signal };
      await fit([presetSource(presetOf(system))], {
        ...options,
        network: networkNamed(network),
        quantitySet: "all",
        onFit: (result, { values }) => {
          const draws = new Map(result.quantities.map(({ name }, q) => [name, values[q]]));
          const { dataset, retriever, generator } = system;
          posteriors.push({ dataset, retriever, generator, fit: result, draws });
        },
      });
      onProgress?.(`posteriors, ${network} network`, i + 1, systems.length);
    }
    return posteriors;
  }

  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.made.get(name) as Promise<T> | undefined) ?? make();
    this.made.set(name, made);
    return made;
  }
}

/** The posterior mean of a quantity. */
export function meanOf({ fit: { quantities } }: Pick<Posterior, "fit">, name: string): number | null {
  return quantities.find((quantity) => quantity.name === name)?.mean ?? null;
}

/** The plain fraction of records that show a quantity. */
export function fractionOf({ fit: { quantities } }: Pick<Posterior, "fit">, name: string): number | null {
  const counted = quantities.find((quantity) => quantity.name === name)?.counted;
  return counted ? counted.k / counted.n : null;
}
