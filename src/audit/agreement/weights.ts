/** How much agreement there is in two different categories; 1 on the diagonal. */
export type WeightName = "linear" | "quadratic";

/** [category][category], symmetric, from 0 to 1. */
export type Weights = readonly (readonly number[])[];

export const identityWeights = (categories: number): Weights =>
  Array.from({ length: categories }, (_, k) => Array.from({ length: categories }, (_, l) => (k === l ? 1 : 0)));

/**
 * 1 - (|x - y| / range)^e with e = 1, linear (Cicchetti and Allison 1971), or 2, quadratic (Fleiss and Cohen 1973).
 * @param values of the categories: ranks, or numbers on an interval scale
 */
export function distanceWeights(values: readonly number[], name: WeightName): Weights {
  const range = Math.max(...values) - Math.min(...values);
  const exponent = name === "linear" ? 1 : 2;
  return values.map((x) => values.map((y) => (x === y ? 1 : 1 - (Math.abs(x - y) / range) ** exponent)));
}
