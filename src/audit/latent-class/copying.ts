import type { Effort, Smoothing } from "./em.js";
import type { Patterns } from "./votes.js";

/** One judge that repeats another's vote on some of the items that both see. */
export interface CopyFit {
  /** Share of the items on which the one repeats the other. */
  readonly share: number;
  readonly logLikelihood: number;
  /** With the log of the smoothing's prior, less its constant: what EM raises. */
  readonly objective: number;
}

/** Below this a probability is taken for it in logarithms. */
const least = 1e-300;
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
  private readonly rates: Float64Array;
  private readonly logRates: Float64Array;
  private readonly counts: Float64Array;
  private readonly prevalence: Float64Array;
  private readonly classCounts: Float64Array;
  private readonly q: Float64Array;
  private readonly both: number;
  private share = 0;
  private copied = 0;

  constructor(
    private readonly patterns: Patterns,
    private readonly smoothing: Smoothing,
    copier: number,
    other: number,
  ) {
    const { count, classes, judges, starts, codes, weights } = patterns;
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
    this.rates = new Float64Array(judges * classes * classes);
    this.logRates = new Float64Array(judges * classes * classes);
    this.counts = new Float64Array(judges * classes * classes);
    this.prevalence = new Float64Array(classes);
    this.classCounts = new Float64Array(classes);
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
      const objective = logLikelihood + this.logPrior();
      if (objective - last < tolerance || done >= iterations) return { share: this.share, logLikelihood, objective };
      last = objective;
      this.maximise();
    }
  }

  private clear(): void {
    this.classCounts.fill(0);
    this.counts.fill(0);
    this.copied = 0;
  }

  private expect(): number {
    const { count, classes, weights, codes, starts } = this.patterns;
    const { q, logRates, rates, prevalence, share } = this;
    for (let k = 0; k < rates.length; k++) logRates[k] = Math.log(Math.max(least, rates[k]));
    const logOwn = Math.log(Math.max(least, 1 - share));
    this.clear();
    let total = 0;
    for (let p = 0; p < count; p++) {
      if (weights[p] === 0) continue;
      for (let c = 0; c < classes; c++) q[c] = Math.log(Math.max(least, prevalence[c]));
      const special = this.same[p] === none ? none : this.firstOfCopier[p];
      for (let v = starts[p]; v < starts[p + 1]; v++) {
        const at = codes[v] * classes;
        for (let c = 0; c < classes; c++) {
          if (v !== special) q[c] += logRates[at + c];
          else if (this.same[p] === 0) q[c] += logOwn + logRates[at + c];
          else q[c] += Math.log(Math.max(least, share + (1 - share) * rates[at + c]));
        }
      }
      let most = q[0];
      for (let c = 1; c < classes; c++) if (q[c] > most) most = q[c];
      let sum = 0;
      for (let c = 0; c < classes; c++) {
        q[c] = Math.exp(q[c] - most);
        sum += q[c];
      }
      for (let c = 0; c < classes; c++) q[c] /= sum;
      total += weights[p] * (most + Math.log(sum));
      this.gather(p, weights[p]);
    }
    return total;
  }

  /** Adds a pattern's expected items and votes; a vote that is copied says nothing of the copier's rates. */
  private gather(p: number, weight: number): void {
    const { classes, starts, codes } = this.patterns;
    const { q, counts, classCounts, rates, share } = this;
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

  private maximise(): void {
    const { judges, classes, voted } = this.patterns;
    const { confusion, prevalence: base } = this.smoothing;
    for (let c = 0; c < classes; c++) this.prevalence[c] = (this.classCounts[c] + base) / (voted + classes * base);
    for (let j = 0; j < judges; j++) {
      for (let c = 0; c < classes; c++) {
        const first = j * classes * classes + c;
        let total = classes * confusion;
        for (let l = 0; l < classes; l++) total += this.counts[first + l * classes];
        for (let l = 0; l < classes; l++) {
          const at = first + l * classes;
          this.rates[at] = total > 0 ? (this.counts[at] + confusion) / total : 1 / classes;
        }
      }
    }
    this.share = this.both > 0 ? this.copied / this.both : 0;
  }

  private logPrior(): number {
    const { confusion, prevalence } = this.smoothing;
    const logs = (values: Float64Array): number =>
      values.reduce((sum, value) => sum + Math.log(Math.max(least, value)), 0);
    return (
      (confusion > 0 ? confusion * logs(this.rates) : 0) + (prevalence > 0 ? prevalence * logs(this.prevalence) : 0)
    );
  }
}
