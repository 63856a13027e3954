import type { CompiledNetwork } from "../../network/compiled.js";
import type { Pace } from "../../pace.js";
import { quantileOfSorted } from "../../statistics/quantile.js";
import type { Draws } from "../engine.js";
import { type DrawOptions, drawQuantities } from "./draws.js";
import { buildMixture, type Mixture } from "./mixture.js";
import { MomentProgram } from "./moment-program.js";
import { mixtureMoments } from "./moments.js";
import type { Polynomial } from "./polynomial.js";
import { exactQuantiles } from "./quantiles.js";
import { quantityPolynomials } from "./symbolic.js";

export interface SummaryOptions extends DrawOptions {
  /** Probability inside the equal-tailed intervals. */
  readonly level: number;
}

/** The posterior of a refit, one entry a quantity each. */
export interface ExactSummary {
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  readonly median: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Monte Carlo standard error of the mean: 0 where it is exact. */
  readonly mcse: Float64Array;
  /** Whether mean and sd, and whether the quantiles, are exact; otherwise they come from the draws. */
  readonly exactMoments: readonly boolean[];
  readonly exactQuantiles: readonly boolean[];
  readonly draws: Draws;
}

/** A network made ready for any number of refits, one after the other. */
export class ExactPosterior {
  private readonly polynomials: readonly (Polynomial | null)[];
  /** Different polynomials, in the order of the program. */
  private readonly distinct: readonly Polynomial[];
  private readonly program: MomentProgram;

  constructor(
    private readonly network: CompiledNetwork,
    private readonly pace: Pace,
  ) {
    this.polynomials = quantityPolynomials(network);
    this.distinct = [...new Set(this.polynomials.filter((p) => p !== null))];
    this.program = new MomentProgram(this.distinct);
  }

  /** Means; those of quantities that are no polynomials from draws. */
  async means(counts: ArrayLike<number>, drawing: DrawOptions): Promise<Float64Array> {
    const mixture = await buildMixture(this.network, counts, this.pace);
    const { mean } = await mixtureMoments(mixture, this.program, this.pace);
    const drawn = this.polynomials.includes(null)
      ? await drawQuantities(this.network, mixture, drawing, this.pace)
      : [];
    return Float64Array.from(this.polynomials, (p, q) =>
      p === null ? momentsOfDraws(drawn[q]).mean : mean[this.distinct.indexOf(p)],
    );
  }

  async sample(counts: ArrayLike<number>, options: DrawOptions): Promise<Draws> {
    const begin = performance.now();
    const mixture = await buildMixture(this.network, counts, this.pace);
    return this.draw(mixture, options, begin);
  }

  async summarise(counts: ArrayLike<number>, options: SummaryOptions): Promise<ExactSummary> {
    const begin = performance.now();
    const mixture = await buildMixture(this.network, counts, this.pace);
    const { mean, variance } = await mixtureMoments(mixture, this.program, this.pace);
    const probabilities = [0.5, (1 - options.level) / 2, (1 + options.level) / 2];
    const quantiles: (readonly number[] | null)[] = [];
    for (const polynomial of this.distinct) {
      quantiles.push(await exactQuantiles(polynomial, mixture, probabilities, this.pace));
    }
    const draws = await this.draw(mixture, options, begin);
    const rows = this.polynomials.map((polynomial, q) => {
      const d = polynomial === null ? -1 : this.distinct.indexOf(polynomial);
      const exact = d < 0 ? null : { mean: mean[d], sd: Math.sqrt(variance[d]), mcse: 0 };
      const known = d < 0 ? null : quantiles[d];
      return {
        ...(exact ?? momentsOfDraws(draws.values[q])),
        quantiles: known ?? quantilesOfDraws(draws.values[q], probabilities),
        exactMoments: exact !== null,
        exactQuantiles: known !== null,
      };
    });
    return { ...asColumns(rows), draws };
  }

  private async draw(mixture: Mixture, options: DrawOptions, begin: number): Promise<Draws> {
    const values = await drawQuantities(this.network, mixture, options, this.pace);
    const seconds = (performance.now() - begin) / 1000;
    return { chains: options.chains, draws: options.draws, values, statistics: null, trace: null, seconds };
  }
}

interface QuantityRow {
  mean: number;
  sd: number;
  mcse: number;
  quantiles: readonly number[];
  exactMoments: boolean;
  exactQuantiles: boolean;
}

function asColumns(rows: readonly QuantityRow[]): Omit<ExactSummary, "draws"> {
  const column = (value: (row: QuantityRow) => number): Float64Array => Float64Array.from(rows, value);
  return {
    mean: column((row) => row.mean),
    sd: column((row) => row.sd),
    mcse: column((row) => row.mcse),
    median: column((row) => row.quantiles[0]),
    lower: column((row) => row.quantiles[1]),
    upper: column((row) => row.quantiles[2]),
    exactMoments: rows.map((row) => row.exactMoments),
    exactQuantiles: rows.map((row) => row.exactQuantiles),
  };
}

function momentsOfDraws(draws: Float64Array): { mean: number; sd: number; mcse: number } {
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  const squares = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  const sd = Math.sqrt(squares / (draws.length - 1));
  return { mean, sd, mcse: sd / Math.sqrt(draws.length) };
}

/**
 * Of type 8, as the kernel's summaries are: the places p (S + 1/3) - 2/3 of S sorted draws, counted from 0, are free of
 * bias in the median (Hyndman and Fan 1996).
 */
function quantilesOfDraws(draws: Float64Array, probabilities: readonly number[]): number[] {
  const sorted = draws.slice().sort();
  const last = draws.length - 1;
  return probabilities.map((probability) => {
    const place = probability * (draws.length + 1 / 3) - 2 / 3;
    return quantileOfSorted(sorted, last === 0 ? 0 : Math.min(Math.max(place / last, 0), 1));
  });
}
