import type { NetworkDefinition, RowDefinition, VariableDefinition } from "../../src/network/index.js";

/**
 * The model of a definition, straight from its words and slowly, with no tree, folding or sticks: the independent side
 * of the tests of the network layer.
 */
export interface Assignment {
  /** Level index of each variable. */
  readonly levels: readonly number[];
  /** Probability under some parameters. */
  readonly probability: number;
}

/** Parameters: the probability of each level, by row name. */
export type Parameters = ReadonlyMap<string, readonly number[]>;

/** Rows that have parameters, in the order of the definition. */
export const freeRows = (definition: NetworkDefinition): { row: RowDefinition; levels: readonly string[] }[] =>
  definition.variables.flatMap(({ rows, levels }) =>
    rows.filter((row) => row.always === undefined).map((row) => ({ row, levels })),
  );

export const priorOf = ({ row, levels }: { row: RowDefinition; levels: readonly string[] }): readonly number[] =>
  row.prior ?? levels.map(() => 1);

/** Sticks to levels: the logits say how likely it is to go beyond each level but the last. */
export function parametersAt(definition: NetworkDefinition, logits: ArrayLike<number>): Parameters {
  let next = 0;
  const parameters = new Map<string, number[]>();
  for (const { row, levels } of freeRows(definition)) {
    const probabilities: number[] = [];
    let left = 1;
    for (let level = 0; level + 1 < levels.length; level++) {
      const beyond = logits[next++];
      probabilities.push(left / (1 + Math.exp(beyond)));
      left /= 1 + Math.exp(-beyond);
    }
    parameters.set(row.name, [...probabilities, left]);
  }
  if (next !== logits.length) throw new Error(`${logits.length} logits given, ${next} used`);
  return parameters;
}

/** Every assignment that can happen, with its probability: the product over variables of one entry of one row. */
export function assignments(definition: NetworkDefinition, parameters: Parameters): Assignment[] {
  let partial: Assignment[] = [{ levels: [], probability: 1 }];
  definition.variables.forEach((variable, v) => {
    const earlier = definition.variables.slice(0, v);
    partial = partial.flatMap(({ levels, probability }) => {
      const row = coveringRow(variable, earlier, levels);
      return variable.levels.flatMap((level, l) => {
        if (row.always !== undefined) {
          return row.always === level ? [{ levels: [...levels, l], probability }] : [];
        }
        return [{ levels: [...levels, l], probability: probability * parameters.get(row.name)![l] }];
      });
    });
  });
  return partial;
}

function coveringRow(
  variable: VariableDefinition,
  earlier: readonly VariableDefinition[],
  levels: readonly number[],
): RowDefinition {
  const values = new Map(earlier.map(({ name, levels: names }, i) => [name, names[levels[i]]]));
  const rows = variable.rows.filter(
    ({ when }) =>
      when === undefined ||
      when.some((setting) => Object.entries(setting).every(([name, level]) => values.get(name) === level)),
  );
  if (rows.length !== 1) throw new Error(`${rows.length} rows cover a setting of ${variable.name}`);
  return rows[0];
}

export const isCompatible = (levels: readonly number[], observed: ArrayLike<number>): boolean =>
  levels.every((level, v) => observed[v] < 0 || observed[v] === level);

/** Probability of what a record shows; -1 = not observed. */
export const observationProbability = (cells: readonly Assignment[], observed: ArrayLike<number>): number =>
  cells.reduce((sum, cell) => sum + (isCompatible(cell.levels, observed) ? cell.probability : 0), 0);

/** A record as observed: level index of each variable, -1 = not observed; `times` of them. */
export interface Observed {
  readonly levels: readonly number[];
  readonly times: number;
}

/** Log posterior density on the logits of the sticks, up to its constant: record by record. */
export function logPosterior(
  definition: NetworkDefinition,
  records: readonly Observed[],
  logits: ArrayLike<number>,
): number {
  const parameters = parametersAt(definition, logits);
  const cells = assignments(definition, parameters);
  let value = 0;
  for (const { levels, times } of records) value += times * Math.log(observationProbability(cells, levels));
  return value + logPrior(definition, parameters);
}

/** Dirichlet densities times the Jacobian of the sticks' logits, |dp / dx| = product of theta (1 - theta) stick. */
function logPrior(definition: NetworkDefinition, parameters: Parameters): number {
  let value = 0;
  for (const free of freeRows(definition)) {
    const p = parameters.get(free.row.name)!;
    priorOf(free).forEach((concentration, l) => {
      value += (concentration - 1) * Math.log(p[l]);
    });
    let stick = 1;
    for (let l = 0; l + 1 < p.length; l++) {
      const beyond = p.slice(l + 1).reduce((a, b) => a + b, 0) / stick;
      value += Math.log(beyond) + Math.log(p[l] / stick) + Math.log(stick);
      stick *= beyond;
    }
  }
  return value;
}
