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

/** What an E step expects. */
export interface ExpectedCounts {
  /** [judge][label][class] votes. */
  readonly counts: Float64Array;
  /** [class] items. */
  readonly classCounts: Float64Array;
}

/** With the expected counts of the last E step. */
export interface EmFit extends ExpectedCounts {
  readonly model: Model;
  /** [pattern][class] */
  readonly posterior: Float64Array;
  readonly logLikelihood: number;
  /** With the log of the smoothing's prior, less its constant: what EM raises. */
  readonly objective: number;
  readonly iterations: number;
  readonly converged: boolean;
}

/** Below this a probability is taken for it in logarithms. */
const least = 1e-300;

export const logOf = (probability: number): number => Math.log(Math.max(least, probability));

export const emptyModel = ({ judges, classes }: Patterns): Model => ({
  prevalence: new Float64Array(classes),
  rates: new Float64Array(judges * classes * classes),
});

export const noCounts = ({ judges, classes }: Patterns): ExpectedCounts => ({
  counts: new Float64Array(judges * classes * classes),
  classCounts: new Float64Array(classes),
});

/** Log weights of an item's classes to their probabilities, in place. @returns the log of the weights' sum */
export function normalise(q: Float64Array): number {
  let most = q[0];
  for (let c = 1; c < q.length; c++) if (q[c] > most) most = q[c];
  let sum = 0;
  for (let c = 0; c < q.length; c++) {
    q[c] = Math.exp(q[c] - most);
    sum += q[c];
  }
  for (let c = 0; c < q.length; c++) q[c] /= sum;
  return most + Math.log(sum);
}

/** M step, into the model: shares of the expected items and votes, with pseudo-counts. @returns the largest change */
export function maximise(
  { prevalence, rates }: Model,
  { counts, classCounts }: ExpectedCounts,
  { judges, classes, voted }: Patterns,
  { confusion, prevalence: base }: Smoothing,
): number {
  let change = 0;
  for (let c = 0; c < classes; c++) {
    const share = (classCounts[c] + base) / (voted + classes * base);
    change = Math.max(change, Math.abs(share - prevalence[c]));
    prevalence[c] = share;
  }
  for (let j = 0; j < judges; j++) {
    for (let c = 0; c < classes; c++) {
      const first = j * classes * classes + c;
      let total = classes * confusion;
      for (let l = 0; l < classes; l++) total += counts[first + l * classes];
      for (let l = 0; l < classes; l++) {
        const at = first + l * classes;
        // Nothing is known of a judge without votes on a class.
        const rate = total > 0 ? (counts[at] + confusion) / total : 1 / classes;
        change = Math.max(change, Math.abs(rate - rates[at]));
        rates[at] = rate;
      }
    }
  }
  return change;
}

/** Log of the smoothing's prior, less its constant. */
export function logPrior({ prevalence, rates }: Model, { confusion, prevalence: base }: Smoothing): number {
  const logs = (values: Float64Array): number => values.reduce((sum, value) => sum + logOf(value), 0);
  return (confusion > 0 ? confusion * logs(rates) : 0) + (base > 0 ? base * logs(prevalence) : 0);
}

/**
 * Maximum likelihood (or, smoothed, posterior mode) of the model by EM (Dawid and Skene 1979, "Maximum likelihood
 * estimation of observer error-rates using the EM algorithm", Applied Statistics 28, 20-28): E step, their equation 2.5,
 * q_ic ~ prevalence_c prod_votes rate(label | c); M step, their 2.3 and 2.4, prevalence and rates are the shares of
 * q-weighted items and votes, plus pseudo-counts.
 */
export class Em {
  private readonly logs: Model;
  private readonly expected: ExpectedCounts;
  private readonly q: Float64Array;

  constructor(
    private readonly patterns: Patterns,
    private readonly smoothing: Smoothing,
  ) {
    this.logs = emptyModel(patterns);
    this.expected = noCounts(patterns);
    this.q = new Float64Array(patterns.classes);
  }

  /** @param start posterior [pattern][class] */
  fromPosterior(start: Float64Array, effort: Effort): EmFit {
    const { count, classes, weights } = this.patterns;
    this.clear();
    for (let p = 0; p < count; p++) {
      for (let c = 0; c < classes; c++) this.q[c] = start[p * classes + c];
      this.gather(p, weights[p]);
    }
    const model = emptyModel(this.patterns);
    maximise(model, this.expected, this.patterns, this.smoothing);
    return this.fromModel(model, effort);
  }

  /** @param start is left alone */
  fromModel(start: Model, { tolerance, iterations }: Effort): EmFit {
    const model = { prevalence: start.prevalence.slice(), rates: start.rates.slice() };
    let [done, converged] = [0, false];
    while (done < iterations && !converged) {
      this.expect(model, null);
      converged = maximise(model, this.expected, this.patterns, this.smoothing) < tolerance;
      done++;
    }
    const posterior = new Float64Array(this.patterns.count * this.patterns.classes);
    const logLikelihood = this.expect(model, posterior);
    const objective = logLikelihood + logPrior(model, this.smoothing);
    const [counts, classCounts] = [this.expected.counts.slice(), this.expected.classCounts.slice()];
    return { model, posterior, logLikelihood, objective, iterations: done, converged, counts, classCounts };
  }

  private clear(): void {
    this.expected.counts.fill(0);
    this.expected.classCounts.fill(0);
  }

  /** Adds a pattern's expected votes and items. */
  private gather(p: number, weight: number): void {
    const { starts, codes, classes } = this.patterns;
    const { counts, classCounts } = this.expected;
    const { q } = this;
    for (let c = 0; c < classes; c++) classCounts[c] += weight * q[c];
    for (let v = starts[p]; v < starts[p + 1]; v++) {
      const at = codes[v] * classes;
      for (let c = 0; c < classes; c++) counts[at + c] += weight * q[c];
    }
  }

  /** E step. @returns the log-likelihood */
  private expect({ prevalence, rates }: Model, posterior: Float64Array | null): number {
    const { starts, codes, classes, count, weights } = this.patterns;
    const { q } = this;
    const { prevalence: logPrevalence, rates: logRates } = this.logs;
    for (let k = 0; k < rates.length; k++) logRates[k] = logOf(rates[k]);
    for (let c = 0; c < classes; c++) logPrevalence[c] = logOf(prevalence[c]);
    this.clear();
    let logLikelihood = 0;
    for (let p = 0; p < count; p++) {
      q.set(logPrevalence);
      for (let v = starts[p]; v < starts[p + 1]; v++) {
        const at = codes[v] * classes;
        for (let c = 0; c < classes; c++) q[c] += logRates[at + c];
      }
      logLikelihood += weights[p] * normalise(q);
      this.gather(p, weights[p]);
      posterior?.set(q, p * classes);
    }
    return logLikelihood;
  }
}
