import { dataError } from "../errors.js";
import type { CompiledCell } from "./compiled.js";
import type { NetworkDefinition, RowDefinition, Setting, VariableDefinition } from "./definition.js";

/** The binary tree of a network's cells and its Bernoulli rows; see `CompiledNetwork` for the numbering. */
export interface CellTree {
  rowNames: string[];
  priorSuccess: number[];
  priorFailure: number[];
  familyParent: number[];
  familyRow: number[];
  cells: CompiledCell[];
}

interface Branch {
  levels: number[];
  node: number;
}

/** Dirichlet concentrations of a row: the override if there is one, else the definition's, else uniform. */
export type PriorOverrides = Readonly<Record<string, readonly number[]>>;

/** What a prior's numbers are, in words: more than all records that a pattern may have would be no prior. */
export const concentrations = "a positive number up to 2^53";
export const isConcentration = (a: number): boolean => a > 0 && a <= 2 ** 53;

/** @throws RatError (data) for rows that leave a setting uncovered, cover one twice or are never reached. */
export function buildTree(definition: NetworkDefinition, priors: PriorOverrides): CellTree {
  const tree: CellTree = {
    rowNames: [],
    priorSuccess: [],
    priorFailure: [],
    familyParent: [],
    familyRow: [],
    cells: [],
  };
  let branches: Branch[] = [{ levels: [], node: 0 }];
  for (const [index, variable] of definition.variables.entries()) {
    const earlier = definition.variables.slice(0, index);
    const field = `variables[${index}].rows`;
    const firstRows = variable.rows.map((row, r) =>
      row.always === undefined ? addRow(tree, variable, row, priors, `${field}[${r}].prior`) : -1,
    );
    const reached = new Set<RowDefinition>();
    const next: Branch[] = [];
    for (const branch of branches) {
      const row = rowFor(definition, variable, earlier, branch.levels);
      reached.add(row);
      if (row.always !== undefined) {
        next.push({ levels: [...branch.levels, levelIndex(variable, row.always)], node: branch.node });
      } else {
        next.push(...split(tree, variable, branch, firstRows[variable.rows.indexOf(row)]));
      }
    }
    const idle = variable.rows.findIndex((row) => !reached.has(row));
    if (idle >= 0) {
      const { name } = variable.rows[idle];
      const problem = `network ${definition.name}: row ${name} of ${variable.name} covers no possible case`;
      throw dataError(problem, { field: `${field}[${idle}]` });
    }
    branches = next;
  }
  tree.cells = branches;
  return tree;
}

/** Breaks the stick of a node's probability level by level: K - 1 families, K new branches. */
function split(tree: CellTree, variable: VariableDefinition, branch: Branch, firstRow: number): Branch[] {
  const branches: Branch[] = [];
  const last = variable.levels.length - 1;
  let node = branch.node;
  for (let level = 0; level < last; level++) {
    const family = tree.familyParent.push(node) - 1;
    tree.familyRow.push(firstRow + level);
    branches.push({ levels: [...branch.levels, level], node: 2 * family + 1 });
    node = 2 * family + 2;
  }
  branches.push({ levels: [...branch.levels, last], node });
  return branches;
}

/**
 * A Dirichlet row as K - 1 Bernoulli rows, exactly, since the Dirichlet is neutral: stick k decides "above level k"
 * against "level k" with prior Beta(sum of the concentrations above k, concentration of k).
 */
function addRow(
  tree: CellTree,
  variable: VariableDefinition,
  row: RowDefinition,
  priors: PriorOverrides,
  field: string,
): number {
  const chosen = Object.hasOwn(priors, row.name) ? priors[row.name] : row.prior;
  const prior = chosen ?? variable.levels.map(() => 1);
  if (prior.length !== variable.levels.length) {
    const problem = `row ${row.name} has ${variable.levels.length} levels, but its prior has ${prior.length} numbers`;
    throw dataError(problem, { field });
  }
  const bad = prior.find((a) => !isConcentration(a));
  if (bad !== undefined) throw dataError(`prior of row ${row.name}: ${bad} is not ${concentrations}`, { field });
  const first = tree.rowNames.length;
  for (let level = 0; level < prior.length - 1; level++) {
    tree.rowNames.push(prior.length === 2 ? row.name : `${row.name}>${variable.levels[level]}`);
    tree.priorFailure.push(prior[level]);
    tree.priorSuccess.push(prior.slice(level + 1).reduce((sum, a) => sum + a, 0));
  }
  return first;
}

function rowFor(
  definition: NetworkDefinition,
  variable: VariableDefinition,
  earlier: readonly VariableDefinition[],
  levels: readonly number[],
): RowDefinition {
  const parents = new Set(variable.parents ?? []);
  const matches = (setting: Setting): boolean =>
    earlier.every(
      (v, i) => !parents.has(v.name) || !Object.hasOwn(setting, v.name) || setting[v.name] === v.levels[levels[i]],
    );
  const rows = variable.rows.filter((row) => row.when === undefined || row.when.some(matches));
  if (rows.length === 1) return rows[0];
  const named = earlier.flatMap((v, i) => (parents.has(v.name) ? [`${v.name}=${v.levels[levels[i]]}`] : []));
  const problem = rows.length === 0 ? "no row" : `rows ${rows.map((row) => row.name).join(" and ")}`;
  throw dataError(
    `network ${definition.name}: ${problem} for ${variable.name} under ${named.join(", ") || "no condition"}; ` +
      "exactly one row must cover each case",
    { field: `variables[${earlier.length}].rows` },
  );
}

/** @param field the place in the definition that names the level, for messages */
export function levelIndex(
  variable: { name: string; levels: readonly string[] },
  level: string,
  field?: string,
): number {
  const index = variable.levels.indexOf(level);
  if (index < 0) {
    throw dataError(
      `${variable.name} has no level ${JSON.stringify(level)}: its levels are ${variable.levels.join(", ")}`,
      field === undefined ? {} : { field },
    );
  }
  return index;
}

/** The steps from the root to a node: which entry of which row each takes. Order: leaf to root. */
export function pathOf(
  tree: { readonly familyParent: ArrayLike<number>; readonly familyRow: ArrayLike<number> },
  node: number,
): { row: number; entry: 0 | 1 }[] {
  const path: { row: number; entry: 0 | 1 }[] = [];
  for (let at = node; at > 0; at = tree.familyParent[(at - 1) >> 1]) {
    path.push({ row: tree.familyRow[(at - 1) >> 1], entry: ((at - 1) & 1) as 0 | 1 });
  }
  return path;
}

/** The node that a node hangs under; -1 for the root. */
export function parentOf(tree: { readonly familyParent: ArrayLike<number> }, node: number): number {
  return node === 0 ? -1 : tree.familyParent[(node - 1) >> 1];
}
