import { BetaFactors, laneCount } from "./beta-factors.js";
import { MomentCompiler, unit } from "./moment-compiler.js";
import { isConstant, type Polynomial } from "./polynomial.js";

/**
 * Means and variances of some polynomials of independent Beta parameters: compiled once, evaluated for as many sets of
 * Beta distributions as there are, up to `laneCount` of them side by side. Number k of the program in lane l is
 * values[k * laneCount + l].
 */
export class MomentProgram {
  /** Rows whose Betas matter: `setRow` each before `run`. */
  readonly rows: readonly number[];
  readonly values: Float64Array;
  /** Where in `values` the mean and the variance of each polynomial begin. */
  readonly meanAt: Int32Array;
  readonly varianceAt: Int32Array;
  private readonly rowFactors: readonly (BetaFactors | undefined)[];
  private readonly rowStart: Int32Array;
  /** Instructions: where to, how many products, and the three factors of each product. */
  private readonly code: Int32Array;

  constructor(polynomials: readonly Polynomial[]) {
    this.rowFactors = rowFactorsOf(polynomials);
    this.rows = [...this.rowFactors.keys()].filter((row) => this.rowFactors[row] !== undefined);
    const compiler = new MomentCompiler();
    this.rowStart = Int32Array.from(this.rowFactors, (factors, row) => compiler.reserve(row, factors));
    this.meanAt = Int32Array.from(polynomials, (p) => laneCount * compiler.mean(p));
    this.varianceAt = Int32Array.from(polynomials, (p) => laneCount * compiler.variance(p));
    this.values = new Float64Array(laneCount * compiler.initial.length);
    compiler.initial.forEach((value, k) => {
      this.values.fill(value, k * laneCount, (k + 1) * laneCount);
    });
    this.code = Int32Array.from(compiler.code);
  }

  /** In each lane: the row's parameter ~ Beta(success, failure). */
  setRow(row: number, success: Float64Array, failure: Float64Array, lanes: number): void {
    this.rowFactors[row]?.fill(this.values, this.rowStart[row], success, failure, lanes);
  }

  run(lanes: number): void {
    const { code, values } = this;
    for (let at = 0; at < code.length; ) {
      const out = code[at] * laneCount;
      const first = at + 2;
      at = first + 3 * code[at + 1];
      for (let product = first; product < at; product += 3) {
        const a = code[product] * laneCount;
        const b = code[product + 1] * laneCount;
        const c = code[product + 2] * laneCount;
        if (product > first) addProduct(values, out, a, b, c, lanes);
        else setProduct(values, out, a, b, c, lanes);
      }
    }
  }
}

/** By row, if it occurs, to the highest degree that occurs. */
function rowFactorsOf(polynomials: readonly Polynomial[]): (BetaFactors | undefined)[] {
  const degrees: number[] = [];
  const seen = new Set<Polynomial>();
  const visit = (p: Polynomial): void => {
    if (isConstant(p) || seen.has(p)) return;
    seen.add(p);
    degrees[p.row] = Math.max(degrees[p.row] ?? 0, p.children.length - 1);
    p.children.forEach(visit);
  };
  polynomials.forEach(visit);
  return Array.from(degrees, (degree) => (degree > 0 ? new BetaFactors(degree) : undefined));
}

function setProduct(values: Float64Array, out: number, a: number, b: number, c: number, lanes: number): void {
  if (c === unit) for (let l = 0; l < lanes; l++) values[out + l] = values[a + l] * values[b + l];
  else for (let l = 0; l < lanes; l++) values[out + l] = values[a + l] * values[b + l] * values[c + l];
}

function addProduct(values: Float64Array, out: number, a: number, b: number, c: number, lanes: number): void {
  if (c === unit) for (let l = 0; l < lanes; l++) values[out + l] += values[a + l] * values[b + l];
  else for (let l = 0; l < lanes; l++) values[out + l] += values[a + l] * values[b + l] * values[c + l];
}
