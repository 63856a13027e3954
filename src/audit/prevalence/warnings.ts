import { clusterWarnings } from "../cluster.js";
import { counted } from "../counted.js";
import type { Prevalence } from "../prevalence.js";
import { influenceOf, rateWeights } from "./covariance.js";
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
    ...rateWarnings(audit),
    ...sampleWarnings(found, audit, systems),
    ...roganGladenWarnings(found, audit),
    ...fewClusters(audit),
  ];
}

/** Of rates that are given: what they can't be of so many records, and what they leave out. */
function rateWarnings(audit: Audit): string[] {
  if (audit.counts !== null) return [];
  const names = ["observed", "sensitivity", "specificity"] as const;
  const odd = names.flatMap((name) => {
    const rate = audit[name];
    if (rate === null || rate.n === null || !Number.isInteger(rate.n) || isShareOf(rate.value, rate.n)) return [];
    const nearest = Math.round(rate.value * rate.n);
    const taken = name === "observed" ? `, so the Bayesian estimate takes ${nearest}` : "";
    return [
      `${inWords[name]} can't be ${rate.value} of ${counted(rate.n, "record")}: the nearest is ${nearest}${taken}`,
    ];
  });
  const known = names.slice(1).filter((name) => audit[name]?.n === null);
  return [
    ...odd,
    ...(audit.observed.n === null
      ? ["how many records were judged isn't given: without it there are no intervals"]
      : []),
    ...(audit.observed.n !== null && known.length > 0
      ? [
          `${known.join(" and ")} ${known.length > 1 ? "are" : "is"} taken for known: no interval has their errors in it`,
        ]
      : []),
  ];
}

const inWords = {
  observed: "the observed rate",
  sensitivity: "sensitivity",
  specificity: "specificity",
} as const;

/** Whether a share of so many records, as it is printed, is of a whole number of them. */
function isShareOf(share: number, n: number): boolean {
  const [, decimals = "", exponent = "0"] = /^\d*\.?(\d*)(?:e(.*))?$/.exec(String(share)) ?? [];
  const printed = 0.5 * 10 ** (Number(exponent) - decimals.length);
  return Math.abs(share - Math.round(share * n) / n) <= printed * (1 + 1e-9) + 1e-12;
}

/** Of all records, and of the audited ones of a kind where they lie in fewer clusters: what is made of them is no surer. */
function fewClusters(audit: Audit): string[] {
  const clusters = audit.counts?.clusters;
  if (clusters === undefined) return [];
  const warningsOf = (name: keyof typeof clusteredRows) =>
    clusterWarnings(influenceOf(clusters, rateWeights(audit, name)).sizes, clusteredRows[name]);
  const ofAll = warningsOf("observed");
  const ofRates = (["sensitivity", "specificity"] as const).flatMap((name) =>
    audit[name] === null
      ? []
      : warningsOf(name)
          .filter((warning) => !ofAll.includes(warning))
          .map((warning) => `${name}: ${warning}`),
  );
  return [...ofAll, ...ofRates];
}

const clusteredRows = {
  observed: "records",
  sensitivity: "audited records that are true",
  specificity: "audited records that are false",
} as const;

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
  if (roganGladen.error !== null && roganGladen.lower === null) {
    const side = (roganGladen.raw ?? 0) < 0 ? "rarely" : "often";
    return [
      `the judge says yes so ${side} that no prevalence goes with these rates: they are those of other records, or of another judge`,
    ];
  }
  const few = Math.min(trueOnes, falseOnes) < fewOfAKind[sample];
  const alike = roganGladen.error === 0;
  if (roganGladen.error === null || !(few || alike || (j.value ?? 1) < smallJ[sample])) return [];
  const better =
    sample === "separate" ? "Fieller's" : clusters === null ? "the Bayesian one" : "the prediction-powered one";
  const rare = trueOnes <= falseOnes ? counted(trueOnes, "true record") : counted(falseOnes, "false record");
  const why = few ? `with only ${rare} audited` : alike ? "with records that are all alike" : "at so small a J";
  return [`${why} Rogan-Gladen's interval may hold the truth too seldom: go by ${better}`];
}
