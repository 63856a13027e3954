import type { Pace } from "../../pace.js";
import { laneCount } from "./beta-factors.js";
import { forEachChunk, type Mixture } from "./mixture.js";
import type { MomentProgram } from "./moment-program.js";
import { CompensatedSums } from "./sum.js";
import { TermBetas } from "./term-betas.js";

export interface Moments {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}

/**
 * Mean and variance of the program's polynomials over the mixture: with m_t and v_t those in term t, w_t its weight,
 *
 *     mean     = sum w_t m_t
 *     variance = sum w_t (v_t + (m_t - o)^2) - (mean - o)^2
 *
 * with the origin o at the mean in the heaviest term, so near the mean that nothing cancels.
 */
export async function mixtureMoments(mixture: Mixture, program: MomentProgram, pace: Pace): Promise<Moments> {
  const { values, meanAt, varianceAt } = program;
  const count = meanAt.length;
  const betas = new TermBetas(mixture);
  const origin = heaviestTermMeans(mixture, program, betas);
  const varyingRows = program.rows.filter((row) => betas.varyingRows.has(row));
  const sums = new CompensatedSums(1 + 2 * count);
  const ways = new Int32Array(laneCount);
  const weights = new Float64Array(laneCount);
  await forEachChunk(mixture, pace, (o, from, to, start) => {
    let lanes = 0;
    for (let i = from; i < to; i++) {
      const weight = mixture.weights[start + i - from];
      ways[lanes] = i;
      weights[lanes] = weight;
      if (weight >= mixture.leastWeight) lanes++;
    }
    if (lanes === 0) return;
    betas.goTo(o, ways, lanes);
    for (const row of varyingRows) program.setRow(row, betas.success[row], betas.failure[row], lanes);
    program.run(lanes);
    sums.add(0, sum(weights, lanes));
    for (let q = 0; q < count; q++) addMoments(sums, q, weights, values, meanAt[q], varianceAt[q], origin[q], lanes);
  });
  const weight = sums.value(0);
  const shift = Float64Array.from({ length: count }, (_, q) => sums.value(1 + 2 * q) / weight);
  return {
    mean: shift.map((s, q) => origin[q] + s),
    variance: shift.map((s, q) => sums.value(2 + 2 * q) / weight - s * s),
  };
}

function sum(weights: Float64Array, lanes: number): number {
  let total = 0;
  for (let l = 0; l < lanes; l++) total += weights[l];
  return total;
}

function addMoments(
  sums: CompensatedSums,
  quantity: number,
  weights: Float64Array,
  values: Float64Array,
  meanAt: number,
  varianceAt: number,
  origin: number,
  lanes: number,
): void {
  let first = 0;
  let second = 0;
  for (let l = 0; l < lanes; l++) {
    const deviation = values[meanAt + l] - origin;
    first += weights[l] * deviation;
    second += weights[l] * (values[varianceAt + l] + deviation * deviation);
  }
  sums.add(1 + 2 * quantity, first);
  sums.add(2 + 2 * quantity, second);
}

/** Leaves the rows that don't vary set for good. */
function heaviestTermMeans(mixture: Mixture, program: MomentProgram, betas: TermBetas): Float64Array {
  const heaviest = mixture.weights.indexOf(1);
  const innerWay = heaviest % mixture.inner.length;
  betas.goTo((heaviest - innerWay) / mixture.inner.length, new Int32Array(laneCount).fill(innerWay), laneCount);
  for (const row of program.rows) program.setRow(row, betas.success[row], betas.failure[row], laneCount);
  program.run(laneCount);
  return Float64Array.from(program.meanAt, (at) => program.values[at]);
}
