import type { NetworkDefinition, RowDefinition, Setting, VariableDefinition } from "./definition.js";
import { memoised } from "./memo.js";
import { rat } from "./rat.js";

const binary = ["0", "1"] as const;

const judgeQuantities = [
  { name: "TPR_R", expression: "P(R_J=1 | R=1)" },
  { name: "FPR_R", expression: "P(R_J=1 | R=0)" },
  { name: "TPR_T", expression: "P(T_J=1 | T=1)" },
  { name: "FPR_T", expression: "P(T_J=1 | T=0)" },
  { name: "P(R_J=1)", expression: "P(R_J=1)" },
  { name: "P(T_J=1)", expression: "P(T_J=1)" },
];

/** How far a verdict can be trusted, and how often judge and gold label are the same. */
const moreJudgeQuantities = [
  { name: "PPV_R", expression: "P(R=1 | R_J=1)" },
  { name: "NPV_R", expression: "P(R=0 | R_J=0)" },
  { name: "PPV_T", expression: "P(T=1 | T_J=1)" },
  { name: "NPV_T", expression: "P(T=0 | T_J=0)" },
  { name: "agree_R", expression: "P(R=1, R_J=1) + P(R=0, R_J=0)" },
  { name: "agree_T", expression: "P(T=1, T_J=1) + P(T=0, T_J=0)" },
];

/** The six (R, A, T) that can happen. */
const states: readonly Setting[] = [
  { R: "0", A: "0", T: "0" },
  { R: "0", A: "0", T: "1" },
  { R: "0", A: "1", T: "0" },
  { R: "1", A: "0", T: "0" },
  { R: "1", A: "0", T: "1" },
  { R: "1", A: "1", T: "0" },
];

const stateName = ({ R, A, T }: Setting): string => `R${R}A${A}T${T}`;

/**
 * The base model and a judge whose two labels have a joint distribution of their own in each state, with prior
 * Dirichlet(c, c, c, c) over (R_J, T_J): as chained Bernoulli rows R_J ~ Beta(2c, 2c), then T_J | R_J ~ Beta(c, c).
 */
export function ratJudge(concentration = 1): NetworkDefinition {
  const c = concentration;
  const retrieval: RowDefinition[] = states.map((when) => ({
    name: `R_J|${stateName(when)}`,
    when: [when],
    prior: [2 * c, 2 * c],
  }));
  const task: RowDefinition[] = states.flatMap((when) =>
    binary.map((level) => ({
      name: `T_J|${stateName(when)}R_J${level}`,
      when: [{ ...when, R_J: level }],
      prior: [c, c],
    })),
  );
  return withJudge("rat-judge", [
    { name: "R_J", levels: binary, parents: ["R", "A", "T"], rows: retrieval },
    { name: "T_J", levels: binary, parents: ["R", "A", "T", "R_J"], rows: task },
  ]);
}

/** A judge whose label of R depends on R alone, and of T on T alone: P(R_J | R) P(T_J | T), uniform priors. */
export const ratJudgeIndependent: NetworkDefinition = withJudge("rat-judge-independent", [
  {
    name: "R_J",
    levels: binary,
    parents: ["R"],
    rows: binary.map((R) => ({ name: R === "1" ? "TPR_R" : "FPR_R", when: [{ R }] })),
  },
  {
    name: "T_J",
    levels: binary,
    parents: ["T"],
    rows: binary.map((T) => ({ name: T === "1" ? "TPR_T" : "FPR_T", when: [{ T }] })),
  },
]);

const rowsOf = ({ variables }: NetworkDefinition): string =>
  JSON.stringify(variables.map(({ name, rows }) => [name, rows.map((row) => row.name)]));

const joint = ratJudge();

/**
 * Which of these judges a network has, whatever its priors, policy and quantities: labels with a joint distribution in
 * each state, or independent ones; null: neither.
 */
export function judgeOf(definition: NetworkDefinition): "joint" | "independent" | null {
  const like = (shipped: NetworkDefinition): boolean =>
    definition.name === shipped.name && rowsOf(definition) === rowsOf(shipped);
  return like(joint) ? "joint" : like(ratJudgeIndependent) ? "independent" : null;
}

/** A joint judge's network with another concentration of its judge; the same object for the same arguments. */
export function withConcentration(definition: NetworkDefinition, concentration: number): NetworkDefinition {
  return memoised(definition, `judge concentration ${concentration}`, () => {
    const changed = ratJudge(concentration).variables;
    const variables = definition.variables.map((v) => (/_J$/.test(v.name) ? named(changed, v.name) : v));
    return { ...definition, variables };
  });
}

const named = (variables: readonly VariableDefinition[], name: string): VariableDefinition =>
  variables.find((v) => v.name === name) as VariableDefinition;

function withJudge(name: string, judge: readonly VariableDefinition[]): NetworkDefinition {
  return {
    ...rat,
    name,
    variables: [...rat.variables, ...judge],
    quantities: [...rat.quantities, ...judgeQuantities],
    moreQuantities: [...(rat.moreQuantities ?? []), ...moreJudgeQuantities],
  };
}
