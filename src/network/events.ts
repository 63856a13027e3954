import { dataError } from "../errors.js";
import type { NetworkDefinition, Setting } from "./definition.js";
import { type Event, expressionError } from "./expression.js";
import { levelNamed, listLevels } from "./levels.js";
import { type CellTree, levelIndex } from "./tree.js";

/**
 * Events as weights of cells in [0, 1]: 1 where the event holds, 0 where it doesn't, and for the policy's derived
 * variable the weight of the cell (its complement for level 0).
 */
export class EventWeights {
  private readonly policy: Float64Array | null;

  constructor(
    private readonly definition: NetworkDefinition,
    private readonly tree: Pick<CellTree, "cells">,
  ) {
    this.policy = definition.policy ? policyWeights(definition, tree) : null;
  }

  /** Weights of a conjunction; `text` is the expression that it stands in, for messages. */
  of(event: Event, text: string): Float64Array {
    const weights = new Float64Array(this.tree.cells.length).fill(1);
    const taken = new Map<string, string>();
    for (const part of event) {
      const factor = this.assignment(part, text);
      const before = taken.get(part.variable);
      if (before === part.level) continue; // said twice holds once: a weight between 0 and 1 must not be squared
      taken.set(part.variable, part.level);
      for (let c = 0; c < weights.length; c++) weights[c] *= before === undefined ? factor[c] : 0;
    }
    return weights;
  }

  /** Numbers of the variables that an event names; all of them where it names the policy. */
  variablesOf(event: Event): number[] {
    const { variables, policy } = this.definition;
    const named = new Set(event.map((part) => part.variable));
    const whole = policy !== undefined && named.has(policy.name);
    return variables.flatMap(({ name }, v) => (whole || named.has(name) ? [v] : []));
  }

  private assignment({ variable, level, position }: Event[number], text: string): Float64Array {
    const { variables, policy } = this.definition;
    if (this.policy && policy && variable === policy.name) {
      if (level === "1") return this.policy;
      if (level === "0") return this.policy.map((w) => 1 - w);
      throw expressionError(text, position, `${variable} has the levels 0 and 1, not ${JSON.stringify(level)}`);
    }
    const v = variables.findIndex((candidate) => candidate.name === variable);
    if (v < 0) {
      const names = [...variables.map((candidate) => candidate.name), ...(policy ? [policy.name] : [])];
      throw expressionError(text, position, `unknown variable ${variable} (there are ${names.join(", ")})`);
    }
    const index = levelNamed(variables[v], level);
    if (index < 0) {
      const levels = listLevels(variables[v]);
      throw expressionError(
        text,
        position,
        `${variable} has no level ${JSON.stringify(level)} (its levels: ${levels})`,
      );
    }
    return Float64Array.from(this.tree.cells, (cell) => (cell.levels[v] === index ? 1 : 0));
  }
}

/** The weight of each cell under the policy. @throws RatError (data) for weights outside [0, 1] and for overlaps. */
export function policyWeights(definition: NetworkDefinition, tree: Pick<CellTree, "cells">): Float64Array {
  const weights = new Float64Array(tree.cells.length);
  const taken = new Int32Array(tree.cells.length).fill(-1);
  const terms = definition.policy?.terms ?? [];
  for (const [t, term] of terms.entries()) {
    if (!(term.weight >= 0 && term.weight <= 1)) {
      const problem = `policy term ${describe(term.when)}: weight ${term.weight} is not in [0, 1]`;
      throw dataError(problem, { field: `policy.terms[${t}].weight` });
    }
    for (const [c, cell] of tree.cells.entries()) {
      const field = `policy.terms[${t}].when`;
      if (!holds(definition, term.when, cell.levels, field)) continue;
      if (taken[c] >= 0) {
        throw dataError(`policy terms ${describe(terms[taken[c]].when)} and ${describe(term.when)} overlap`, { field });
      }
      taken[c] = t;
      weights[c] = term.weight;
    }
  }
  return weights;
}

function holds(definition: NetworkDefinition, setting: Setting, levels: readonly number[], field: string): boolean {
  return Object.entries(setting).every(([name, level]) => {
    const v = definition.variables.findIndex((variable) => variable.name === name);
    if (v < 0)
      throw dataError(`the policy names ${name}, which is no variable of network ${definition.name}`, { field });
    return levels[v] === levelIndex(definition.variables[v], level, field);
  });
}

const describe = (setting: Setting): string =>
  Object.entries(setting)
    .map(([name, level]) => `${name}=${level}`)
    .join("&");
