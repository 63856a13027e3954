import { usageError } from "../errors.js";
import { check, fields } from "../values.js";
import { checkDefinition, checkPriors, checkQuantities, checkVariables } from "./check.js";
import type { CompiledNetwork } from "./compiled.js";
import type { NetworkDefinition, QuantityDefinition } from "./definition.js";
import { EventWeights } from "./events.js";
import { buildPatterns, observationCount } from "./patterns.js";
import { compileQuantity } from "./quantity.js";
import { buildTree, concentrations, isConcentration, type PriorOverrides } from "./tree.js";

export interface CompileOptions {
  /** Dirichlet concentrations by row name, one a level. */
  priors?: PriorOverrides | undefined;
  /** Instead of the definition's quantities. */
  quantities?: readonly QuantityDefinition[] | undefined;
}

/**
 * Compiles a network to the plain arrays that engines and readers of records use.
 * @throws RatError (data) for a definition that is no network, (usage) for options that don't fit it.
 */
export function compileNetwork(definition: NetworkDefinition, options: CompileOptions = {}): CompiledNetwork {
  checkArguments(definition, options);
  checkVariables(definition);
  observationCount(definition.variables);
  const priors = checkedPriors(definition, options.priors ?? {});
  const tree = buildTree(definition, priors);
  const events = new EventWeights(definition, tree);
  const quantities = (options.quantities ?? definition.quantities).map((q) => compileQuantity(q, tree, events));
  const repeated = quantities.find((q, i) => quantities.findIndex((other) => other.name === q.name) < i);
  if (repeated) throw usageError(`two quantities are named ${repeated.name}`);
  const { patterns, patternTable } = buildPatterns(definition.variables, tree);
  return {
    definition,
    name: definition.name,
    variables: definition.variables.map(({ name, levels, spellings }) => ({
      name,
      levels,
      ...(spellings !== undefined && { spellings }),
    })),
    rowNames: tree.rowNames,
    priorSuccess: Float64Array.from(tree.priorSuccess),
    priorFailure: Float64Array.from(tree.priorFailure),
    familyParent: Int32Array.from(tree.familyParent),
    familyRow: Int32Array.from(tree.familyRow),
    nodeCount: 2 * tree.familyParent.length + 1,
    cells: tree.cells,
    patterns,
    patternTable,
    quantities,
  };
}

const compiled = new WeakMap<NetworkDefinition, Map<string, CompiledNetwork>>();
/** Different options a definition that are remembered. */
const mostRemembered = 16;

/**
 * The same, remembering what was compiled last: engines know a network again by its identity, and are then ready for it.
 */
export function compileOnce(definition: NetworkDefinition, options: CompileOptions = {}): CompiledNetwork {
  checkArguments(definition, options);
  const known = compiled.get(definition) ?? new Map<string, CompiledNetwork>();
  compiled.set(definition, known);
  const key = JSON.stringify([options.priors, options.quantities]);
  const network = known.get(key) ?? compileNetwork(definition, options);
  known.delete(key);
  known.set(key, network);
  for (const oldest of known.keys()) if (known.size > mostRemembered) known.delete(oldest);
  return network;
}

function checkArguments(definition: NetworkDefinition, options: CompileOptions): void {
  checkDefinition(definition);
  check(fields({}), options, "options");
  if (options.priors !== undefined) checkPriors(options.priors);
  if (options.quantities !== undefined) checkQuantities(options.quantities);
}

function checkedPriors(definition: NetworkDefinition, priors: PriorOverrides): PriorOverrides {
  const rows = definition.variables.flatMap((v) => v.rows.filter((row) => row.always === undefined));
  for (const [name, numbers] of Object.entries(priors)) {
    const row = rows.find((candidate) => candidate.name === name);
    if (!row) throw usageError(`no row is named ${name}; priors can be set for ${rows.map((r) => r.name).join(", ")}`);
    const bad = numbers.find((a) => !isConcentration(a));
    if (bad !== undefined) throw usageError(`prior of ${name}: ${bad} is not ${concentrations}`);
    const variable = definition.variables.find((v) => v.rows.includes(row));
    if (variable && variable.levels.length !== numbers.length) {
      throw usageError(`prior of ${name}: ${variable.levels.length} numbers are needed, one a level`);
    }
  }
  return priors;
}
