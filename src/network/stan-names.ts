import type { CompiledNetwork } from "./compiled.js";
import { exportNames } from "./names.js";

/** Names in a network's Stan program, each different. */
export interface StanNames {
  /** As in exported draws, as far as Stan takes them. */
  readonly quantities: readonly string[];
  readonly rows: readonly string[];
  /** Of the root too, which no program names. */
  readonly nodes: readonly string[];
  /** What each node stands for, in words. */
  readonly nodeLabels: readonly string[];
}

/** Words of Stan's language and functions that the programs call. */
const reserved = new Set(
  (
    "for in while repeat until if then else true false target int real complex void vector row_vector simplex ordered " +
    "unit_vector positive_ordered sum_to_zero_vector matrix cholesky_factor_corr cholesky_factor_cov corr_matrix cov_matrix " +
    "array tuple functions model data parameters quantities transformed generated break continue return print reject " +
    "fatal_error profile var fvar lower upper offset multiplier jacobian log beta n"
  ).split(" "),
);

export function stanNames(network: CompiledNetwork): StanNames {
  const taken = new Set(reserved);
  const free = (name: string): string => {
    let unused = name;
    for (let i = 2; taken.has(unused); i++) unused = `${name}_${i}`;
    taken.add(unused);
    return unused;
  };
  const quantities = exportNames(network.quantities.map(({ name }) => name)).map((name) => free(legal(name)));
  const rows = exportNames(network.rowNames.map((name) => name.replace(">", " above "))).map((name) =>
    free(legal(`row_${name}`)),
  );
  const paths = nodePaths(network);
  const part = ({ variable, levels }: Step): string => {
    const { name, levels: all } = network.variables[variable];
    return levels.length === 1 ? `${name}${all[levels[0]]}` : `${name}_above_${all[levels[0] - 1]}`;
  };
  const said = ({ variable, levels }: Step): string => {
    const { name, levels: all } = network.variables[variable];
    return `${name}=${levels.map((level) => all[level]).join(" or ")}`;
  };
  return {
    quantities,
    rows,
    nodes: paths.map((path) => free(legal(["p", ...path.map(part)].join("_")))),
    nodeLabels: paths.map((path) => path.map(said).join(" ")),
  };
}

/** With the signs that Stan takes: ASCII letters first, no underscore last. */
function legal(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, "_").replace(/_+$/, "");
  return /^[A-Za-z]/.test(plain) ? plain : `q_${plain.replace(/^_+/, "")}`.replace(/_+$/, "");
}

/** The levels of a variable that are left at a node. */
interface Step {
  readonly variable: number;
  readonly levels: readonly number[];
}

/** What was decided on the way to each node; of a variable that is decided in several steps, the last one. */
function nodePaths({ familyParent, cells, variables, nodeCount }: CompiledNetwork): Step[][] {
  const below: number[][] = Array.from({ length: nodeCount }, () => []);
  cells.forEach(({ node }, c) => {
    for (let at = node; ; at = familyParent[(at - 1) >> 1]) {
      below[at].push(c);
      if (at === 0) break;
    }
  });
  const levelsAt = (node: number, variable: number): number[] =>
    [...new Set(below[node].map((c) => cells[c].levels[variable]))].sort((a, b) => a - b);
  const paths: Step[][] = [[]];
  for (let node = 1; node < nodeCount; node++) {
    const parent = familyParent[(node - 1) >> 1];
    // The variable that splits the parent is the first that isn't decided there.
    const variable = variables.findIndex((_, v) => levelsAt(parent, v).length > 1);
    const before = paths[parent].filter((step) => step.variable !== variable);
    paths.push([...before, { variable, levels: levelsAt(node, variable) }]);
  }
  return paths;
}
