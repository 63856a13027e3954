import type { Patterns } from "./votes.js";

/** Shares of the classes, and what judges say of each. */
export interface Model {
  /** [classes] */
  readonly prevalence: Float64Array;
  /** [judge][label][class] P(judge says label | class). */
  readonly rates: Float64Array;
}

/** Pseudo-counts that are added to every cell: a Dirichlet(1 + count) prior, whose mode is found. */
export interface Smoothing {
  readonly confusion: number;
  readonly prevalence: number;
}

export interface Effort {
  /** EM ends when no parameter moves by more. */
  readonly tolerance: number;
  readonly iterations: number;
}

export interface EmFit {
  readonly model: Model;
  /** [pattern][class] */
  readonly posterior: Float64Array;
  readonly logLikelihood: number;
  /** With the log of the smoothing's prior, less its constant: what EM raises. */
  readonly objective: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** [judge][label][class] expected votes, and [class] expected items, of the last E step. */
  readonly counts: Float64Array;
  readonly classCounts: Float64Array;
}

/** Below this a probability is taken for it in logarithms. */
const least = 1e-300;

/**
 * Maximum likelihood (or, smoothed, posterior mode) of the model by EM (Dawid and Skene 1979, "Maximum likelihood
 * estimation of observer error-rates using the EM algorithm", Applied Statistics 28, 20-28): E step, their equation 2.5,
 * q_ic ~ prevalence_c prod_votes rate(label | c); M step, their 2.3 and 2.4, prevalence and rates are the shares of
 * q-weighted items and votes, plus pseudo-counts.
 */
export class Em {
  private readonly logRates: Float64Array;
  private readonly logPrevalence: Float64Array;
  private readonly counts: Float64Array;
  private readonly classCounts: Float64Array;
  private readonly q: Float64Array;

  constructor(
    private readonly patterns: Patterns,
    private readonly smoothing: Smoothing,
  ) {
    const { judges, classes } = patterns;
    this.logRates = new Float64Array(judges * classes * classes);
    this.counts = new Float64Array(judges * classes * classes);
    this.logPrevalence = new Float64Array(classes);
    this.classCounts = new Float64Array(classes);
    this.q = new Float64Array(classes);
  }

  /** @param start posterior [pattern][class] */
  fromPosterior(start: Float64Array, effort: Effort): EmFit {
    const { count, classes, weights } = this.patterns;
    this.clear();
    for (let p = 0; p < count; p++) {
      for (let c = 0; c < classes; c++) this.q[c] = start[p * classes + c];
      this.gather(p, weights[p]);
    }
    const { judges } = this.patterns;
    const model = { prevalence: new Float64Array(classes), rates: new Float64Array(judges * classes * classes) };
    this.maximise(model);
    return this.fromModel(model, effort);
  }

  /** @param start is left alone */
  fromModel(start: Model, { tolerance, iterations }: Effort): EmFit {
    const model = { prevalence: start.prevalence.slice(), rates: start.rates.slice() };
    let [done, converged] = [0, false];
    while (done < iterations && !converged) {
      this.expect(model, null);
      converged = this.maximise(model) < tolerance;
      done++;
    }
    const posterior = new Float64Array(this.patterns.count * this.patterns.classes);
    const logLikelihood = this.expect(model, posterior);
    const prior = this.logPrior();
    const [counts, classCounts] = [this.counts.slice(), this.classCounts.slice()];
    const objective = logLikelihood + prior;
    return { model, posterior, logLikelihood, objective, iterations: done, converged, counts, classCounts };
  }

  private clear(): void {
    this.counts.fill(0);
    this.classCounts.fill(0);
  }

  /** Adds a pattern's expected votes and items. */
  private gather(p: number, weight: number): void {
    const { starts, codes, classes } = this.patterns;
    const { q, counts, classCounts } = this;
    for (let c = 0; c < classes; c++) classCounts[c] += weight * q[c];
    for (let v = starts[p]; v < starts[p + 1]; v++) {
      const at = codes[v] * classes;
      for (let c = 0; c < classes; c++) counts[at + c] += weight * q[c];
    }
  }

  /** E step. @returns the log-likelihood */
  private expect({ prevalence, rates }: Model, posterior: Float64Array | null): number {
    const { starts, codes, classes, count, weights } = this.patterns;
    const { q, logRates, logPrevalence } = this;
    for (let k = 0; k < rates.length; k++) logRates[k] = Math.log(Math.max(least, rates[k]));
    for (let c = 0; c < classes; c++) logPrevalence[c] = Math.log(Math.max(least, prevalence[c]));
    this.clear();
    let logLikelihood = 0;
    for (let p = 0; p < count; p++) {
      q.set(logPrevalence);
      for (let v = starts[p]; v < starts[p + 1]; v++) {
        const at = codes[v] * classes;
        for (let c = 0; c < classes; c++) q[c] += logRates[at + c];
      }
      let most = q[0];
      for (let c = 1; c < classes; c++) if (q[c] > most) most = q[c];
      let sum = 0;
      for (let c = 0; c < classes; c++) {
        q[c] = Math.exp(q[c] - most);
        sum += q[c];
      }
      for (let c = 0; c < classes; c++) q[c] /= sum;
      logLikelihood += weights[p] * (most + Math.log(sum));
      this.gather(p, weights[p]);
      posterior?.set(q, p * classes);
    }
    return logLikelihood;
  }

  /** M step, into the model. @returns the largest change */
  private maximise({ prevalence, rates }: Model): number {
    const { judges, classes, voted } = this.patterns;
    const { confusion, prevalence: base } = this.smoothing;
    let change = 0;
    for (let c = 0; c < classes; c++) {
      const share = (this.classCounts[c] + base) / (voted + classes * base);
      change = Math.max(change, Math.abs(share - prevalence[c]));
      prevalence[c] = share;
    }
    for (let j = 0; j < judges; j++) {
      for (let c = 0; c < classes; c++) {
        const first = j * classes * classes + c;
        let total = classes * confusion;
        for (let l = 0; l < classes; l++) total += this.counts[first + l * classes];
        for (let l = 0; l < classes; l++) {
          const at = first + l * classes;
          // Nothing is known of a judge without votes on a class.
          const rate = total > 0 ? (this.counts[at] + confusion) / total : 1 / classes;
          change = Math.max(change, Math.abs(rate - rates[at]));
          rates[at] = rate;
        }
      }
    }
    return change;
  }

  private logPrior(): number {
    const { confusion, prevalence } = this.smoothing;
    const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
    return (
      (confusion > 0 ? confusion * sum(this.logRates) : 0) + (prevalence > 0 ? prevalence * sum(this.logPrevalence) : 0)
    );
  }
}
