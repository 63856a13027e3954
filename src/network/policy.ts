import { usageError } from "../errors.js";
import { check, dictionary, fields, list, number, text as textShape } from "../values.js";
import { checkDefinition } from "./check.js";
import type { NetworkDefinition, PolicyDefinition, PolicyTerm, Setting } from "./definition.js";
import { expressionError } from "./expression.js";
import { levelNamed, listLevels } from "./levels.js";
import { memoised } from "./memo.js";
import { type PartialPolicy, withPartialPolicy } from "./partial.js";
import { parsePolicy } from "./policy-text.js";
import { buildTree } from "./tree.js";

/** How adherence is weighed instead of as the network has it. */
export interface PolicyOptions {
  /**
   * Share of adherence, 0 to 1, of the cells that each term names, as text (`R=0&A=1:1, R=1&A=0&T=1:0.5`) or as terms.
   * Cells of no term weigh 0.
   */
  policy?: string | readonly PolicyTerm[] | undefined;
  /** What counts at partial retrieval, for networks that have it. */
  partialPolicy?: PartialPolicy | undefined;
}

const termsShape = list(
  fields({ when: dictionary(textShape, "levels by variable"), weight: number }),
  "terms { when, weight }, or text such as 'R=0&A=1:1'",
);

/** The name of the policy in networks that have none of their own. */
const usualName = "G";

/**
 * The network with the policy of the options; the same object for the same arguments.
 * @throws RatError (usage)
 */
export function withPolicyOptions(
  definition: NetworkDefinition,
  { policy, partialPolicy }: PolicyOptions,
): NetworkDefinition {
  if (policy !== undefined && partialPolicy !== undefined) {
    throw usageError("--policy says what counts at partial retrieval too: give it or --partial-policy, not both");
  }
  if (policy !== undefined) return withPolicy(definition, policy);
  return partialPolicy === undefined ? definition : withPartialPolicy(definition, partialPolicy);
}

/**
 * The network with another policy: P(G=1) is then the expected weight. Networks without a policy get one named G, and
 * with it that quantity.
 * @throws RatError (usage) for terms that can't be read, name what isn't there, overlap or can never hold; where they are
 * text, with the position in it
 */
export function withPolicy(definition: NetworkDefinition, policy: string | readonly PolicyTerm[]): NetworkDefinition {
  checkDefinition(definition);
  if (typeof policy !== "string") check(termsShape, policy, "policy");
  return memoised(definition, `policy ${JSON.stringify(policy)}`, () => {
    const name = definition.policy?.name ?? usualName;
    if (definition.variables.some((variable) => variable.name === name)) {
      throw usageError(
        `--policy: network ${definition.name} has a variable ${name}, the name that the policy would have`,
      );
    }
    const adherence = `P(${name}=1)`;
    const { quantities } = definition;
    const isThere = quantities.some((quantity) => quantity.name === adherence);
    return {
      ...definition,
      policy: { name, terms: checkedTerms(definition, policy) },
      quantities: isThere ? quantities : [...quantities, { name: adherence, expression: adherence }],
    };
  });
}

/** A network's policy as text that `withPolicy` reads; null where it has none. */
export const policyOf = ({ policy }: NetworkDefinition): string | null =>
  policy === undefined ? null : policyText(policy);

/** A policy as text that `withPolicy` reads. */
export const policyText = ({ terms }: PolicyDefinition): string =>
  terms.map(({ when, weight }) => `${settingText(when)}:${weight}`).join(", ");

const settingText = (when: Setting): string =>
  Object.entries(when)
    .map(([name, level]) => `${name}=${level}`)
    .join("&");

type Refuse = (position: number, problem: string) => Error;

/** That every term of a network's own policy can hold, and no two at once. @param refuse says which term, and why not */
export function checkPolicy(definition: NetworkDefinition, refuse: Refuse): void {
  const terms = definition.policy?.terms ?? [];
  checkCells(
    definition,
    terms.map((term, position) => ({ ...term, position })),
    refuse,
  );
}

function checkedTerms(definition: NetworkDefinition, policy: string | readonly PolicyTerm[]): PolicyTerm[] {
  if (typeof policy === "string") {
    const refuse: Refuse = (position, problem) => expressionError(policy, position, `--policy: ${problem}`);
    return checkCells(
      definition,
      parsePolicy(policy).map(({ parts, weight, position }) => {
        const when: Record<string, string> = {};
        for (const part of parts) {
          if (Object.hasOwn(when, part.variable)) {
            throw refuse(part.position, `${part.variable} is named twice in one term`);
          }
          when[part.variable] = levelIn(definition, part.variable, part.level, (problem) =>
            refuse(part.position, problem),
          );
        }
        return { when, weight, position };
      }),
      refuse,
    );
  }
  const refuse: Refuse = (position, problem) => usageError(`policy[${position}]: ${problem}`);
  return checkCells(
    definition,
    policy.map(({ when, weight }, position) => {
      if (!(weight >= 0 && weight <= 1)) throw refuse(position, `weight ${weight} is not from 0 to 1`);
      const levels = Object.entries(when).map(([name, level]) => [
        name,
        levelIn(definition, name, level, (problem) => refuse(position, problem)),
      ]);
      return { when: Object.fromEntries(levels) as Setting, weight, position };
    }),
    refuse,
  );
}

/** The level's own name. */
function levelIn(
  { variables }: NetworkDefinition,
  name: string,
  level: string,
  refusal: (problem: string) => Error,
): string {
  const variable = variables.find((candidate) => candidate.name === name);
  if (variable === undefined) {
    throw refusal(`unknown variable ${name} (there are ${variables.map((v) => v.name).join(", ")})`);
  }
  const index = levelNamed(variable, level);
  if (index >= 0) return variable.levels[index];
  throw refusal(`${name} has no level ${JSON.stringify(level)} (its levels: ${listLevels(variable)})`);
}

/** That every term has cells, and none of another term's. */
function checkCells(
  definition: NetworkDefinition,
  terms: readonly (PolicyTerm & { readonly position: number })[],
  refuse: Refuse,
): PolicyTerm[] {
  const { variables } = definition;
  const cells = buildTree(definition, {}).cells.map(({ levels }) => variables.map((v, i) => v.levels[levels[i]]));
  const owner = new Map<readonly string[], string>();
  return terms.map(({ when, weight, position }) => {
    const own = cells.filter((cell) =>
      variables.every(({ name }, v) => !Object.hasOwn(when, name) || when[name] === cell[v]),
    );
    if (own.length === 0) throw refuse(position, `${settingText(when)} can't happen in network ${definition.name}`);
    for (const cell of own) {
      const other = owner.get(cell);
      if (other !== undefined) {
        const shared = variables.map(({ name }, v) => `${name}=${cell[v]}`).join("&");
        throw refuse(position, `${settingText(when)} and ${other} overlap: both hold for ${shared}`);
      }
      owner.set(cell, settingText(when));
    }
    return { when, weight };
  });
}
