/** Sums with the rounding errors carried along (Neumaier 1974): as if added in twice the precision. */
export class CompensatedSums {
  private readonly sums: Float64Array;
  private readonly errors: Float64Array;

  constructor(count: number) {
    this.sums = new Float64Array(count);
    this.errors = new Float64Array(count);
  }

  add(index: number, value: number): void {
    const before = this.sums[index];
    const sum = before + value;
    this.errors[index] += Math.abs(before) >= Math.abs(value) ? before - sum + value : value - sum + before;
    this.sums[index] = sum;
  }

  value(index: number): number {
    return this.sums[index] + this.errors[index];
  }
}
