import { usageError } from "../errors.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { alwaysSeen, kinds, type Purchase } from "./purchase.js";

/**
 * Bits that one additional record brings on an uncertain event, beyond what is seen on every record: H(G | A) - H(G |
 * labels, A), for a purchase the average over its kinds of records (appendix F of the RAT paper). Each record is looked at
 * by itself: what records teach of one another through the parameters is left to simulation.
 */
export class InformationGain {
  private readonly always: readonly number[];

  /** @param weights of the event in each cell, [cells]: 0 or 1, or between where a policy is soft */
  constructor(
    private readonly network: CompiledNetwork,
    private readonly weights: ArrayLike<number>,
  ) {
    this.always = numbersOf(network, alwaysSeen);
  }

  /** H(event | what is seen on every record), in bits. @param probabilities of the cells, [cells] */
  base(probabilities: ArrayLike<number>): number {
    return this.entropy(probabilities, this.always);
  }

  /** @throws RatError (usage) for labels that the network has no variables for */
  of({ segments }: Purchase, probabilities: ArrayLike<number>): number {
    const base = this.base(probabilities);
    return segments.reduce((sum, { kind, share }) => {
      const seen = [...this.always, ...numbersOf(this.network, kinds[kind])];
      return sum + share * (base - this.entropy(probabilities, seen));
    }, 0);
  }

  /** Entropy of the event that is left once the variables with these numbers are seen. */
  private entropy(probabilities: ArrayLike<number>, seen: readonly number[]): number {
    const groups = new Map<string, { p: number; event: number }>();
    this.network.cells.forEach(({ levels }, c) => {
      const key = seen.map((v) => levels[v]).join();
      const group = groups.get(key) ?? { p: 0, event: 0 };
      group.p += probabilities[c];
      group.event += probabilities[c] * this.weights[c];
      groups.set(key, group);
    });
    let sum = 0;
    for (const { p, event } of groups.values()) if (p > 0) sum += p * binaryEntropy(Math.min(event / p, 1));
    return sum;
  }
}

/** Of an event of probability p, in bits. */
export function binaryEntropy(p: number): number {
  return p <= 0 || p >= 1 ? 0 : -(p * Math.log2(p) + (1 - p) * Math.log2(1 - p));
}

function numbersOf({ name, variables }: CompiledNetwork, names: readonly string[]): number[] {
  return names.map((wanted) => {
    const v = variables.findIndex((variable) => variable.name === wanted);
    if (v < 0) throw usageError(`network ${name} has no variable ${wanted}, which these labels are of`);
    return v;
  });
}
