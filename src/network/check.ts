import { dataError, usageError } from "../errors.js";
import { check, dictionary, fields, isObject, list, number, show, text } from "../values.js";
import type { NetworkDefinition, QuantityDefinition } from "./definition.js";
import { checkSpellings } from "./levels.js";
import { levelIndex, type PriorOverrides } from "./tree.js";

const quantities = list(fields({ name: text, expression: text }), "{ name, expression }");
const setting = dictionary(text, "levels by variable");
const row = fields({ name: text }, { when: list(setting, "settings"), prior: list(number, "numbers"), always: text });
const definitionShape = fields(
  {
    name: text,
    variables: list(
      fields(
        { name: text, levels: list(text, "names"), rows: list(row, "rows") },
        { parents: list(text, "names of variables"), spellings: dictionary(text, "levels by spelling") },
      ),
      "variables",
    ),
    quantities,
  },
  {
    policy: fields({ name: text, terms: list(fields({ when: setting, weight: number }), "terms") }, { note: text }),
    moreQuantities: quantities,
  },
);

/** @throws RatError (usage) for what is no definition, (data) for one in which something is missing or wrong */
export function checkDefinition(definition: unknown): asserts definition is NetworkDefinition {
  if (!isObject(definition)) {
    throw usageError(
      `a network must be a definition, such as rat or networkNamed("rat-judge"), not ${show(definition)}`,
    );
  }
  const fault = definitionShape(definition, "network");
  if (fault !== null) throw dataError(fault);
}

/** @throws RatError (usage) */
export function checkQuantities(value: unknown): asserts value is readonly QuantityDefinition[] {
  check(quantities, value, "quantities");
}

/** @throws RatError (usage) */
export function checkPriors(value: unknown): asserts value is PriorOverrides {
  check(dictionary(list(number, "numbers, one a level"), "concentrations by row"), value, "priors");
}

/** That names are there, once, and mean something. @throws RatError (data) whose field is the place in the definition */
export function checkVariables(definition: NetworkDefinition): void {
  const seen = new Map<string, readonly string[]>();
  const rowNames = new Set<string>();
  const at = `network ${definition.name}`;
  if (definition.variables.length === 0) throw dataError(`${at} has no variables`, { field: "variables" });
  for (const [v, variable] of definition.variables.entries()) {
    const field = `variables[${v}]`;
    const refuse = (problem: string, place: string): Error => dataError(`${at}: ${problem}`, { field: place });
    if (seen.has(variable.name)) throw refuse(`two variables are named ${variable.name}`, `${field}.name`);
    if (variable.name === definition.policy?.name) throw refuse(`${variable.name} is the policy's name`, "policy.name");
    if (variable.name === "__proto__") throw refuse("a variable can't be named __proto__", `${field}.name`);
    if (new Set(variable.levels).size !== variable.levels.length || variable.levels.length < 2) {
      throw refuse(`${variable.name} needs at least two different levels`, `${field}.levels`);
    }
    checkSpellings(variable, at, `${field}.spellings`);
    const late = (variable.parents ?? []).find((parent) => !seen.has(parent));
    if (late !== undefined) {
      throw refuse(`parent ${late} of ${variable.name} is not an earlier variable`, `${field}.parents`);
    }
    for (const [r, row] of variable.rows.entries()) {
      const rowField = `${field}.rows[${r}]`;
      if (row.always !== undefined) {
        levelIndex(variable, row.always, `${rowField}.always`);
        if (row.prior !== undefined) {
          throw refuse(`row ${row.name} is certain, so that it has no use for a prior`, `${rowField}.prior`);
        }
      } else if (rowNames.has(row.name)) {
        throw refuse(`two rows are named ${row.name}`, `${rowField}.name`);
      } else rowNames.add(row.name);
      for (const [name, level] of (row.when ?? []).flatMap((setting) => Object.entries(setting))) {
        const levels = seen.get(name);
        if (levels === undefined || !(variable.parents ?? []).includes(name)) {
          throw refuse(`row ${row.name} names ${name}, which is not a parent of ${variable.name}`, `${rowField}.when`);
        }
        levelIndex({ name, levels }, level, `${rowField}.when`);
      }
    }
    seen.set(variable.name, variable.levels);
  }
}
