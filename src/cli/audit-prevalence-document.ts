import { alarms } from "../audit/alarm.js";
import { bayesianCautions, type PrevalencePriors } from "../audit/prevalence/bayesian.js";
import { biasAlarm } from "../audit/prevalence/bias.js";
import { auditOf } from "../audit/prevalence/input.js";
import { prevalenceWarnings } from "../audit/prevalence/warnings.js";
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
  /** Uniform where left out. */
  readonly priors: Partial<PrevalencePriors>;
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
      const { alarms: _alarms, warnings: _warnings, ...found } = auditPrevalence(input, { level });
      const result = { system, audit, unaudited, ...found, bayesian };
      results.push(result);
      say(system, [
        ...bayesianCautions(bayesian, sample),
        ...prevalenceWarnings(found, auditOf(input), systems.length),
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
        alarm: biasAlarm(auditOf(systems[s].input), result.bias, several ? result.system : null, systems.length),
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
