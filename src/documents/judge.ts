import type { Whole } from "./whole.js";

/** What is taken for known about a judge before any record. */
export interface JudgeModel {
  readonly rates: "learn" | "fixed";
  /** TPR_R, FPR_R, TPR_T and FPR_T as they are held; null where they are learnt. */
  readonly held: Readonly<Record<string, number>> | null;
  /** Of the Dirichlet prior over both labels in each state; null where labels are independent given R and T. */
  readonly concentration: number | null;
}

/** Whether the simple judge, whose label of R depends on R alone and of T on T alone, is enough. */
export interface JudgeComparison {
  /** Records with all of R, A, T, R_J and T_J, which alone are looked at. */
  readonly records: Whole;
  /** Natural logarithm of how much likelier the labels are under the judge with a joint distribution in each state. */
  readonly logBayesFactor: number;
  readonly checks: readonly PairCheck[];
  /** What both say, in words. */
  readonly verdict: string;
}

/** A pair of events that an independent judge lets come together by chance only. */
export interface PairCheck {
  readonly pair: string;
  /** Records in 1,000 in which both happen beyond chance. */
  readonly observed: number;
  /** Where 95 % of data sets lie that are drawn from the independent judge's posterior. */
  readonly lower: number;
  readonly upper: number;
  /** Two-sided posterior predictive p-value, at least 1/2000. */
  readonly p: number;
}
