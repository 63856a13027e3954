import type { NetworkDefinition } from "./definition.js";

const binary = ["0", "1"] as const;

/**
 * The base model: retrieval success R, abstention A given R, task success T given R among answers; an abstention is
 * never a success. Five probabilities, uniform priors. Policy adherence G: abstain when retrieval failed, answer
 * correctly when it succeeded.
 */
export const rat: NetworkDefinition = {
  name: "rat",
  variables: [
    { name: "R", levels: binary, rows: [{ name: "theta_R" }] },
    {
      name: "A",
      levels: binary,
      parents: ["R"],
      rows: [
        { name: "theta_A-", when: [{ R: "0" }] },
        { name: "theta_A+", when: [{ R: "1" }] },
      ],
    },
    {
      name: "T",
      levels: binary,
      parents: ["R", "A"],
      rows: [
        { name: "theta_T-", when: [{ R: "0", A: "0" }] },
        { name: "theta_T+", when: [{ R: "1", A: "0" }] },
        { name: "abstained", when: [{ A: "1" }], always: "0" },
      ],
    },
  ],
  policy: {
    name: "G",
    terms: [
      { when: { R: "0", A: "1" }, weight: 1 },
      { when: { R: "1", A: "0", T: "1" }, weight: 1 },
    ],
  },
  quantities: [
    { name: "theta_R", expression: "P(R=1)" },
    { name: "theta_A-", expression: "P(A=1 | R=0)" },
    { name: "theta_A+", expression: "P(A=1 | R=1)" },
    { name: "theta_T-", expression: "P(T=1 | R=0, A=0)" },
    { name: "theta_T+", expression: "P(T=1 | R=1, A=0)" },
    { name: "P(R=1)", expression: "P(R=1)" },
    { name: "P(A=1)", expression: "P(A=1)" },
    { name: "P(T=1)", expression: "P(T=1)" },
    { name: "P(G=1)", expression: "P(G=1)" },
  ],
  moreQuantities: [
    { name: "gap_A", expression: "P(A=1 | R=0) - P(A=1 | R=1)" },
    { name: "gap_T", expression: "P(T=1 | R=1, A=0) - P(T=1 | R=0, A=0)" },
    { name: "unsupported", expression: "P(R=0, A=0)" },
    { name: "precision_A", expression: "P(R=0 | A=1)" },
    { name: "recall_A", expression: "P(A=1 | R=0)" },
    { name: "accuracy_answered", expression: "P(T=1 | A=0)" },
  ],
};
