import { failureOf, type Increments, successOf } from "./axis.js";
import { laneCount } from "./beta-factors.js";
import type { Mixture } from "./mixture.js";

/** The Beta distributions of the rows in up to `laneCount` terms of a mixture with the same way on the outer axis. */
export class TermBetas {
  /** By row, a term a lane. */
  readonly success: readonly Float64Array[];
  readonly failure: readonly Float64Array[];
  /** Rows whose distribution is not the same in all terms. */
  readonly varyingRows: ReadonlySet<number>;
  private readonly varying: readonly Varying[];

  constructor({ base, outer, inner }: Mixture) {
    const columns = Array.from(base, (value, argument) => ({
      lanes: new Float64Array(argument % 3 === successOf || argument % 3 === failureOf ? laneCount : 0).fill(value),
      base: value,
      argument,
      outer: outer.increments[argument],
      inner: inner.increments[argument],
    }));
    this.success = columns.filter(({ argument }) => argument % 3 === successOf).map(({ lanes }) => lanes);
    this.failure = columns.filter(({ argument }) => argument % 3 === failureOf).map(({ lanes }) => lanes);
    this.varying = columns.filter(
      ({ argument, outer, inner }) => argument % 3 !== 2 && (outer !== null || inner !== null),
    );
    this.varyingRows = new Set(this.varying.map(({ argument }) => Math.floor(argument / 3)));
  }

  /** Puts terms into the lanes: the first `lanes` of the inner ways. */
  goTo(outerWay: number, innerWays: Int32Array, lanes: number): void {
    for (const { lanes: values, base, outer, inner } of this.varying) {
      const fixed = base + (outer === null ? 0 : outer.values[outerWay]);
      if (inner === null) values.fill(fixed, 0, lanes);
      else for (let l = 0; l < lanes; l++) values[l] = fixed + inner.values[innerWays[l]];
    }
  }
}

interface Varying {
  readonly lanes: Float64Array;
  readonly base: number;
  readonly argument: number;
  readonly outer: Increments | null;
  readonly inner: Increments | null;
}
