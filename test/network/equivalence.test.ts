import { describe, expect, it } from "vitest";
import { logDensity, rowEntries } from "../../src/network/density.js";
import { compileNetwork, fold, patternIndex, rat, ratJudge } from "../../src/network/index.js";
import { Inputs } from "../support/random.js";

/** The six (R, A, T) that can happen, in the order of the base network's cells. */
const states = [
  [0, 0, 0],
  [0, 0, 1],
  [0, 1, 0],
  [1, 0, 0],
  [1, 0, 1],
  [1, 1, 0],
] as const;

/** Level or -1 of R, A, T, R_J, T_J. */
type JudgeRecord = readonly [number, number, number, number, number];

/**
 * The judge as the paper states it: in each state one categorical over the four (R_J, T_J) with a Dirichlet prior, on
 * top of five base probabilities. Log density with respect to the probabilities themselves, up to its constant.
 */
function fourLevelLogDensity(
  base: readonly number[],
  joint: readonly (readonly number[])[],
  concentration: number,
  records: readonly { levels: JudgeRecord; times: number }[],
): number {
  const [r, a0, a1, t0, t1] = base;
  const state = [
    (1 - r) * (1 - a0) * (1 - t0),
    (1 - r) * (1 - a0) * t0,
    (1 - r) * a0,
    r * (1 - a1) * (1 - t1),
    r * (1 - a1) * t1,
    r * a1,
  ];
  let value = 0;
  for (const { levels, times } of records) {
    let probability = 0;
    states.forEach((rat, s) => {
      for (let j = 0; j < 4; j++) {
        const cell = [...rat, j >> 1, j & 1];
        if (cell.every((level, v) => levels[v] < 0 || levels[v] === level)) probability += state[s] * joint[s][j];
      }
    });
    value += times * Math.log(probability);
  }
  for (const q of joint) for (const p of q) value += (concentration - 1) * Math.log(p);
  return value;
}

function someRecords(inputs: Inputs): { levels: JudgeRecord; times: number }[] {
  return Array.from({ length: 40 }, () => {
    const state = states[inputs.below(6)];
    const seen = (level: number): number => (inputs.below(2) === 0 ? -1 : level);
    const levels: JudgeRecord = [
      seen(state[0]),
      state[1],
      seen(state[2]),
      seen(inputs.below(2)),
      seen(inputs.below(2)),
    ];
    return { levels, times: 1 + inputs.below(30) };
  });
}

describe("the judge's two labels as chained rows", () => {
  it.each([1, 0.25, 3])(
    "have the posterior density of one row of four levels with prior Dirichlet(%d, ...), to 1e-12 of its size",
    (concentration) => {
      const network = compileNetwork(ratJudge(concentration));
      const inputs = new Inputs(11);
      const records = someRecords(inputs);
      const counts = new Float64Array(network.patterns.length);
      const indexOf = patternIndex(network);
      for (const { levels, times } of records) counts[indexOf(levels)] += times;
      const folded = fold(network, counts);
      const constants = Array.from({ length: 50 }, () => {
        const logits = inputs.array(23, () => inputs.uniform(-3, 3));
        const entries = rowEntries(logits);
        const theta = Array.from({ length: 23 }, (_, k) => entries[2 * k + 1]);
        // Change of variables: logits to Bernoullis, and R_J, T_J | R_J = 0, 1 to the simplex of a state.
        let jacobian = 0;
        for (const p of theta) jacobian += Math.log(p) + Math.log(1 - p);
        const joint = states.map((_, s) => {
          const r = theta[5 + s];
          const [t0, t1] = [theta[11 + 2 * s], theta[12 + 2 * s]];
          jacobian += Math.log(r) + Math.log(1 - r);
          return [(1 - r) * (1 - t0), (1 - r) * t0, r * (1 - t1), r * t1];
        });
        const chained = logDensity(network, folded, logits).value - jacobian;
        return { chained, four: fourLevelLogDensity(theta.slice(0, 5), joint, concentration, records) };
      });
      const [first] = constants;
      for (const { chained, four } of constants) {
        const error = chained - four - (first.chained - first.four);
        expect(Math.abs(error)).toBeLessThan(1e-12 * (Math.abs(chained) + Math.abs(first.chained)));
      }
    },
  );

  it("have the rows' order that the test above relies on", () => {
    const { rowNames } = compileNetwork(ratJudge());
    expect(rowNames.slice(0, 5)).toEqual(compileNetwork(rat).rowNames);
    expect(rowNames.slice(5, 11)).toEqual(states.map(([R, A, T]) => `R_J|R${R}A${A}T${T}`));
    expect(rowNames.slice(11)).toEqual(
      states.flatMap(([R, A, T]) => [0, 1].map((level) => `T_J|R${R}A${A}T${T}R_J${level}`)),
    );
  });

  it("have the base network's posterior where no judge's label was seen, up to the judge's prior", () => {
    const base = compileNetwork(rat);
    const judge = compileNetwork(ratJudge());
    const inputs = new Inputs(12);
    const counts = inputs.array(base.patterns.length, () => inputs.below(100));
    const judgeCounts = new Float64Array(judge.patterns.length);
    const indexOf = patternIndex(judge);
    base.patterns.forEach(({ levels }, m) => {
      judgeCounts[indexOf([...levels, -1, -1])] += counts[m];
    });
    const [empty, own] = [fold(judge, new Float64Array(judge.patterns.length)), fold(judge, judgeCounts)];
    for (let repeat = 0; repeat < 20; repeat++) {
      const logits = inputs.array(23, () => inputs.uniform(-3, 3));
      const baseFolded = fold(base, counts);
      const { value, gradient } = logDensity(base, baseFolded, logits.subarray(0, 5));
      const whole = logDensity(judge, own, logits);
      const prior = logDensity(judge, empty, logits);
      const basePrior = logDensity(base, fold(base, new Float64Array(18)), logits.subarray(0, 5));
      expect(Math.abs(whole.value - prior.value - (value - basePrior.value))).toBeLessThan(1e-12 * Math.abs(value));
      for (let k = 0; k < 5; k++) expect(Math.abs(whole.gradient[k] - gradient[k])).toBeLessThan(1e-10);
      expect([...whole.gradient.subarray(5)]).toEqual([...prior.gradient.subarray(5)]);
    }
  });
});
