import {
  type Effort,
  type ExpectedCounts,
  emptyModel,
  logOf,
  logPrior,
  type Model,
  maximise,
  noCounts,
  normalise,
  type Smoothing,
} from "./em.js";
import type { Patterns } from "./votes.js";

/** One judge that repeats another's vote on some of the items that both see. */
interface CopyFit {
  /** Share of the items on which the one repeats the other. */
  readonly share: number;
  readonly logLikelihood: number;
  /** With the log of the smoothing's prior, less its constant: what EM raises. */
  readonly objective: number;
}

/** A judge without a vote on a pattern. */
const none = -1;

/**
 * EM of the model in which one judge (the copier) repeats another's vote with some probability, whatever the class, and
 * votes on its own otherwise; all others are independent given the class. Hence
 * P(both say l | class) = P(other says l) (share + (1 - share) P(copier says l)), and both saying different labels takes
 * the factor 1 - share. Errors that two judges share for another reason look alike. Of several votes of a judge on an item
 * the first counts for that, and others as votes of its own.
 */
export class CopyEm {
  /** [pattern] whether both judges vote and say the same, and the copier's first vote: 1 yes, 0 no, -1 one is absent. */
  private readonly same: Int8Array;
  private readonly firstOfCopier: Int32Array;
  private readonly model: Model;
  private readonly logRates: Float64Array;
  private readonly expected: ExpectedCounts;
  private readonly q: Float64Array;
  /** Items that both vote on. */
  private readonly both: number;
  private share = 0;
  /** Of these, those on which the one repeats the other, as expected. */
  private copied = 0;

  constructor(
    private readonly patterns: Patterns,
    private readonly smoothing: Smoothing,
    copier: number,
    other: number,
  ) {
    const { count, classes, starts, codes, weights } = patterns;
    this.same = new Int8Array(count).fill(none);
    this.firstOfCopier = new Int32Array(count).fill(none);
    let both = 0;
    for (let p = 0; p < count; p++) {
      let said = none;
      for (let v = starts[p]; v < starts[p + 1]; v++) {
        const judge = Math.floor(codes[v] / classes);
        if (judge === copier && this.firstOfCopier[p] === none) this.firstOfCopier[p] = v;
        if (judge === other && said === none) said = codes[v] % classes;
      }
      if (said === none || this.firstOfCopier[p] === none) continue;
      this.same[p] = Number(codes[this.firstOfCopier[p]] % classes === said);
      both += weights[p];
    }
    this.both = both;
    this.model = emptyModel(patterns);
    this.logRates = this.model.rates.slice();
    this.expected = noCounts(patterns);
    this.q = new Float64Array(classes);
  }

  /** @param start posterior [pattern][class] @param effort its tolerance is of the objective */
  fromPosterior(start: Float64Array, { tolerance, iterations }: Effort): CopyFit {
    const { count, classes, weights } = this.patterns;
    this.share = 0;
    this.clear();
    for (let p = 0; p < count; p++) {
      for (let c = 0; c < classes; c++) this.q[c] = start[p * classes + c];
      this.gather(p, weights[p]);
    }
    this.maximise();
    this.share = 0.5;
    let last = -Infinity;
    for (let done = 0; ; done++) {
      const logLikelihood = this.expect();
      const objective = logLikelihood + logPrior(this.model, this.smoothing);
      if (objective - last < tolerance || done >= iterations) return { share: this.share, logLikelihood, objective };
      last = objective;
      this.maximise();
    }
  }

  private clear(): void {
    this.expected.classCounts.fill(0);
    this.expected.counts.fill(0);
    this.copied = 0;
  }

  /** E step. @returns the log-likelihood */
  private expect(): number {
    const { count, classes, weights, codes, starts } = this.patterns;
    const { q, logRates, share } = this;
    const { rates, prevalence } = this.model;
    for (let k = 0; k < rates.length; k++) logRates[k] = logOf(rates[k]);
    const logOwn = logOf(1 - share);
    this.clear();
    let total = 0;
    for (let p = 0; p < count; p++) {
      if (weights[p] === 0) continue;
      for (let c = 0; c < classes; c++) q[c] = logOf(prevalence[c]);
      const special = this.same[p] === none ? none : this.firstOfCopier[p];
      for (let v = starts[p]; v < starts[p + 1]; v++) {
        const at = codes[v] * classes;
        for (let c = 0; c < classes; c++) {
          if (v !== special) q[c] += logRates[at + c];
          else if (this.same[p] === 0) q[c] += logOwn + logRates[at + c];
          else q[c] += logOf(share + (1 - share) * rates[at + c]);
        }
      }
      total += weights[p] * normalise(q);
      this.gather(p, weights[p]);
    }
    return total;
  }

  /** Adds a pattern's expected items and votes; a vote that is copied says nothing of the copier's rates. */
  private gather(p: number, weight: number): void {
    const { classes, starts, codes } = this.patterns;
    const { q, share } = this;
    const { counts, classCounts } = this.expected;
    const { rates } = this.model;
    for (let c = 0; c < classes; c++) classCounts[c] += weight * q[c];
    const special = this.same[p] === 1 && share > 0 ? this.firstOfCopier[p] : none;
    for (let v = starts[p]; v < starts[p + 1]; v++) {
      const at = codes[v] * classes;
      for (let c = 0; c < classes; c++) {
        let own = weight * q[c];
        if (v === special) {
          const copied = (own * share) / (share + (1 - share) * rates[at + c]);
          this.copied += copied;
          own -= copied;
        }
        counts[at + c] += own;
      }
    }
  }

  /** M step. */
  private maximise(): void {
    maximise(this.model, this.expected, this.patterns, this.smoothing);
    this.share = this.both > 0 ? this.copied / this.both : 0;
  }
}
