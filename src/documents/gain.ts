/** What `rat gain --json` prints, gain.json holds and `gain` returns. */
export interface GainDocument {
  /** One a source and quantity, P(G=1) first. */
  readonly gains: readonly Gain[];
}

/** What labels tell about one uncertain event of a record whose abstention is seen. */
export interface Gain {
  readonly source: string;
  readonly quantity: string;
  /** Bits that are uncertain once A is seen. */
  readonly base: number;
  readonly strategies: readonly GainStrategy[];
  /** Joint probabilities of R and A. */
  readonly cells: readonly GainCell[];
  readonly warnings: readonly string[];
}

export interface GainStrategy {
  readonly strategy: string;
  /** Bits a record, at the posterior mean of the cells. */
  readonly gain: number;
  /** Ends of its credible interval. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Of the gain of all-joint; null where that is no strategy. */
  readonly shareOfJoint: number | null;
}

export interface GainCell {
  readonly R: string;
  readonly A: string;
  /** Share of the event in the cell; null where it depends on more than R and A. */
  readonly G: number | null;
  readonly p: number;
}
