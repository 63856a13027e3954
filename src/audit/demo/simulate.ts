import { STREAM_AUDIT } from "../../generated/layout.js";
import { Stream } from "../../random/stream.js";
import { Variates } from "../../random/variates.js";

/** Which of a seed's streams each simulation draws from, beyond those of the audits themselves. */
export const scenes = { dense: 64, systems: 65, tables: 66, confidence: 67, panel: 68, swap: 69, votes: 70 } as const;

/** @param set of repeated sets, the first is 0 */
export const variatesOf = (seed: number, scene: number, set = 0): Variates =>
  new Variates(new Stream(seed, set, STREAM_AUDIT, scene));

/** With separators of thousands. */
export const inWords = (count: number): string => count.toLocaleString("en-US");

/** 1 with this probability, else 0. */
export const coin = (variates: Variates, probability: number): 0 | 1 => (variates.uniform() < probability ? 1 : 0);

/** What one of a judge's verdicts is like. */
export interface JudgeRatesPlanted {
  readonly sensitivity: number;
  readonly specificity: number;
}

export const verdictOn = (variates: Variates, truth: 0 | 1, { sensitivity, specificity }: JudgeRatesPlanted): 0 | 1 =>
  coin(variates, truth === 1 ? sensitivity : 1 - specificity);
