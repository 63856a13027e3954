import type { BetaFactors } from "./beta-factors.js";
import { isConstant, type Polynomial } from "./polynomial.js";

/** The program's first number is 1. */
export const unit = 0;
const minusUnit = 1;

/** Three of the program's numbers, by index. */
type Product = readonly [a: number, b: number, c: number];

/**
 * Compiles means and variances of polynomials p of independent Beta parameters to sums of products, by a sweep up their
 * diagrams. With b_i the basis functions theta^i (1 - theta)^(d - i) at a node, p = sum b_i p_i, and by the law of
 * total covariance
 *
 *     E p       = sum E[b_i] E[p_i]
 *     Cov(p, q) = Cov(f(theta), g(theta)) + sum E[b_i b_j] Cov(p_i, q_j),   f = sum b_i E[p_i], g likewise
 *
 * where Cov(f, g) = sum over i, j >= 1 of f_i g_j Cov(delta^i, delta^j), f_i and g_j the coefficients in delta =
 * theta - E theta. So variances are sums of products of deviations, and none is a small difference of large numbers,
 * which E p^2 - (E p)^2 is from 10^8 records upwards. Covariances of polynomials without a common row are 0.
 */
export class MomentCompiler {
  /** Where to, how many products, the products' factors; again and again. */
  readonly code: number[] = [];
  /** The program's numbers: 1 and -1, factors of rows, constants, and room for results. */
  readonly initial: number[] = [1, -1];
  private readonly rows: { factors: BetaFactors; start: number }[] = [];
  private readonly constants = new Map([
    [1, unit],
    [-1, minusUnit],
  ]);
  private readonly known = new Map<string, number | null>();

  /** Makes room for the factors of a row, if there are any; returns where they begin. */
  reserve(row: number, factors: BetaFactors | undefined): number {
    const start = this.initial.length;
    if (factors !== undefined) {
      this.rows[row] = { factors, start };
      this.initial.push(...new Array<number>(factors.size).fill(0));
    }
    return start;
  }

  mean(p: Polynomial): number {
    if (isConstant(p)) return this.constant(p.constant);
    const degree = p.children.length - 1;
    return this.once(`${p.id}`, () => this.childSum(p, (i) => this.basis(p.row, degree, i))) as number;
  }

  variance(p: Polynomial): number {
    return this.covariance(p, p) ?? this.constant(0);
  }

  /** null: 0. */
  private covariance(p: Polynomial, q: Polynomial): number | null {
    if (p.id > q.id) return this.covariance(q, p);
    if (!intersects(p.rows, q.rows)) return null;
    return this.once(`${p.id},${q.id}`, () => {
      const products = [...this.covarianceHere(p, q), ...this.covarianceBelow(p, q)];
      return products.length === 0 ? null : this.sum(products);
    });
  }

  /** Cov(f, g), if p and q depend on the same row first. */
  private covarianceHere(p: Polynomial, q: Polynomial): Product[] {
    if (p.row !== q.row) return [];
    const { factors, start } = this.rows[p.row];
    const products: Product[] = [];
    for (let i = 1; i < p.children.length; i++) {
      for (let j = 1; j < q.children.length; j++) {
        products.push([start + factors.spread(i, j), this.coefficient(p, i), this.coefficient(q, j)]);
      }
    }
    return products;
  }

  /** Sum of E[b_i b_j] Cov(p_i, q_j) at the first row of either. */
  private covarianceBelow(p: Polynomial, q: Polynomial): Product[] {
    const row = Math.min(p.row, q.row);
    const left = p.row === row ? p.children : [p];
    const right = q.row === row ? q.children : [q];
    const degree = left.length + right.length - 2;
    return left.flatMap((x, i) =>
      right.flatMap((y, j): Product[] => {
        const covariance = this.covariance(x, y);
        return covariance === null ? [] : [[this.basis(row, degree, i + j), covariance, unit]];
      }),
    );
  }

  /** The coefficient of delta^order in f = sum b_i E[p_i]. */
  private coefficient(p: Polynomial, order: number): number {
    const degree = p.children.length - 1;
    const { factors, start } = this.rows[p.row];
    const shift = (i: number): number => {
      if (degree === 1) return i === 1 ? unit : minusUnit;
      return start + factors.shift(degree, order, i);
    };
    return this.once(`${p.id}'${order}`, () => this.childSum(p, shift)) as number;
  }

  /** The sum of factor(i) E[p_i]. */
  private childSum(p: Polynomial, factor: (i: number) => number): number {
    return this.sum(
      p.children.flatMap((child, i): Product[] => (child.constant === 0 ? [] : [[factor(i), this.mean(child), unit]])),
    );
  }

  private basis(row: number, degree: number, i: number): number {
    const { factors, start } = this.rows[row];
    return start + factors.basis(degree, i);
  }

  /** A new number, unless the sum is one that is there. */
  private sum(products: readonly Product[]): number {
    const sorted = products.map((product) => [...product].sort((a, b) => b - a));
    if (sorted.length === 1 && sorted[0][1] === unit) return sorted[0][0];
    const out = this.initial.push(0) - 1;
    this.code.push(out, sorted.length, ...sorted.flat());
    return out;
  }

  private constant(value: number): number {
    let at = this.constants.get(value);
    if (at === undefined) {
      at = this.initial.push(value) - 1;
      this.constants.set(value, at);
    }
    return at;
  }

  private once(key: string, compute: () => number | null): number | null {
    let result = this.known.get(key);
    if (result === undefined) {
      result = compute();
      this.known.set(key, result);
    }
    return result;
  }
}

function intersects(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  for (const row of a) if (b.has(row)) return true;
  return false;
}
