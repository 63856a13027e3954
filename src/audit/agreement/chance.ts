import { judgeMarginals, meanOver, type Tallies } from "./tally.js";

/** Agreement by chance, and how far each pattern's own share of it is from the mean: its influence, times what it is of. */
export interface Chance {
  readonly expected: number;
  /** [pattern]: derivative of `expected` along one more such item, times the number of items. */
  readonly influence: (m: number) => number;
}

/**
 * Agreement by chance if all judges draw from their common marginals: Scott's pi of two judges (Scott 1955, "Reliability of
 * content analysis", Public Opinion Quarterly 19, 321-325), Fleiss' kappa of more (Fleiss 1971, "Measuring nominal scale
 * agreement among many raters", Psych. Bull. 76, 378-382), with weights and missing labels as Gwet has them (2014, "Handbook
 * of Inter-Rater Reliability", 4th ed., section 5): p_e = sum_kl w_kl pi_k pi_l.
 */
export function commonChance({ marginals, given, weights }: Tallies): Chance {
  const ahead = weights.map((row) => row.reduce((sum, w, l) => sum + w * marginals[l], 0));
  const expected = ahead.reduce((sum, a, k) => sum + a * marginals[k], 0);
  const influence = (m: number): number => (given[m].length === 0 ? 0 : 2 * (meanOver(given[m], ahead) - expected));
  return { expected, influence };
}

/**
 * Agreement by chance of AC1, with weights AC2 (Gwet 2008; 2014, section 5): p_e = T_w / (q (q - 1)) sum_k pi_k (1 - pi_k)
 * with q categories and T_w the sum of the weights. It stays low where nearly all labels are the same.
 */
export function gwetChance({ marginals, given, weights }: Tallies): Chance {
  const q = marginals.length;
  const scale = weights.reduce((sum, row) => row.reduce((all, w) => all + w, sum), 0) / (q * (q - 1));
  const squares = marginals.reduce((sum, share) => sum + share * share, 0);
  const expected = scale * marginals.reduce((sum, share) => sum + share * (1 - share), 0);
  const influence = (m: number): number =>
    given[m].length === 0 ? 0 : -2 * scale * (meanOver(given[m], marginals) - squares);
  return { expected, influence };
}

/**
 * Agreement by chance if each of two judges draws from marginals of its own: p_e = sum_kl w_kl p_k+ p_+l (Cohen 1960, "A
 * coefficient of agreement for nominal scales", Educ. Psych. Meas. 20, 37-46; with weights 1968, Psych. Bull. 70, 213-220).
 * @param tallies of two judges, and of items that both have labelled
 */
export function cohenChance({ patterns, weights }: Tallies): Chance {
  const [first, second] = [0, 1].map((judge) => judgeMarginals(patterns, judge));
  const rows = weights.map((row) => row.reduce((sum, w, l) => sum + w * second[l], 0));
  const columns = weights.map((_, l) => weights.reduce((sum, row, k) => sum + row[l] * first[k], 0));
  const expected = rows.reduce((sum, r, k) => sum + r * first[k], 0);
  const influence = (m: number): number => {
    const [a, b] = patterns.labels[m];
    return rows[a] + columns[b] - 2 * expected;
  };
  return { expected, influence };
}
