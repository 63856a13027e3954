import type { Mixture } from "./mixture.js";

const blockTerms = 256;

/** Chooses terms of a mixture by weight: by binary search a block of them, in it one after the other. */
export class TermChoice {
  /** Weight of all terms up to the end of each block. */
  private readonly cumulative: Float64Array;

  constructor(private readonly mixture: Mixture) {
    const { weights } = mixture;
    this.cumulative = new Float64Array(Math.ceil(weights.length / blockTerms));
    let total = 0;
    for (let block = 0; block < this.cumulative.length; block++) {
      const end = Math.min((block + 1) * blockTerms, weights.length);
      for (let term = block * blockTerms; term < end; term++) total += weights[term];
      this.cumulative[block] = total;
    }
  }

  /** @param uniform in [0, 1) */
  term(uniform: number): number {
    const { cumulative } = this;
    const { weights } = this.mixture;
    const target = uniform * cumulative[cumulative.length - 1];
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle] > target) high = middle;
      else low = middle + 1;
    }
    let term = low * blockTerms;
    const last = Math.min(term + blockTerms, weights.length) - 1;
    let rest = target - (low > 0 ? cumulative[low - 1] : 0);
    while (term < last && rest >= weights[term]) rest -= weights[term++];
    return term;
  }
}
