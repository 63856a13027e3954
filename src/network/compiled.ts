import type { NetworkDefinition } from "./definition.js";

/**
 * A network as plain arrays: all that engines see.
 *
 * Every row is Bernoulli (a row of K levels is K - 1 stick-breaking Bernoulli rows), so the tree of cells is binary.
 * Family f is a node's two children under one row: node 2f + 1 (entry 0, probability 1 - theta) and node 2f + 2
 * (entry 1, probability theta). Node 0 is the root. Families are in topological order.
 */
export interface CompiledNetwork {
  readonly definition: NetworkDefinition;
  readonly name: string;
  readonly variables: readonly CompiledVariable[];
  /** K Bernoulli rows: names, and the Beta(success, failure) priors on theta. */
  readonly rowNames: readonly string[];
  readonly priorSuccess: Float64Array;
  readonly priorFailure: Float64Array;
  /** F families. */
  readonly familyParent: Int32Array;
  readonly familyRow: Int32Array;
  readonly nodeCount: number;
  readonly cells: readonly CompiledCell[];
  /** What records can show. `counts` vectors of a refit have one entry a pattern, in this order. */
  readonly patterns: readonly CompiledPattern[];
  /** Pattern of every possible observation by mixed-radix index (see patterns.ts); -1 = contradicts the model. */
  readonly patternTable: Int32Array;
  readonly quantities: readonly CompiledQuantity[];
}

export interface CompiledVariable {
  readonly name: string;
  readonly levels: readonly string[];
  /** Other spellings of levels, where there are any: spelling -> level. */
  readonly spellings?: Readonly<Record<string, string>>;
}

export interface CompiledCell {
  /** Level index of each variable. */
  readonly levels: readonly number[];
  /** The node whose probability is the cell's. */
  readonly node: number;
}

/** A set of cells that a record is compatible with, as the fewest nodes that cover it. */
export interface CompiledPattern {
  /** Level index of each variable, -1 = not observed: one of the observations that have this pattern. */
  readonly levels: readonly number[];
  readonly cells: readonly number[];
  readonly nodes: Int32Array;
}

/** constant + sum of weight * value[index]; values are the nodes, then two entries (1 - theta, theta) a row. */
export interface LinearForm {
  readonly constant: number;
  readonly indices: Int32Array;
  readonly weights: Float64Array;
}

export type QuantityOperation =
  | { readonly op: "form"; readonly form: LinearForm }
  | { readonly op: "add" | "subtract" | "multiply" | "divide" }
  /** Into the open interval (0, 1): rounding must not make a probability certain. */
  | { readonly op: "probability" };

export interface CompiledQuantity {
  readonly name: string;
  readonly expression: string;
  /** Postfix: operations on a stack of numbers. */
  readonly program: readonly QuantityOperation[];
  /** Of a single P(event | condition): weights of the cells under each; null for other arithmetic. */
  readonly probability: CompiledProbability | null;
}

export interface CompiledProbability {
  readonly event: Float64Array;
  readonly condition: Float64Array;
  /** Numbers of the variables that it names; all of them where it names the policy. */
  readonly variables: readonly number[];
}
