/** What a test of no effect found. */
export interface Significance {
  readonly test: string;
  /** Null where there is none, as in an exact test of two counts. */
  readonly statistic: number | null;
  /** Two-sided unless the test says otherwise; 0 below the least double, which log10P tells apart. */
  readonly p: number | null;
  readonly log10P: number | null;
  /** Why there is no p; null where there is one. */
  readonly reason: string | null;
}

/** @param logP natural logarithm of the p-value */
export function significance(test: string, statistic: number | null, logP: number): Significance {
  const log = Math.min(0, logP);
  // Less the sign of -0.
  return { test, statistic, p: Math.exp(log), log10P: log / Math.LN10 + 0, reason: null };
}

export const noSignificance = (test: string, reason: string): Significance => ({
  test,
  statistic: null,
  p: null,
  log10P: null,
  reason,
});
