import { dataError } from "../../errors.js";
import { show } from "../../values.js";
import type { ScoreCells } from "./table.js";

/** Relative residual at which the equations are solved. */
const tolerance = 1e-13;

/**
 * Solves C b = right for judges, C = diag(scores a judge) - N' diag(scores a query)^-1 N with N the incidence of queries and
 * judges: the normal equations of both effects without the queries'. C is a Laplacian, singular for the constant alone where
 * all is connected; b is the solution of mean 0 as weighted by scores. By conjugate gradients (Hestenes and Stiefel 1952,
 * Journal of Research of the National Bureau of Standards 49, 409-436), preconditioned by its diagonal: a step costs as much
 * as there are scores.
 *
 * @throws RatError (data) where queries and judges aren't connected
 */
export function solveLaplacian(
  cells: ScoreCells,
  perQuery: Int32Array,
  perJudge: Int32Array,
  right: Float64Array,
): Float64Array {
  const { query, judge } = cells;
  checkConnected(cells);
  const [J, N] = [perJudge.length, query.length];
  const times = (vector: Float64Array): Float64Array => {
    const means = new Float64Array(perQuery.length);
    for (let i = 0; i < N; i++) means[query[i]] += vector[judge[i]] / perQuery[query[i]];
    const product = vector.map((value, j) => value * perJudge[j]);
    for (let i = 0; i < N; i++) product[judge[i]] -= means[query[i]];
    return product;
  };
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, j) => sum + value * b[j], 0);
  const solution = new Float64Array(J);
  const residual = Float64Array.from(right);
  const scaled = (vector: Float64Array): Float64Array => vector.map((value, j) => value / perJudge[j]);
  let direction = scaled(residual);
  let size = dot(residual, direction);
  const enough = size * tolerance ** 2;
  for (let step = 0; step < 10 * J + 100 && size > enough && size > 0; step++) {
    const product = times(direction);
    const along = dot(direction, product);
    if (!(along > 0)) break;
    const length = size / along;
    for (let j = 0; j < J; j++) {
      solution[j] += length * direction[j];
      residual[j] -= length * product[j];
    }
    const next = scaled(residual);
    const before = size;
    size = dot(residual, next);
    direction = next.map((value, j) => value + (size / before) * direction[j]);
  }
  return solution;
}

/** Judges without a query in common, also by way of others, can't be compared. */
function checkConnected({ queries, judges, query, judge }: ScoreCells): void {
  const parent = Int32Array.from({ length: queries.length + judges.length }, (_, i) => i);
  const root = (of: number): number => {
    let at = of;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  for (let i = 0; i < query.length; i++) parent[root(query[i])] = root(queries.length + judge[i]);
  const first = root(queries.length);
  const apart = judges.findIndex((_, j) => root(queries.length + j) !== first);
  if (apart < 0) return;
  throw dataError(
    `judges ${show(judges[0])} and ${show(judges[apart])} have no query in common, not even by way of other judges: ` +
      "nothing tells a difference of theirs from one of their queries",
  );
}
