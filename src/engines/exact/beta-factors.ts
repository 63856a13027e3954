/** Terms of a mixture that are worked on side by side, so that the cost of interpreting is shared. */
export const laneCount = 256;

/**
 * What a sweep over polynomials needs of theta ~ Beta(success, failure), for degrees in theta of up to d, as one run of
 * numbers:
 *
 *     bases    degrees e = 1 ... 2d, i = 0 ... e:    E theta^i (1 - theta)^(e - i)
 *     spreads  i, j = 1 ... d:                       Cov(delta^i, delta^j),  delta = theta - E theta
 *     shifts   degrees e = 2 ... d, j = 1 ... e, i = 0 ... e:
 *              coefficient of delta^j in theta^i (1 - theta)^(e - i)
 *
 * (For degree 1 the shifts are -1 and 1, which needs no room.)
 */
export class BetaFactors {
  /** Numbers that the run takes. */
  readonly size: number;
  private readonly spreads: number;
  private readonly shifts: number;
  private readonly bases: Float64Array;
  private readonly central: Float64Array;
  private readonly shifted: Float64Array;

  constructor(private readonly degree: number) {
    const d = degree;
    this.spreads = 2 * d * d + 3 * d;
    this.shifts = this.spreads + d * d;
    this.size = this.shifts + shiftStart(d + 1);
    this.bases = new Float64Array(this.spreads);
    this.central = new Float64Array(2 * d + 1);
    this.shifted = new Float64Array(d + 1);
  }

  basis(e: number, i: number): number {
    return ((e - 1) * (e + 2)) / 2 + i;
  }

  spread(i: number, j: number): number {
    return this.spreads + (i - 1) * this.degree + (j - 1);
  }

  /** @param e at least 2 */
  shift(e: number, j: number, i: number): number {
    return this.shifts + shiftStart(e) + (j - 1) * (e + 1) + i;
  }

  /** Fills the run that begins at `start` of a block in [numbers][laneCount], a Beta a lane. */
  fill(block: Float64Array, start: number, success: Float64Array, failure: Float64Array, lanes: number): void {
    if (this.degree === 1) fillLinear(block.subarray(start * laneCount), success, failure, lanes);
    else for (let l = 0; l < lanes; l++) this.fillLane(block, start * laneCount + l, success[l], failure[l]);
  }

  private fillLane(block: Float64Array, at: number, success: number, failure: number): void {
    const d = this.degree;
    const total = success + failure;
    const bases = this.bases;
    bases[0] = failure / total;
    bases[1] = success / total;
    // Raw moments: ratios of rising factorials, one factor a degree.
    for (let e = 2; e <= 2 * d; e++) {
      const below = this.basis(e - 1, 0);
      const first = this.basis(e, 0);
      bases[first] = (bases[below] * (failure + e - 1)) / (total + e - 1);
      for (let i = 1; i <= e; i++) bases[first + i] = (bases[below + i - 1] * (success + i - 1)) / (total + e - 1);
    }
    for (let k = 0; k < bases.length; k++) block[at + k * laneCount] = bases[k];
    this.setCentral(success, failure);
    const c = this.central;
    for (let i = 1; i <= d; i++) {
      for (let j = 1; j <= d; j++) block[at + this.spread(i, j) * laneCount] = c[i + j] - c[i] * c[j];
    }
    for (let e = 2; e <= d; e++) {
      for (let i = 0; i <= e; i++) {
        this.setShifted(e, i, bases[1], bases[0]);
        for (let j = 1; j <= e; j++) block[at + this.shift(e, j, i) * laneCount] = this.shifted[j];
      }
    }
  }

  /**
   * Central moments by Stein's identity E theta (1 - theta) g'(theta) = (s + f) E delta g(theta), g = delta^n:
   * c[n + 1] = n ((1 - 2m) c[n] + m (1 - m) c[n - 1]) / (s + f + n). No large numbers cancel, however many records.
   */
  private setCentral(success: number, failure: number): void {
    const total = success + failure;
    const c = this.central;
    c[0] = 1;
    c[1] = 0;
    const skew = (failure - success) / total;
    const spread = (success / total) * (failure / total);
    for (let n = 1; n < c.length - 1; n++) c[n + 1] = (n * (skew * c[n] + spread * c[n - 1])) / (total + n);
  }

  /** Coefficients of (mean + delta)^i (rest - delta)^(e - i), multiplied out factor by factor. */
  private setShifted(e: number, i: number, mean: number, rest: number): void {
    const product = this.shifted;
    product.fill(0);
    product[0] = 1;
    for (let factor = 0; factor < e; factor++) {
      const constant = factor < i ? mean : rest;
      const slope = factor < i ? 1 : -1;
      for (let j = factor + 1; j > 0; j--) product[j] = constant * product[j] + slope * product[j - 1];
      product[0] *= constant;
    }
  }
}

/** Degree 1, that of nearly every row and quantity, and the hot loop of a mixture. */
function fillLinear(block: Float64Array, success: Float64Array, failure: Float64Array, lanes: number): void {
  for (let l = 0; l < lanes; l++) {
    const total = success[l] + failure[l];
    const mean = success[l] / total;
    const rest = failure[l] / total;
    const variance = (mean * rest) / (total + 1);
    block[l] = rest;
    block[l + laneCount] = mean;
    block[l + 2 * laneCount] = (rest * (failure[l] + 1)) / (total + 1);
    block[l + 3 * laneCount] = variance * total;
    block[l + 4 * laneCount] = (mean * (success[l] + 1)) / (total + 1);
    block[l + 5 * laneCount] = variance;
  }
}

/** Shifts of the degrees 2 ... e - 1 come before those of degree e: sum of k (k + 1). */
const shiftStart = (e: number): number => ((e - 1) * e * (e + 1)) / 3 - 2;
