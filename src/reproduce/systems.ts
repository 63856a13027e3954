/** The paper's 27 systems as its first two tables have them, with intervals. */
import { type MaterialOptions, Materials, type Posterior } from "./materials.js";
import type { Configuration } from "./printed.js";

/** Of Tables 1 and 2, in their order. */
export const systemQuantities = [
  ...["P(R=1)", "P(A=1)", "P(T=1)", "P(G=1)"],
  ...["theta_A-", "theta_A+", "theta_T-", "theta_T+"],
] as const;

export interface SystemInterval {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

/** One system: exact means, with 95% intervals by quantity. */
export interface SystemIntervals extends Configuration {
  readonly intervals: ReadonlyMap<string, SystemInterval>;
}

/** From the posteriors that the tables and claims of a run with the same seed are made from. */
export async function systemIntervals(options: MaterialOptions): Promise<SystemIntervals[]> {
  return (await new Materials(options, new Map()).posteriors()).map(intervalsOf);
}

function intervalsOf({ dataset, retriever, generator, fit: { quantities } }: Posterior): SystemIntervals {
  const intervals = new Map<string, SystemInterval>();
  for (const { name, mean, lower, upper } of quantities) {
    if (mean !== null && lower !== null && upper !== null) intervals.set(name, { mean, lower, upper });
  }
  return { dataset, retriever, generator, intervals };
}
