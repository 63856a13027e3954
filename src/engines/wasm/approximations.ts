/**
 * Laplace approximations of a batch, struct of arrays, refit by refit: the posterior of the logits of the network's K rows
 * as a normal, mode + W z for z standard normal.
 */
export interface Approximations {
  /** [refits x K] logits at which their posterior density, the Jacobian included, has its maximum. */
  readonly mode: Float64Array<ArrayBuffer>;
  /**
   * [refits x K (K + 1) / 2] W, row by row of its upper triangle: W W' is the inverse of minus the Hessian of the log density
   * at the mode. Where that is not positive definite, W is diagonal, each row as if its expected counts had been seen.
   */
  readonly root: Float64Array<ArrayBuffer>;
  /** [refits x K] Beta prior plus fixed counts of each row, of entry 1 (theta) and of entry 0: see `fold`. */
  readonly success: Float64Array<ArrayBuffer>;
  readonly failure: Float64Array<ArrayBuffer>;
}

/** Numbers in an upper triangle. */
export const triangle = (rows: number): number => (rows * (rows + 1)) / 2;

export function emptyApproximations(refits: number, rows: number): Approximations {
  const column = (): Float64Array<ArrayBuffer> => new Float64Array(refits * rows);
  return { mode: column(), root: new Float64Array(refits * triangle(rows)), success: column(), failure: column() };
}
