import type { NetworkDefinition } from "../../src/network/index.js";
import { rat, ratJudge, ratJudgeIndependent } from "../../src/network/index.js";

const binary = ["0", "1"] as const;

/** Three levels of retrieval, with the paper's names for R, then A and T as in the base network. */
export const ternary: NetworkDefinition = {
  name: "ternary",
  variables: [
    { name: "R", levels: ["none", "partial", "full"], rows: [{ name: "theta_R", prior: [2, 1, 0.5] }] },
    {
      name: "A",
      levels: binary,
      parents: ["R"],
      rows: ["none", "partial", "full"].map((R) => ({ name: `A|${R}`, when: [{ R }], prior: [1.5, 0.75] })),
    },
    {
      name: "T",
      levels: binary,
      parents: ["R", "A"],
      rows: [
        ...["none", "partial", "full"].map((R) => ({ name: `T|${R}`, when: [{ R, A: "0" }] })),
        { name: "abstained", when: [{ A: "1" }], always: "0" },
      ],
    },
  ],
  policy: {
    name: "G",
    terms: [
      { when: { R: "none", A: "1" }, weight: 1 },
      { when: { R: "partial", A: "1" }, weight: 0.25 },
      { when: { R: "partial", A: "0", T: "1" }, weight: 0.5 },
      { when: { R: "full", T: "1" }, weight: 1 },
    ],
  },
  quantities: [
    { name: "P(R=partial)", expression: "P(R=partial)" },
    { name: "P(A=1)", expression: "P(A=1)" },
    { name: "P(T=1 | A=0)", expression: "P(T=1 | A=0)" },
    { name: "P(G=1)", expression: "P(G=1)" },
    { name: "gap", expression: "P(A=1 | R=none) - P(A=1 | R=full)" },
  ],
};

/** Five variables: a root of four levels, a collider, a certain row and one that depends on everything before it. */
export const fiveVariables: NetworkDefinition = {
  name: "five",
  variables: [
    { name: "V", levels: ["a", "b", "c", "d"], rows: [{ name: "v", prior: [1, 2, 3, 4] }] },
    { name: "W", levels: binary, rows: [{ name: "w", prior: [3, 0.5] }] },
    {
      name: "X",
      levels: ["low", "mid", "high"],
      parents: ["V", "W"],
      rows: [
        { name: "x1", when: [{ V: "a" }, { V: "b", W: "0" }], prior: [0.5, 0.5, 0.5] },
        { name: "x2", when: [{ V: "b", W: "1" }, { V: "c" }] },
        { name: "x3", when: [{ V: "d" }], always: "mid" },
      ],
    },
    {
      name: "Y",
      levels: binary,
      parents: ["X"],
      rows: [
        { name: "y1", when: [{ X: "low" }, { X: "high" }], prior: [2, 7] },
        { name: "y2", when: [{ X: "mid" }] },
      ],
    },
    {
      name: "Z",
      levels: binary,
      parents: ["V", "Y"],
      rows: [
        { name: "z1", when: [{ Y: "0" }], prior: [1.5, 1.5] },
        { name: "z2", when: [{ V: "a", Y: "1" }], prior: [4, 1] },
        { name: "z3", when: [{ V: "b", Y: "1" }] },
        {
          name: "z4",
          when: [
            { V: "c", Y: "1" },
            { V: "d", Y: "1" },
          ],
          always: "1",
        },
      ],
    },
  ],
  quantities: [
    { name: "P(Z=1)", expression: "P(Z=1)" },
    { name: "odds", expression: "P(X=mid, Y=1) / P(X=mid, Y=0)" },
    { name: "P(V=d | X=mid, Z=1)", expression: "P(V=d | X=mid & Z=1)" },
  ],
};

/** One row for two of three settings: records of either kind inform the same parameter. */
export const sharedRow: NetworkDefinition = {
  name: "shared",
  variables: [
    { name: "X", levels: ["0", "1", "2"], rows: [{ name: "x" }] },
    {
      name: "Y",
      levels: binary,
      parents: ["X"],
      rows: [
        { name: "y-outer", when: [{ X: "0" }, { X: "2" }], prior: [2, 3] },
        { name: "y-middle", when: [{ X: "1" }] },
      ],
    },
    { name: "Z", levels: binary, parents: ["X", "Y"], rows: [{ name: "z", prior: [0.5, 4] }] },
  ],
  quantities: [{ name: "P(X=1 | Y=1)", expression: "P(X=1 | Y=1)" }],
};

/** One parameter: a coin. */
export const coin: NetworkDefinition = {
  name: "coin",
  variables: [{ name: "X", levels: binary, rows: [{ name: "p" }] }],
  quantities: [{ name: "p", expression: "P(X=1)" }],
};

/** Every network that has a name here. */
export const examples: readonly NetworkDefinition[] = [
  rat,
  ratJudge(),
  ratJudgeIndependent,
  ternary,
  fiveVariables,
  sharedRow,
  coin,
];
