import { Variates } from "../../random/variates.js";
import { type StreamUse, streamOf } from "../streams.js";

/** @param set of repeated sets, the first is 0 */
export const variatesOf = (seed: number, use: StreamUse, set = 0): Variates => new Variates(streamOf(use, seed, set));

/** With separators of thousands. */
export const inWords = (count: number): string => count.toLocaleString("en-US");

/** 1 with this probability, else 0. */
export const coin = (variates: Variates, probability: number): 0 | 1 => (variates.uniform() < probability ? 1 : 0);

/** How often a judge says yes to what is true, and no to what is false. */
export interface JudgeRatesPlanted {
  readonly sensitivity: number;
  readonly specificity: number;
}

export const verdictOn = (variates: Variates, truth: 0 | 1, { sensitivity, specificity }: JudgeRatesPlanted): 0 | 1 =>
  coin(variates, truth === 1 ? sensitivity : 1 - specificity);
