import { alarms } from "../audit/alarm.js";
import { bayesianCautions, type PrevalencePriors } from "../audit/prevalence/bayesian.js";
import { biasAlarm } from "../audit/prevalence/bias.js";
import { type Audit, auditOf } from "../audit/prevalence/input.js";
import { type AuditSample, auditPrevalence, orderSystems } from "../audit/prevalence.js";
import type { AuditPrevalenceDocument, AuditPrevalenceSystem } from "../documents.js";
import { openEngine } from "../engines/choose.js";
import { samplePrevalence } from "../judge/prevalence.js";
import { showList } from "../records/row.js";
import { prevalenceNotes } from "../report/audit-prevalence.js";
import { counted } from "../report/format.js";
import type { ReadSystems, SystemCounts } from "./audit-prevalence-rows.js";

interface DocumentOptions {
  readonly source: string | null;
  readonly sample: AuditSample;
  readonly level: number;
  readonly seed: number;
  readonly priors: PrevalencePriors;
}

/** All estimates of all systems, their order, and what to know about them. */
export async function prevalenceDocument(
  { systems, leftOut, clusters }: ReadSystems,
  { source, sample, level, seed, priors }: DocumentOptions,
): Promise<AuditPrevalenceDocument> {
  const several = systems.length > 1;
  const results: AuditPrevalenceSystem[] = [];
  const said: string[] = [];
  const say = (system: string, what: readonly string[]): void => {
    for (const one of what) said.push(several ? `${system}: ${one}` : one);
  };
  const named = systems.map(({ system, input }) => ({ name: system, input }));
  const order = several ? orderSystems(named, { seed }) : null;
  // Three parameters of some counts: a thread of its own would take longer to start than they take.
  const engine = await openEngine({ engine: "wasm", sampler: "nuts", workers: 0 });
  try {
    for (const [id, { system, input, audit, unaudited }] of systems.entries()) {
      const { bayesian, warnings } = await samplePrevalence(engine, input, { seed, id, level, priors });
      const { alarms: _ofOne, ...found } = auditPrevalence(input, { level });
      const result = { system, audit, unaudited, ...found, bayesian };
      results.push(result);
      say(system, [
        ...cautions(result, auditOf(input), { sample, systems: systems.length }),
        ...warnings.map((warning) => `Bayesian: ${warning}`),
      ]);
    }
  } finally {
    await engine.dispose();
  }
  const bare = systems.filter(({ audit }) => audit !== null && auditedOf(audit) === 0);
  return {
    ...{ source, sample, clusters, level, seed },
    ...{ systems: results, order },
    alarms: alarms(
      results.map((result, s) => ({
        test: result.bias,
        alarm: biasAlarm(auditOf(systems[s].input), result.roganGladen.value, several ? result.system : null),
      })),
    ),
    warnings: [
      ...(leftOut > 0
        ? [`${counted(String(leftOut), "row")} without the judge's verdict ${leftOut === 1 ? "is" : "are"} left out`]
        : []),
      ...(bare.length > 0 ? [`no record is audited: ${showList(bare.map(({ system }) => system))}`] : []),
      ...said,
    ],
    notes: prevalenceNotes(sample, clusters !== null),
  };
}

const auditedOf = (audit: NonNullable<SystemCounts["audit"]>): number =>
  Object.values(audit).reduce((sum, n) => sum + n, 0);

/** The chance that a random audit is said to be none, at most. */
const sampleLevel = 0.001;
/** Below so many audited records of a kind, or so small a J, normal intervals cover less than they should. */
const fewOfAKind = { separate: 30, random: 10 } as const;
const smallJ = { separate: 0.25, random: 0 } as const;
const fewClusters = 20;

function cautions(
  result: AuditPrevalenceSystem,
  given: Audit,
  { sample, systems }: { readonly sample: AuditSample; readonly systems: number },
): string[] {
  const { randomSample, bayesian, roganGladen, clusters, audit, unaudited, j } = result;
  const told = bayesianCautions(bayesian, sample);
  if (randomSample?.p != null && randomSample.p * systems < sampleLevel && audit !== null && unaudited !== null) {
    const own = (audit.truePositives + audit.falsePositives) / auditedOf(audit);
    const rest = unaudited.positives / (unaudited.positives + unaudited.negatives);
    told.push(
      `the judge says yes to ${own.toFixed(3)} of the audited records and ${rest.toFixed(3)} of the others: the audit is ` +
        "hardly a random sample of them; --sample separate takes nothing but the judge's rates from it",
    );
  }
  const [trueOnes, falseOnes] = [given.sensitivity?.n ?? Infinity, given.specificity?.n ?? Infinity];
  const few = Math.min(trueOnes, falseOnes) < fewOfAKind[sample];
  const alike = roganGladen.error === 0;
  if (roganGladen.error !== null && (few || alike || (j.value ?? 1) < smallJ[sample])) {
    const better =
      sample === "separate" ? "Fieller's" : clusters === null ? "the Bayesian one" : "the prediction-powered one";
    const rare =
      trueOnes <= falseOnes
        ? `${trueOnes} audited records that are true`
        : `${falseOnes} audited records that are false`;
    const why = few ? `with only ${rare}` : alike ? "with records that are all alike" : "at so small a J";
    told.push(`${why} Rogan-Gladen's interval may hold the truth too seldom: go by ${better}`);
  }
  if (clusters !== null && clusters < 2) told.push("there is one cluster: nothing tells the errors");
  else if (clusters !== null && clusters < fewClusters) {
    told.push(`${clusters} clusters are few: intervals that rest on them are rough`);
  }
  return told;
}
