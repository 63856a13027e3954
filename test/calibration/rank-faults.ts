import { describe, expect, it } from "vitest";
import type { SamplerName } from "../../src/engines/engine.js";
import type { WebGpuEngine } from "../../src/engines/webgpu/engine.js";
import { type CompiledNetwork, compileNetwork, type NetworkDefinition, rat } from "../../src/network/index.js";
import {
  basePlans,
  type Calibration,
  calibrate,
  isUniform,
  logLikelihood,
  type RankTest,
  rankLimit,
} from "../support/calibration.js";
import { Inputs } from "../support/random.js";

/** What faults are planted in. */
export interface Subject {
  readonly name: string;
  readonly sampler: SamplerName;
  /** Left out: the kernel by itself. */
  readonly engine?: () => WebGpuEngine;
  /** Rows whose prior is put off by one, each by itself. */
  readonly rows: readonly string[];
  /** The fault in what it does with the Hamiltonian: where a sign is reversed, and ranks with it. */
  readonly reversed: { readonly where: string; readonly tests: (setup: Calibration) => Promise<RankTest[]> };
}

/** Beta(2, 2) in every row: a posterior without the Jacobian, too. */
const humped: NetworkDefinition = {
  ...rat,
  variables: rat.variables.map((variable) => ({
    ...variable,
    rows: variable.rows.map((row) => (row.always === undefined ? { ...row, prior: [2, 2] } : row)),
  })),
};
const base = { name: "base network", definition: rat, plans: basePlans, refits: 1000 };
const setups = {
  base,
  few: { ...base, plans: [{ seen: ["R", "A", "T"], records: 3 }] },
  humped: { ...base, definition: humped, plans: [{ seen: ["R", "A", "T"], records: 3 }] },
};
type Setup = keyof typeof setups;

export const setupOf = (setup: Setup, { sampler, engine }: Pick<Subject, "sampler" | "engine">): Calibration => ({
  ...setups[setup],
  sampler,
  ...(engine && { engine: engine() }),
});

export const rankFaultLimit = (subjects: readonly Pick<Subject, "sampler">[]): number =>
  rankLimit(subjects.flatMap(({ sampler }) => Object.values(setups).map((setup) => ({ ...setup, sampler }))));

/** Quantities whose ranks are not uniform. */
export const found = (tests: readonly RankTest[], limit: number): string[] =>
  tests.filter((test) => !isUniform(test, limit)).map(({ quantity }) => quantity);

/**
 * On the logits a row has the density theta^a (1 - theta)^b, one power more of each than on theta: the Jacobian. Without
 * it, value and gradient are those of a - 1 and b - 1.
 */
const withoutJacobian = (right: CompiledNetwork): CompiledNetwork => ({
  ...right,
  priorSuccess: right.priorSuccess.map((a) => a - 1),
  priorFailure: right.priorFailure.map((b) => b - 1),
});

const withSuccess =
  (row: number) =>
  (right: CompiledNetwork): CompiledNetwork => ({
    ...right,
    priorSuccess: right.priorSuccess.map((a, k) => (k === row ? a + 1 : a)),
  });

/** A record of the first pattern that has any: which one is lost depends on what it shows. */
function loseFirst(counts: Float64Array): Float64Array {
  const fewer = counts.slice();
  fewer[fewer.findIndex((n) => n > 0)]--;
  return fewer;
}

/** Any one, whatever it shows. */
function loseAny(inputs: Inputs): (counts: Float64Array) => Float64Array {
  return (counts) => {
    const fewer = counts.slice();
    const records = counts.reduce((a, b) => a + b, 0);
    fewer[inputs.category(counts.map((n) => n / records))]--;
    return fewer;
  };
}

const { rowNames } = compileNetwork(rat);

/** Ranks of truths are uniform without a fault, and find each of these, all with the same limit. */
export function testRankFaults(subjects: readonly Subject[]): void {
  const limit = rankFaultLimit(subjects);
  describe.each(subjects.map((subject) => [subject.name, subject] as const))(
    `ranks of ${base.refits} truths with %s, limit ${limit.toFixed(2)} standard errors`,
    (_name, { rows, reversed, ...subject }) => {
      const ranks = async (setup: Setup, fault: Parameters<typeof calibrate>[1] = {}): Promise<string[]> =>
        found(await calibrate(setupOf(setup, subject), fault), limit);

      it.each(Object.keys(setups) as Setup[])("are uniform without a fault: %s", async (setup) => {
        expect(await ranks(setup)).toEqual([]);
      });

      it("find a missing Jacobian, by the log likelihood first of all", async () => {
        expect(await ranks("humped", { network: withoutJacobian })).toContain(logLikelihood);
      });

      it.each(rows)("find a prior that is off by one, of %s alone", async (row) => {
        expect(await ranks("base", { network: withSuccess(rowNames.indexOf(row)) })).toContain(row);
      });

      it("find that one of 72 records is lost, where that depends on what it shows", async () => {
        expect(await ranks("base", { counts: loseFirst })).toContain("theta_R");
      });

      it("find that one of 3 records is lost at random by the log likelihood, and by nothing else", async () => {
        expect(await ranks("few", { counts: loseAny(new Inputs(302)) })).toEqual([logLikelihood]);
      });

      it(`find the sign reversed in the ${reversed.where}`, async () => {
        expect(found(await reversed.tests(setupOf("base", subject)), limit)).toContain(logLikelihood);
      });
    },
  );
}
