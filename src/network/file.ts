import { dataError, RatError } from "../errors.js";
import { isObject, show } from "../values.js";
import { checkDefinition, checkVariables } from "./check.js";
import type { NetworkDefinition } from "./definition.js";
import { EventWeights } from "./events.js";
import { buildPatterns, observationCount } from "./patterns.js";
import { checkPolicy } from "./policy.js";
import { compileQuantity } from "./quantity.js";
import { networkNamed, shippedNetworks } from "./shipped.js";
import { buildTree } from "./tree.js";

/** What a network file holds: a definition as JSON. */
export interface NetworkFile extends NetworkDefinition {
  /** Where an editor finds the schema of such files. */
  $schema?: string;
}

/** Fields by the kind of object; what they hold is checked elsewhere. */
const known = {
  network: ["$schema", "name", "variables", "policy", "quantities", "moreQuantities"],
  variable: ["name", "levels", "spellings", "parents", "rows"],
  row: ["name", "when", "prior", "always"],
  policy: ["name", "terms", "note"],
  term: ["when", "weight"],
  quantity: ["name", "expression"],
} as const;

/**
 * A network from the content of its file, as JSON.parse gives it: checked all through, since a file is written by hand.
 * A misspelt field would else be a prior that isn't there.
 * @param file name for messages
 * @throws RatError (data) with file and field
 */
export function readNetwork(content: unknown, file?: string): NetworkDefinition {
  const at = file === undefined ? {} : { file };
  try {
    if (!isObject(content))
      throw dataError(`a network file holds one object { name, variables, quantities }, not ${show(content)}`);
    checkDefinition(content);
    checkFields(content);
    checkMeaning(content);
    const { $schema: _schema, ...definition } = content as NetworkFile;
    checkName(definition);
    return definition;
  } catch (error) {
    if (!(error instanceof RatError)) throw error;
    const { field } = error.place;
    const message = error.message.replace(/^network\.(?=\w+[.[ ])/, "");
    throw dataError(field === undefined ? message : `${field}: ${message}`, { ...error.place, ...at });
  }
}

/** Results show the name alone. */
function checkName(definition: NetworkDefinition): void {
  const { name } = definition;
  if (!shippedNetworks.includes(name) || JSON.stringify(networkNamed(name)) === JSON.stringify(definition)) return;
  throw dataError(`${name} is the name of a network that comes with the package, and this is another one`, {
    field: "name",
  });
}

/** All that compiling a network finds out, each fault with its place. */
function checkMeaning(definition: NetworkDefinition): void {
  if (definition.name.trim() === "") throw dataError("a network needs a name, which results show", { field: "name" });
  checkVariables(definition);
  observationCount(definition.variables);
  const tree = buildTree(definition, {});
  const events = new EventWeights(definition, tree);
  checkPolicy(definition, (position, problem) => dataError(problem, { field: `policy.terms[${position}].when` }));
  buildPatterns(definition.variables, tree);
  if (definition.quantities.length === 0) {
    throw dataError("there is nothing to estimate: a network needs a quantity at least", { field: "quantities" });
  }
  const names = new Map<string, string>();
  for (const list of ["quantities", "moreQuantities"] as const) {
    for (const [q, quantity] of (definition[list] ?? []).entries()) {
      const field = `${list}[${q}]`;
      const other = names.get(quantity.name);
      if (other !== undefined) throw dataError(`${other} is named ${quantity.name} too`, { field: `${field}.name` });
      names.set(quantity.name, field);
      try {
        compileQuantity(quantity, tree, events);
      } catch (error) {
        if (error instanceof RatError) throw dataError(error.message, { field: `${field}.expression` });
        throw error;
      }
    }
  }
}

/** That there are no fields but those that mean something. */
function checkFields(definition: NetworkDefinition): void {
  refuseOthers(definition, "network", "");
  for (const [v, variable] of definition.variables.entries()) {
    refuseOthers(variable, "variable", `variables[${v}]`);
    for (const [r, row] of variable.rows.entries()) refuseOthers(row, "row", `variables[${v}].rows[${r}]`);
  }
  if (definition.policy !== undefined) {
    refuseOthers(definition.policy, "policy", "policy");
    for (const [t, term] of definition.policy.terms.entries()) refuseOthers(term, "term", `policy.terms[${t}]`);
  }
  for (const list of ["quantities", "moreQuantities"] as const) {
    for (const [q, quantity] of (definition[list] ?? []).entries()) refuseOthers(quantity, "quantity", `${list}[${q}]`);
  }
}

function refuseOthers(value: object, kind: keyof typeof known, place: string): void {
  const fields: readonly string[] = known[kind];
  const stranger = Object.keys(value).find((name) => !fields.includes(name));
  if (stranger === undefined) return;
  const field = place === "" ? stranger : `${place}.${stranger}`;
  throw dataError(`a ${kind} has no such field; it may have ${fields.join(", ")}`, { field });
}
