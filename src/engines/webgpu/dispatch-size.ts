/** Seconds that one dispatch may take: other programs draw on the same GPU, and drivers stop what takes too long. */
const targetSeconds = { hardware: 0.04, software: 0.5 };
/** A dispatch is at most so much larger than the one before, since one measurement says little of a larger one. */
const mostGrowth = 4;
const firstUnits = { hardware: 512, software: 2 };

/**
 * How much to do in one dispatch, in units of one round of one refit, from the time that the last ones took. What is
 * computed doesn't depend on it.
 */
export class DispatchSize {
  private units: number;
  private readonly target: number;

  constructor(isSoftware: boolean) {
    const kind = isSoftware ? "software" : "hardware";
    this.units = firstUnits[kind];
    this.target = targetSeconds[kind];
  }

  /** Rounds of all `refits` that fit into one dispatch, at least one. */
  rounds(refits: number, left: number): number {
    return Math.min(left, Math.max(1, Math.floor(this.units / refits)));
  }

  /** Refits whose `rounds` fit into one dispatch, at least one. */
  refits(rounds: number, left: number): number {
    return Math.min(left, Math.max(1, Math.floor(this.units / rounds)));
  }

  /** Takes in what a dispatch of so many units took. */
  measured(units: number, seconds: number): void {
    const fitting = (units * this.target) / Math.max(seconds, 1e-6);
    this.units = Math.max(1, Math.min(fitting, mostGrowth * Math.max(units, this.units / 2)));
  }
}
