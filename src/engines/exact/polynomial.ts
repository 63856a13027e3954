/**
 * A polynomial in the rows' parameters, as an ordered decision diagram: at its first row, of parameter theta, it is
 *
 *     sum over i of theta^i (1 - theta)^(degree - i) children[i],     degree = children.length - 1
 *
 * and the children are polynomials in later rows; a constant has no row (Infinity) and no children. This is the shape
 * of the tree of cells itself, with equal subtrees shared and rows that make no difference left out, so that moments
 * take one sweep over few nodes where an expansion into monomials would have thousands.
 *
 * Equal polynomials of one `Polynomials` are one object.
 */
export interface Polynomial {
  readonly id: number;
  readonly row: number;
  readonly children: readonly Polynomial[];
  /** The value of a constant, NaN otherwise. */
  readonly constant: number;
  /** All rows that it depends on. */
  readonly rows: ReadonlySet<number>;
  /** Its value where theta of row k is the fractional part of (k + 1) times the golden ratio. */
  readonly sample: number;
}

export const isConstant = (p: Polynomial): boolean => p.children.length === 0;

/** Makes polynomials, each once: hash-consing as in reduced ordered decision diagrams (Bryant 1986). */
export class Polynomials {
  private readonly known = new Map<string, Polynomial>();
  private readonly results = new Map<string, Polynomial | null>();
  readonly zero = this.constant(0);
  readonly one = this.constant(1);

  constant(value: number): Polynomial {
    return this.intern(`${value}`, Number.POSITIVE_INFINITY, [], value);
  }

  /** theta of a row (entry 1), or 1 - theta (entry 0). */
  entry(row: number, entry: 0 | 1): Polynomial {
    return this.node(row, entry === 1 ? [this.zero, this.one] : [this.one, this.zero]);
  }

  add(p: Polynomial, q: Polynomial): Polynomial {
    if (isConstant(p) && isConstant(q)) return this.constant(p.constant + q.constant);
    if (p === this.zero) return q;
    if (q === this.zero) return p;
    return this.once("+", p, q, () => {
      const row = Math.min(p.row, q.row);
      const degree = Math.max(degreeIn(p, row), degreeIn(q, row));
      const right = this.childrenAt(q, row, degree);
      return this.node(
        row,
        this.childrenAt(p, row, degree).map((child, i) => this.add(child, right[i])),
      );
    });
  }

  subtract(p: Polynomial, q: Polynomial): Polynomial {
    return this.add(p, this.multiply(this.constant(-1), q));
  }

  multiply(p: Polynomial, q: Polynomial): Polynomial {
    if (isConstant(p) && isConstant(q)) return this.constant(p.constant * q.constant);
    if (p === this.zero || q === this.zero) return this.zero;
    if (p === this.one) return q;
    if (q === this.one) return p;
    return this.once("*", p, q, () => {
      const row = Math.min(p.row, q.row);
      const left = this.childrenAt(p, row);
      const right = this.childrenAt(q, row);
      const product: Polynomial[] = new Array(left.length + right.length - 1).fill(this.zero);
      left.forEach((x, i) => {
        right.forEach((y, j) => {
          product[i + j] = this.add(product[i + j], this.multiply(x, y));
        });
      });
      return this.node(row, product);
    });
  }

  /**
   * The polynomial x with q x = p; null if there is none (or rounding of weights hides it). The children of x solve the
   * convolution q x = p from the first child of q that isn't 0.
   */
  divide(p: Polynomial, q: Polynomial): Polynomial | null {
    if (q === this.zero) return null;
    if (p === this.zero) return p;
    if (isConstant(q)) return this.multiply(p, this.constant(1 / q.constant));
    return this.once("/", p, q, () => {
      const row = Math.min(p.row, q.row);
      const divisor = this.childrenAt(q, row);
      const rest = [...this.childrenAt(p, row)];
      const first = divisor.findIndex((child) => child !== this.zero);
      const x: Polynomial[] = [];
      for (let j = 0; j <= rest.length - divisor.length; j++) {
        const child = this.divide(rest[first + j], divisor[first]);
        if (child === null) return null;
        x.push(child);
        divisor.forEach((d, i) => {
          rest[i + j] = this.subtract(rest[i + j], this.multiply(d, child));
        });
      }
      if (x.length === 0) return null;
      const quotient = this.node(row, x);
      return this.multiply(q, quotient) === p ? quotient : null;
    });
  }

  /** The polynomial with these children, of the lowest degree that will do: a row without effect is left out. */
  private node(row: number, children: readonly Polynomial[]): Polynomial {
    const degree = children.length - 1;
    if (degree === 0) return children[0];
    if (mayBeOfLowerDegree(children)) {
      // It is if children[i] = lower[i] + lower[i - 1] for all i, since 1 = theta + (1 - theta).
      const lower = [children[0]];
      for (let i = 1; i < degree; i++) lower.push(this.subtract(children[i], lower[i - 1]));
      if (lower[degree - 1] === children[degree]) return this.node(row, lower);
    }
    const key = `${row}:${children.map(({ id }) => id).join()}`;
    return this.intern(key, row, children, Number.NaN);
  }

  /** The children of p at a row that is not after its first, at its own degree there or a higher one. */
  private childrenAt(p: Polynomial, row: number, degree = degreeIn(p, row)): readonly Polynomial[] {
    let children = p.row === row ? p.children : [p];
    while (children.length <= degree) {
      const { length } = children;
      const lower = children;
      children = Array.from({ length: length + 1 }, (_, i) =>
        this.add(i < length ? lower[i] : this.zero, i > 0 ? lower[i - 1] : this.zero),
      );
    }
    return children;
  }

  private once<Result extends Polynomial | null>(
    operator: string,
    p: Polynomial,
    q: Polynomial,
    compute: () => Result,
  ): Result {
    const key = `${p.id}${operator}${q.id}`;
    const known = this.results.get(key) as Result | undefined;
    if (known !== undefined) return known;
    const result = compute();
    this.results.set(key, result);
    return result;
  }

  private intern(key: string, row: number, children: readonly Polynomial[], constant: number): Polynomial {
    let polynomial = this.known.get(key);
    if (polynomial === undefined) {
      const rows = new Set(children.flatMap((child) => [...child.rows]));
      if (children.length > 0) rows.add(row);
      const sample = children.length > 0 ? sampleOf(row, children) : constant;
      polynomial = { id: this.known.size, row, children, constant, rows, sample };
      this.known.set(key, polynomial);
    }
    return polynomial;
  }
}

const degreeIn = (p: Polynomial, row: number): number => (p.row === row ? p.children.length - 1 : 0);

function sampleOf(row: number, children: readonly Polynomial[]): number {
  const theta = ((row + 1) * 1.618033988749895) % 1;
  const degree = children.length - 1;
  return children.reduce((sum, { sample }, i) => sum + theta ** i * (1 - theta) ** (degree - i) * sample, 0);
}

/** The same condition on samples, up to rounding: spares most polynomials the subtractions. */
function mayBeOfLowerDegree(children: readonly Polynomial[]): boolean {
  const alternating = children.reduce((sum, { sample }) => sample - sum, 0);
  const size = children.reduce((sum, { sample }) => sum + Math.abs(sample), 0);
  return Math.abs(alternating) <= 1e-9 * size;
}
