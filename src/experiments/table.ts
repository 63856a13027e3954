import type { SweepCell, SweepPaired } from "../documents.js";
import { Average } from "./averages.js";
import type { Cell } from "./design.js";
import type { Row } from "./rows.js";

/** A cell's averages for one quantity. */
class Measures {
  readonly absolute = new Average();
  readonly error = new Average();
  readonly width = new Average();
  readonly covered = new Average();
  maxRhat = Number.NaN;
  minEss = Number.NaN;
}

class Difference {
  readonly absolute = new Average();
  readonly width = new Average();
}

/**
 * The table of an allocation experiment, from its rows in replicate order and in constant memory: error of the posterior
 * mean against the truth, width of the interval, whether it covers the truth; and the differences between strategies at
 * the same addition, replicate by replicate.
 */
export class SweepTable {
  private readonly measures: Measures[][];
  private readonly pairs: { first: number; second: number; differences: Difference[] }[] = [];
  private replicates = 0;

  /** @param truth one number a quantity */
  constructor(
    private readonly cells: readonly Cell[],
    private readonly base: number,
    private readonly quantities: readonly string[],
    private readonly truth: ArrayLike<number>,
  ) {
    this.measures = cells.map(() => quantities.map(() => new Measures()));
    cells.forEach((later, second) => {
      cells.slice(0, second).forEach((earlier, first) => {
        if (earlier.add !== later.add) return;
        this.pairs.push({ first, second, differences: quantities.map(() => new Difference()) });
      });
    });
  }

  /** All rows of one replicate, in the order of the cells. */
  add(rows: readonly Row[]): void {
    this.replicates++;
    for (let q = 0; q < this.quantities.length; q++) {
      const truth = this.truth[q];
      const errors = rows.map((row) => row.quantities[q].mean - truth);
      const widths = rows.map((row) => row.quantities[q].upper - row.quantities[q].lower);
      rows.forEach((row, c) => {
        const { lower, upper, rhat, ess } = row.quantities[q];
        const measures = this.measures[c][q];
        measures.absolute.add(Math.abs(errors[c]));
        measures.error.add(errors[c]);
        measures.width.add(widths[c]);
        measures.covered.add(covers(lower, truth, upper));
        measures.maxRhat = worst(Math.max, measures.maxRhat, rhat);
        measures.minEss = worst(Math.min, measures.minEss, ess);
      });
      for (const { first, second, differences } of this.pairs) {
        differences[q].absolute.add(Math.abs(errors[second]) - Math.abs(errors[first]));
        differences[q].width.add(widths[second] - widths[first]);
      }
    }
  }

  finish(): { cells: SweepCell[]; paired: SweepPaired[] } {
    const cells = this.cells.flatMap(({ strategy, add }, c) =>
      this.quantities.map((quantity, q) => {
        const { absolute, error, width, covered, maxRhat, minEss } = this.measures[c][q];
        return {
          strategy,
          base: this.base,
          add,
          replicates: this.replicates,
          quantity,
          mae: absolute.mean,
          maeSe: absolute.standardError,
          bias: error.mean,
          biasSe: error.standardError,
          rmse: error.rootMeanSquare,
          width: width.mean,
          widthSe: width.standardError,
          coverage: covered.mean,
          coverageSe: covered.standardError,
          maxRhat: Number.isFinite(maxRhat) ? maxRhat : null,
          minEss: Number.isFinite(minEss) ? minEss : null,
        };
      }),
    );
    const paired = this.pairs.flatMap(({ first, second, differences }) =>
      this.quantities.map((quantity, q) => ({
        strategy: this.cells[second].strategy,
        versus: this.cells[first].strategy,
        add: this.cells[second].add,
        quantity,
        maeDifference: differences[q].absolute.mean,
        maeDifferenceSe: differences[q].absolute.standardError,
        widthDifference: differences[q].width.mean,
        widthDifferenceSe: differences[q].width.standardError,
      })),
    );
    return { cells, paired };
  }
}

/** 1 or 0; NaN where the interval or the truth isn't known. */
const covers = (lower: number, truth: number, upper: number): number =>
  Number.isNaN(lower + truth + upper) ? Number.NaN : Number(lower <= truth && truth <= upper);

/** NaN = nothing known yet, or nothing to know. */
const worst = (pick: (a: number, b: number) => number, a: number, b: number): number =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : pick(a, b);
