import { clusterWarnings } from "../cluster.js";
import type { Prevalence } from "../prevalence.js";
import type { Audit, CountsInput } from "./input.js";

/** The chance that a random audit is said to be none, at most. */
const sampleLevel = 0.001;
/** Below so many audited records of a kind, or so small a J, normal intervals cover less than they should. */
const fewOfAKind = { separate: 30, random: 10 } as const;
const smallJ = { separate: 0.25, random: 0 } as const;

type Found = Pick<Prevalence, "j" | "roganGladen" | "randomSample" | "clusters">;

/** What a reader has to know, in sentences. @param systems of as many the audit is one */
export function prevalenceWarnings(found: Found, audit: Audit, systems = 1): string[] {
  return [
    ...sampleWarnings(found, audit, systems),
    ...roganGladenWarnings(found, audit),
    ...clusterWarnings(found.clusters, "records"),
  ];
}

function sampleWarnings({ randomSample }: Found, { random }: Audit, systems: number): string[] {
  if (random === null || randomSample?.p == null || randomSample.p * systems >= sampleLevel) return [];
  const { audit, judged } = random;
  const own = (audit.truePositives + audit.falsePositives) / auditedOf(audit);
  const rest = judged.positives / (judged.positives + judged.negatives);
  return [
    `the judge says yes to ${own.toFixed(3)} of the audited records and ${rest.toFixed(3)} of the others: the audit is ` +
      "hardly a random sample of them; --sample separate takes nothing but the judge's rates from it",
  ];
}

const auditedOf = (audit: CountsInput["audit"]): number => Object.values(audit).reduce((sum, n) => sum + n, 0);

function roganGladenWarnings({ j, roganGladen, clusters }: Found, audit: Audit): string[] {
  const sample = audit.random === null ? "separate" : "random";
  const [trueOnes, falseOnes] = [audit.sensitivity?.n ?? Infinity, audit.specificity?.n ?? Infinity];
  const few = Math.min(trueOnes, falseOnes) < fewOfAKind[sample];
  const alike = roganGladen.error === 0;
  if (roganGladen.error === null || !(few || alike || (j.value ?? 1) < smallJ[sample])) return [];
  const better =
    sample === "separate" ? "Fieller's" : clusters === null ? "the Bayesian one" : "the prediction-powered one";
  const rare =
    trueOnes <= falseOnes ? `${trueOnes} audited records that are true` : `${falseOnes} audited records that are false`;
  const why = few ? `with only ${rare}` : alike ? "with records that are all alike" : "at so small a J";
  return [`${why} Rogan-Gladen's interval may hold the truth too seldom: go by ${better}`];
}
