/** Running sums of one number over replicates, taken in replicate order. */
export class Average {
  private count = 0;
  private sum = 0;
  private squares = 0;

  add(value: number): void {
    this.count++;
    this.sum += value;
    this.squares += value * value;
  }

  get mean(): number | null {
    return this.count === 0 ? null : this.sum / this.count;
  }

  /** Monte Carlo standard error of the mean: s / sqrt(n). Null for fewer than two values. */
  get standardError(): number | null {
    if (this.count < 2) return null;
    const variance = Math.max(0, this.squares - (this.sum * this.sum) / this.count) / (this.count - 1);
    return Math.sqrt(variance / this.count);
  }

  get rootMeanSquare(): number | null {
    return this.count === 0 ? null : Math.sqrt(this.squares / this.count);
  }
}
