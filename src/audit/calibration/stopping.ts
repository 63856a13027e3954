/** So many sets as far from 0 are enough: they tell a p to a twentieth of itself. */
const enough = 400;

/**
 * p-values of several statistics from the same simulated sets. Of each: (1 + sets as far from 0) / (1 + sets), exact however
 * few the rows (Davison and Hinkley 1997, "Bootstrap Methods and their Application", section 4.2); or, where enough are,
 * those over the sets until then, which is exact too (Besag and Clifford 1991, "Sequential Monte Carlo p-values", Biometrika
 * 78, 301-304). Each stops for itself: one that stopped with another would have a p of too few sets.
 *
 * @param most sets
 * @param draw whether each statistic of another set is as far from 0
 */
export function simulatedP(most: number, count: number, draw: () => readonly boolean[]): number[] {
  const reached = new Array<number>(count).fill(0);
  const stopped = new Array<number>(count).fill(0);
  let set = 0;
  while (set < most && stopped.includes(0)) {
    set++;
    const far = draw();
    for (let k = 0; k < count; k++) {
      if (stopped[k] > 0 || !far[k]) continue;
      reached[k]++;
      if (reached[k] === enough) stopped[k] = set;
    }
  }
  return reached.map((times, k) => (stopped[k] > 0 ? enough / stopped[k] : (1 + times) / (1 + set)));
}
