import type { FitQuantity } from "./quantity.js";

/** The same records under other priors; lists a prior have the order of `priors`. */
export interface PriorSensitivity {
  readonly priors: readonly StatedPrior[];
  readonly quantities: readonly QuantitySensitivity[];
  readonly conclusions: readonly ConclusionSensitivity[];
  /** What the samplers of these posteriors have to tell, beyond the fit's own warnings. */
  readonly warnings: readonly string[];
}

/** Beta(c, c) on every row; of more than two levels Dirichlet with c a level. */
export interface StatedPrior {
  readonly name: string;
  readonly concentration: number;
}

export interface QuantitySensitivity {
  readonly name: string;
  readonly under: readonly Pick<FitQuantity, "mean" | "sd" | "lower" | "upper" | "mcse">[];
  /** Largest difference between two of the means, in posterior standard deviations under the first prior. */
  readonly shift: number | null;
  /** Whether that is more than half a standard deviation. */
  readonly moves: boolean;
}

export interface ConclusionSensitivity {
  readonly statement: string;
  readonly expression: string;
  /** Posterior probability that it holds, and its Monte Carlo standard error. */
  readonly under: readonly { readonly probability: number | null; readonly mcse: number | null }[];
  /** Whether it is 0.95 or more under one prior and less under another. */
  readonly moves: boolean;
}
