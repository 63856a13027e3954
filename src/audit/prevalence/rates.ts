import { bareEstimate, type Estimate, shareEstimate, undefinedEstimate } from "../estimate.js";
import { clusteredRate, correlation } from "./clusters.js";
import { influenceOf, rateWeights } from "./covariance.js";
import type { Audit, Rate } from "./input.js";
import { youden } from "./youden.js";

interface RateEstimates {
  readonly observed: Estimate;
  readonly sensitivity: Estimate;
  readonly specificity: Estimate;
  readonly j: Estimate;
}

/** The judge's rates, as they are seen. */
export function rateEstimates(audit: Audit, level: number): RateEstimates {
  const estimate = (name: "observed" | "sensitivity" | "specificity", why = ""): Estimate => {
    const clusters = audit.counts?.clusters;
    return clusters === undefined
      ? rateEstimate(audit[name], level, why)
      : clusteredRate(audit, clusters, name, { level, why });
  };
  const sensitivity = estimate("sensitivity", "no audited record is true");
  const specificity = estimate("specificity", "no audited record is false");
  return {
    ...{ observed: estimate("observed"), sensitivity, specificity },
    j: youdenEstimate(audit, sensitivity, specificity),
  };
}

function rateEstimate(rate: Rate | null, level: number, why: string): Estimate {
  if (rate === null) return undefinedEstimate("no records", why);
  return rate.n === null ? bareEstimate(rate.value) : shareEstimate(rate.value, rate.n, level);
}

/**
 * J with the interval of a sum of two shares from theirs (Newcombe 1998, "Interval estimation for the difference between
 * independent proportions", Stat. Med. 17, 873-890, method 10; of clusters with the correlation of the two, as his "Improved
 * confidence intervals for the difference between binomial proportions based on paired data", 2635-2650).
 */
function youdenEstimate(audit: Audit, a: Estimate, b: Estimate): Estimate {
  if (a.value === null) return a;
  if (b.value === null) return b;
  const value = youden(a.value, b.value);
  const few = [a, b].some(
    ({ error }, i) => error === null && (i === 0 ? audit.sensitivity : audit.specificity)?.n !== null,
  );
  if (few || (a.error === null && b.error === null)) return bareEstimate(value);
  const clusters = audit.counts?.clusters;
  const rho =
    clusters === undefined
      ? 0
      : correlation(
          influenceOf(clusters, rateWeights(audit, "sensitivity")),
          influenceOf(clusters, rateWeights(audit, "specificity")),
        );
  const joint = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x + y * y + 2 * rho * x * y));
  return {
    value,
    error: joint(a.error ?? 0, b.error ?? 0),
    lower: Math.max(-1, value - joint(below(a), below(b))),
    upper: Math.min(1, value + joint(above(a), above(b))),
    interval: clusters === undefined ? "Newcombe" : "clustered Newcombe",
    reason: null,
  };
}

/** How far a rate's ends are from it; a known one's not at all. */
const below = ({ value, lower }: Estimate): number => (value === null || lower === null ? 0 : value - lower);
const above = ({ value, upper }: Estimate): number => (value === null || upper === null ? 0 : upper - value);
