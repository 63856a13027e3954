import type { FitQuantity, SweepCell } from "./documents.js";
import type { ChainStatistics } from "./engines/engine.js";

/** R-hat and effective sample size that Vehtari et al. (2021) ask for before draws are used. */
const mostRhat = 1.01;
const leastEss = 400;

/** Chains that they have in mind. */
const usualChains = 8;

/**
 * Of many short chains R-hat is above 1 however good they are: near sqrt(1 + halves / ESS) (Vats and Knudson 2021), and
 * twice as far is not rare among many quantities.
 */
function mostRhatOf({ essBulk, essTail }: FitQuantity, chains: number): number {
  const ess = Math.min(essBulk ?? leastEss, essTail ?? leastEss);
  return chains <= usualChains ? mostRhat : Math.max(mostRhat, 1 + (2 * chains) / ess);
}

interface Sampled {
  readonly quantities: readonly FitQuantity[];
  readonly statistics: ChainStatistics | null;
  /** Chains, from 0, in which each quantity never moved. */
  readonly stuck: readonly (readonly number[])[];
  readonly draws: number;
}

/** What a reader of the numbers must know, in words. */
export function warningsOf({ quantities, statistics, stuck, draws }: Sampled): string[] {
  const warnings: string[] = [];
  const names = (test: (quantity: FitQuantity) => boolean): string =>
    quantities
      .filter(test)
      .map((quantity) => quantity.name)
      .join(", ");
  const blank = names((quantity) => quantity.noData === true);
  if (blank) warnings.push(`no data on ${blank}: what is shown is the prior`);
  const partly = stuck.findIndex((chains) => chains.length > 0);
  if (partly >= 0) {
    const chains = stuck[partly].map((chain) => chain + 1).join(", ");
    warnings.push(`chain ${chains} never moved in ${quantities[partly].name}: no R-hat or ESS can be trusted`);
  }
  const chains = statistics?.stepSize.length ?? 0;
  const far = names((quantity) => quantity.rhat !== null && quantity.rhat > mostRhatOf(quantity, chains));
  if (far) warnings.push(`R-hat above ${mostRhat} for ${far}: the chains disagree; ${remedy(worstRhat(quantities))}`);
  const few = names((q) => Math.min(q.essBulk ?? leastEss, q.essTail ?? leastEss) < leastEss);
  if (few) warnings.push(`effective sample size below ${leastEss} for ${few}: use more draws`);
  const sum = (values: readonly number[] | undefined): number => (values ?? []).reduce((a, b) => a + b, 0);
  const divergences = sum(statistics?.divergences);
  if (divergences > 0) warnings.push(`${divergences} of ${draws} transitions diverged: the intervals may be wrong`);
  const limited = sum(statistics?.maxDepth);
  if (limited > 0) warnings.push(`${limited} of ${draws} trajectories met the depth limit: slow, but not wrong`);
  return warnings;
}

/** Beyond, chains are not slow: they are in different places. */
const apart = 1.2;

const worstRhat = (quantities: readonly FitQuantity[]): number => Math.max(...quantities.map(({ rhat }) => rhat ?? 1));

const remedy = (rhat: number): string =>
  rhat > apart
    ? "where more warmup and draws don't help, the posterior has several modes, which labels of what is hidden tell apart"
    : "use more warmup and draws";

/** Of the thousands of refits of a sweep some are worse than any single fit may be; beyond these its table can't be trusted. */
const mostSweepRhat = 1.05;
const leastSweepEss = 100;

/** What a reader of a sweep's table must know, in words. */
export function sweepWarnings(cells: readonly SweepCell[]): string[] {
  const worst = Math.max(...cells.map(({ maxRhat }) => maxRhat ?? 1));
  const least = Math.min(...cells.map(({ minEss }) => minEss ?? leastSweepEss));
  const warnings: string[] = [];
  if (worst > mostSweepRhat) {
    warnings.push(`R-hat up to ${worst.toPrecision(3)}: in some refits the chains disagree; ${remedy(worst)}`);
  }
  if (least < leastSweepEss) {
    warnings.push(`effective sample size down to ${Math.floor(least)}: errors and widths are off; use more draws`);
  }
  return warnings;
}
