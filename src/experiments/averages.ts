import { finiteOrNull } from "../statistics/moments.js";
/**
 * Running average of one number over replicates, taken in replicate order (Welford 1962, so that numbers that hardly
 * differ keep their spread). One that isn't finite makes the average unknown, null, rather than something else.
 */
export class Average {
  private count = 0;
  private average = 0;
  /** Sum of squared deviations from the average. */
  private squares = 0;

  add(value: number): void {
    this.count++;
    const deviation = value - this.average;
    this.average += deviation / this.count;
    this.squares += deviation * (value - this.average);
  }

  get mean(): number | null {
    return this.count === 0 ? null : finiteOrNull(this.average);
  }

  /** Monte Carlo standard error of the mean: s / sqrt(n). Null for fewer than two values. */
  get standardError(): number | null {
    return this.count < 2 ? null : finiteOrNull(Math.sqrt(this.squares / (this.count - 1) / this.count));
  }

  get rootMeanSquare(): number | null {
    return this.count === 0 ? null : finiteOrNull(Math.sqrt(this.squares / this.count + this.average ** 2));
  }
}
