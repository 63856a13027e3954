import type { NetworkDefinition } from "./definition.js";
import { withPartialPolicy } from "./partial.js";

const binary = ["0", "1"] as const;

/**
 * The base model with three levels of retrieval: nothing of what is needed was found, some of it, or all of it. One
 * probability of abstention and one of task success a level, everything uniform. Names ending in - and + are those of the
 * base model, at failed and successful retrieval; ~ is partial retrieval.
 *
 * The paper (appendix C) has no policy for partial retrieval. Here a correct answer counts there, unless
 * `withPartialPolicy` says otherwise.
 */
export const ratTernary: NetworkDefinition = withPartialPolicy(
  {
    name: "rat-ternary",
    variables: [
      {
        name: "R",
        levels: ["fail", "partial", "success"],
        spellings: { "0": "fail", "0.5": "partial", "1": "success" },
        rows: [{ name: "theta_R" }],
      },
      {
        name: "A",
        levels: binary,
        parents: ["R"],
        rows: [
          { name: "theta_A-", when: [{ R: "fail" }] },
          { name: "theta_A~", when: [{ R: "partial" }] },
          { name: "theta_A+", when: [{ R: "success" }] },
        ],
      },
      {
        name: "T",
        levels: binary,
        parents: ["R", "A"],
        rows: [
          { name: "theta_T-", when: [{ R: "fail", A: "0" }] },
          { name: "theta_T~", when: [{ R: "partial", A: "0" }] },
          { name: "theta_T+", when: [{ R: "success", A: "0" }] },
          { name: "abstained", when: [{ A: "1" }], always: "0" },
        ],
      },
    ],
    policy: {
      name: "G",
      terms: [
        { when: { R: "fail", A: "1" }, weight: 1 },
        { when: { R: "success", A: "0", T: "1" }, weight: 1 },
      ],
    },
    quantities: [
      { name: "theta_R", expression: "P(R=success)" },
      { name: "theta_A-", expression: "P(A=1 | R=fail)" },
      { name: "theta_A+", expression: "P(A=1 | R=success)" },
      { name: "theta_T-", expression: "P(T=1 | R=fail, A=0)" },
      { name: "theta_T+", expression: "P(T=1 | R=success, A=0)" },
      { name: "P(R=1)", expression: "P(R=success)" },
      { name: "P(A=1)", expression: "P(A=1)" },
      { name: "P(T=1)", expression: "P(T=1)" },
      { name: "P(G=1)", expression: "P(G=1)" },
      { name: "P(R=partial)", expression: "P(R=partial)" },
      { name: "theta_A~", expression: "P(A=1 | R=partial)" },
      { name: "theta_T~", expression: "P(T=1 | R=partial, A=0)" },
    ],
    moreQuantities: [
      { name: "gap_A", expression: "P(A=1 | R=fail) - P(A=1 | R=success)" },
      { name: "gap_T", expression: "P(T=1 | R=success, A=0) - P(T=1 | R=fail, A=0)" },
      { name: "unsupported", expression: "P(R=fail, A=0)" },
      { name: "precision_A", expression: "P(R=fail | A=1)" },
      { name: "recall_A", expression: "P(A=1 | R=fail)" },
      { name: "accuracy_answered", expression: "P(T=1 | A=0)" },
    ],
  },
  "answer",
);
