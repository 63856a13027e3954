import { usageError } from "../errors.js";
import { show } from "../values.js";
import { checkDefinition } from "./check.js";
import type { NetworkDefinition, PolicyTerm, VariableDefinition } from "./definition.js";
import { memoised } from "./memo.js";

/** What counts as adherent at partial retrieval. */
export type PartialPolicy = "answer" | "abstain" | "either";

const answered: PolicyTerm = { when: { R: "partial", A: "0", T: "1" }, weight: 1 };
const abstained: PolicyTerm = { when: { R: "partial", A: "1" }, weight: 1 };

const choices: Readonly<Record<PartialPolicy, { terms: readonly PolicyTerm[]; words: string }>> = {
  answer: { terms: [answered], words: "a correct answer counts as adherent" },
  abstain: { terms: [abstained], words: "abstaining counts as adherent" },
  either: { terms: [answered, abstained], words: "a correct answer and abstaining both count as adherent" },
};

export const partialPolicies = Object.keys(choices) as readonly PartialPolicy[];

/**
 * The network with another policy at partial retrieval, R=partial; the same object for the same arguments.
 * @throws RatError (usage) for an unknown choice, and for a network without a level "partial" of R
 */
export function withPartialPolicy(definition: NetworkDefinition, choice: PartialPolicy): NetworkDefinition {
  if (!partialPolicies.includes(choice)) {
    throw usageError(`--partial-policy must be one of ${partialPolicies.join(", ")}, not ${show(choice)}`);
  }
  checkDefinition(definition);
  const { name, variables, policy } = definition;
  const has = (variable: string, ...levels: string[]): boolean =>
    variables.some((v: VariableDefinition) => v.name === variable && levels.every((level) => v.levels.includes(level)));
  if (policy === undefined || !has("R", "partial") || !has("A", "0", "1") || !has("T", "0", "1")) {
    throw usageError(
      `--partial-policy ${choice}: network ${name} has no partial retrieval (a level "partial" of R); rat-ternary has`,
    );
  }
  return memoised(definition, `partial ${choice}`, () => {
    const { terms, words } = choices[choice];
    const others = policy.terms.filter(({ when }) => when.R !== "partial");
    return {
      ...definition,
      policy: {
        ...policy,
        terms: [...others, ...terms],
        note: `at partial retrieval ${words} (--partial-policy ${choice}); the paper leaves this open`,
      },
    };
  });
}
