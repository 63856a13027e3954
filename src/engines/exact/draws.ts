import type { CompiledNetwork } from "../../network/compiled.js";
import { evaluateQuantity } from "../../network/quantity.js";
import type { Pace } from "../../pace.js";
import { Stream } from "../../random/stream.js";
import { Variates } from "../../random/variates.js";
import type { Mixture } from "./mixture.js";
import { TermBetas } from "./term-betas.js";
import { TermChoice } from "./term-choice.js";

/** The purpose of streams of independent draws: STREAM_EXACT of assembly/layout.ts. */
const exactStream = 2;

export interface DrawOptions {
  readonly seed: number;
  /** Key of the refit's random streams. */
  readonly id: number;
  readonly chains: number;
  /** Draws a chain. */
  readonly draws: number;
}

/**
 * Independent draws of the quantities, one array a quantity, [chains x draws]: a term of the mixture by its weight,
 * then the rows' Betas. "Chains" only number the streams: a chain's draws are the same whatever the number of chains.
 */
export async function drawQuantities(
  network: CompiledNetwork,
  mixture: Mixture,
  { seed, id, chains, draws }: DrawOptions,
  pace: Pace,
): Promise<Float64Array[]> {
  const posterior = new PosteriorDraws(network, mixture);
  const drawn = network.quantities.map(() => new Float64Array(chains * draws));
  for (let chain = 0; chain < chains; chain++) {
    const variates = new Variates(new Stream(seed, id, exactStream, chain));
    for (let at = chain * draws; at < (chain + 1) * draws; at++) {
      const values = posterior.draw(variates);
      network.quantities.forEach((quantity, q) => {
        drawn[q][at] = evaluateQuantity(quantity, values);
      });
      if ((at & 0x7f) === 0 && pace.isDue()) await pace.rest();
    }
  }
  return drawn;
}

class PosteriorDraws {
  private readonly choice: TermChoice;
  private readonly betas: TermBetas;
  /** Nodes, then entries, as quantities refer to them. */
  private readonly values: Float64Array;
  private readonly innerWay = new Int32Array(1);

  constructor(
    private readonly network: CompiledNetwork,
    private readonly mixture: Mixture,
  ) {
    this.choice = new TermChoice(mixture);
    this.betas = new TermBetas(mixture);
    this.values = new Float64Array(network.nodeCount + 2 * network.rowNames.length);
    this.values[0] = 1;
  }

  /** The values of the next draw, valid until the one after. */
  draw(variates: Variates): Float64Array {
    const { betas, values } = this;
    const { familyParent, familyRow, nodeCount } = this.network;
    if (this.mixture.terms > 1) this.goToTerm(this.choice.term(variates.uniform()));
    for (let row = 0; row < betas.success.length; row++) {
      const logit = variates.logitBeta(betas.success[row][0], betas.failure[row][0]);
      values[nodeCount + 2 * row] = 1 / (1 + Math.exp(logit));
      values[nodeCount + 2 * row + 1] = 1 / (1 + Math.exp(-logit));
    }
    for (let f = 0; f < familyParent.length; f++) {
      const parent = values[familyParent[f]];
      const entry = nodeCount + 2 * familyRow[f];
      values[2 * f + 1] = parent * values[entry];
      values[2 * f + 2] = parent * values[entry + 1];
    }
    return values;
  }

  private goToTerm(term: number): void {
    const { length } = this.mixture.inner;
    this.innerWay[0] = term % length;
    this.betas.goTo(Math.floor(term / length), this.innerWay, 1);
  }
}
