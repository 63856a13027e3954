import type { Clusters } from "../cluster.js";
import { streamOf } from "../streams.js";
import { type Effort, Em, type Model, type Smoothing } from "./em.js";
import { noErrors, type RateErrors } from "./information.js";
import { informednessOf } from "./judges.js";
import { resample } from "./simulate.js";
import { membersOf } from "./spread.js";
import { anchored } from "./starts.js";
import type { Patterns } from "./votes.js";

/**
 * Standard errors as the standard deviations of refits to items drawn with replacement (Efron 1979, "Bootstrap methods:
 * another look at the jackknife", Annals of Statistics 7, 1-26), or to whole clusters, each from the estimate and anchored to
 * its own votes.
 */
export function bootstrapErrors(
  patterns: Patterns,
  shares: Float64Array,
  model: Model,
  smoothing: Smoothing,
  effort: Effort,
  replicates: number,
  seed: number,
  clusters: Clusters | null,
): RateErrors {
  const { judges, classes } = patterns;
  if (clusters !== null && clusters.count < 2) {
    return noErrors(patterns, "no standard errors: there are fewer than two clusters");
  }
  const members = clusters === null ? null : membersOf(clusters);
  const spread = {
    prevalence: new Spread(classes),
    rates: new Spread(model.rates.length),
    informed: new Spread(judges),
  };
  for (let b = 0; b < replicates; b++) {
    const drawn = resample(patterns, members, streamOf("refits", seed, b));
    if (drawn.voted === 0) continue;
    const fit = anchored(new Em(drawn, smoothing).fromModel(model, effort), drawn, shares);
    spread.prevalence.add(fit.model.prevalence);
    spread.rates.add(fit.model.rates);
    spread.informed.add(informednessOf(fit.model, judges, classes));
  }
  return {
    ...noErrors(patterns, null),
    prevalence: spread.prevalence.deviations(),
    rates: spread.rates.deviations(),
    informedness: spread.informed.deviations(),
    method: clusters === null ? "bootstrap" : "clustered bootstrap",
  };
}

/** Running means and sums of squares (Welford 1962, Technometrics 4, 419-420). */
class Spread {
  private readonly mean: Float64Array;
  private readonly squares: Float64Array;
  private count = 0;

  constructor(size: number) {
    this.mean = new Float64Array(size);
    this.squares = new Float64Array(size);
  }

  add(values: Float64Array): void {
    this.count++;
    for (let i = 0; i < values.length; i++) {
      const offset = values[i] - this.mean[i];
      this.mean[i] += offset / this.count;
      this.squares[i] += offset * (values[i] - this.mean[i]);
    }
  }

  deviations(): Float64Array {
    return this.squares.map((square) => (this.count > 1 ? Math.sqrt(square / (this.count - 1)) : Number.NaN));
  }
}
