/**
 * A finite discrete Bayesian network with Dirichlet priors on every row of every conditional probability table,
 * and the quantities that are read off it. Plain data: the same type is the schema of a network file.
 */

/** A partial assignment: variable name -> level name. Variables not named may have any level. */
export type Setting = Readonly<Record<string, string>>;

/**
 * One row of a conditional probability table: the distribution of a variable under some settings of its parents.
 * Several settings may share one row, and with it one set of parameters.
 */
export interface RowDefinition {
  /** For rows of two levels the name of P(second level); the name that `--prior` and prior overrides use. */
  name: string;
  /** Settings of the parents that this row covers; left out: all. */
  when?: readonly Setting[];
  /** Dirichlet concentrations, one a level, in the order of the levels; left out: all 1 (uniform). */
  prior?: readonly number[];
  /** The variable has this level for certain here: the row has no parameters. */
  always?: string;
}

export interface VariableDefinition {
  /** Also the name of the column in a file of records. */
  name: string;
  /** At least two. @minItems 2 */
  levels: readonly string[];
  /** Other spellings of levels in records: spelling -> level, such as { "0": "fail", "0.5": "partial" }. */
  spellings?: Readonly<Record<string, string>>;
  /** Names of earlier variables. */
  parents?: readonly string[];
  /** Together they cover every setting of the parents exactly once. */
  rows: readonly RowDefinition[];
}

/** Weight of the cells that match a setting; terms must not overlap, cells of no term weigh 0. */
export interface PolicyTerm {
  when: Setting;
  /** In [0, 1]; 1 = adherent. @minimum 0 @maximum 1 */
  weight: number;
}

/** A derived success "variable" such as G: the share of adherence of each cell. */
export interface PolicyDefinition {
  name: string;
  terms: readonly PolicyTerm[];
  /** What readers of results should know about it, as a sentence without its full stop. */
  note?: string;
}

export interface QuantityDefinition {
  name: string;
  /** Arithmetic (+ - * /) over numbers, P(event) and P(event | condition). */
  expression: string;
}

export interface NetworkDefinition {
  name: string;
  /** In topological order: parents first. @minItems 1 */
  variables: readonly VariableDefinition[];
  policy?: PolicyDefinition;
  quantities: readonly QuantityDefinition[];
  /** Shown beside the others where all are asked for. */
  moreQuantities?: readonly QuantityDefinition[];
}
