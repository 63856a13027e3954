import type { Whole } from "./whole.js";

export interface FitQuantity {
  readonly name: string;
  readonly mean: number | null;
  readonly sd: number | null;
  readonly median: number | null;
  /** Ends of the equal-tailed interval at the fit's level. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Monte Carlo standard error of the mean. */
  readonly mcse: number | null;
  /** Effective sample size for the middle of the posterior. */
  readonly essBulk: number | null;
  /** Effective sample size for its tails. */
  readonly essTail: number | null;
  /** Rank-normalised split R-hat: near 1 where the chains agree. */
  readonly rhat: number | null;
  /** The raw fraction k / n where the quantity is a plain proportion of seen labels. */
  readonly counted: { readonly k: Whole; readonly n: Whole } | null;
  /** Records that show the quantity; null for arithmetic over several probabilities. */
  readonly nObserved: Whole | null;
  /** Records that might show it, but lack a label. */
  readonly nMissing: Whole | null;
  /** Nothing seen informs the quantity beyond the prior. */
  readonly noData?: true;
}
