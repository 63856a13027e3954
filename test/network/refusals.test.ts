import { describe, expect, it } from "vitest";
import { RatError } from "../../src/errors.js";
import {
  type CompileOptions,
  compileNetwork,
  type NetworkDefinition,
  type PolicyDefinition,
  type RowDefinition,
  rat,
  type VariableDefinition,
} from "../../src/network/index.js";

const binary = ["0", "1"];
const X: VariableDefinition = { name: "X", levels: binary, rows: [{ name: "x" }] };

/** X, and a child Y of X with these rows. */
const withRows = (rows: readonly RowDefinition[]): NetworkDefinition => ({
  name: "n",
  variables: [X, { name: "Y", levels: binary, parents: ["X"], rows }],
  quantities: [],
});

const withVariables = (...variables: VariableDefinition[]): NetworkDefinition => ({
  name: "n",
  variables,
  quantities: [],
});

const withTerms = (...terms: PolicyDefinition["terms"]): NetworkDefinition => ({
  ...rat,
  policy: { name: "G", terms },
});

function refusal(definition: NetworkDefinition, options?: CompileOptions): RatError {
  try {
    compileNetwork(definition, options);
  } catch (error) {
    if (error instanceof RatError) return error;
    throw error;
  }
  throw new Error("expected a RatError, but nothing was thrown");
}

describe("a definition is refused as bad data:", () => {
  it.each<[string, NetworkDefinition, string]>([
    ["no variables", withVariables(), "network n has no variables"],
    [
      "two variables of one name",
      withVariables(X, { ...X, rows: [{ name: "y" }] }),
      "network n: two variables are named X",
    ],
    ["one level", withVariables({ ...X, levels: ["1"] }), "network n: X needs at least two different levels"],
    ["equal levels", withVariables({ ...X, levels: ["1", "1"] }), "network n: X needs at least two different levels"],
    [
      "no rows",
      withVariables({ ...X, rows: [] }),
      "no row for X under no condition; exactly one row must cover each case",
    ],
    ["two rows of one name", withRows([{ name: "x" }]), "network n: two rows are named x"],
    [
      "an unknown parent",
      withVariables({ ...X, parents: ["W"] }),
      "network n: parent W of X is not an earlier variable",
    ],
    ["its own parent", withVariables({ ...X, parents: ["X"] }), "network n: parent X of X is not an earlier variable"],
    [
      "a later parent",
      withVariables({ ...X, parents: ["Y"] }, { name: "Y", levels: binary, rows: [{ name: "y" }] }),
      "network n: parent Y of X is not an earlier variable",
    ],
    [
      "an uncovered setting",
      withRows([{ name: "y", when: [{ X: "0" }] }]),
      "network n: no row for Y under X=1; exactly one row must cover each case",
    ],
    [
      "a setting covered twice",
      withRows([{ name: "y" }, { name: "z", when: [{ X: "1" }] }]),
      "network n: rows y and z for Y under X=1; exactly one row must cover each case",
    ],
    [
      "a row for a setting that can't happen",
      {
        ...withRows([
          { name: "y", when: [{ X: "0" }] },
          { name: "z", when: [{ X: "1" }] },
        ]),
        variables: [
          { name: "X", levels: binary, rows: [{ name: "x", always: "0" }] },
          ...withRows([
            { name: "y", when: [{ X: "0" }] },
            { name: "z", when: [{ X: "1" }] },
          ]).variables.slice(1),
        ],
      },
      "network n: row z of Y covers no possible case",
    ],
    [
      "a row for no setting",
      withRows([{ name: "y" }, { name: "z", when: [] }]),
      "network n: row z of Y covers no possible case",
    ],
    [
      "a setting of another variable",
      withRows([{ name: "y", when: [{ Z: "0" }] }]),
      "network n: row y names Z, which is not a parent of Y",
    ],
    [
      "a setting of a variable that isn't a parent",
      withVariables(X, { name: "Y", levels: binary, rows: [{ name: "y", when: [{ X: "0" }] }] }),
      "network n: row y names X, which is not a parent of Y",
    ],
    [
      "a setting at an unknown level",
      withRows([{ name: "y", when: [{ X: "yes" }] }]),
      'X has no level "yes": its levels are 0, 1',
    ],
    ["always an unknown level", withRows([{ name: "y", always: "2" }]), 'Y has no level "2": its levels are 0, 1'],
    ["a short prior", withRows([{ name: "y", prior: [1] }]), "row y has 2 levels, but its prior has 1 numbers"],
    ["a long prior", withRows([{ name: "y", prior: [1, 1, 1] }]), "row y has 2 levels, but its prior has 3 numbers"],
    ["a prior of 0", withRows([{ name: "y", prior: [1, 0] }]), "prior of row y: 0 is not a positive number"],
    ["a negative prior", withRows([{ name: "y", prior: [-1, 1] }]), "prior of row y: -1 is not a positive number"],
    ["a prior of NaN", withRows([{ name: "y", prior: [1, NaN] }]), "prior of row y: NaN is not a positive number"],
    [
      "an infinite prior",
      withRows([{ name: "y", prior: [1, Infinity] }]),
      "prior of row y: Infinity is not a positive number",
    ],
    [
      "a policy of a variable's name",
      { ...rat, policy: { name: "R", terms: [] } },
      "network rat: R is the policy's name",
    ],
    [
      "a policy about an unknown variable",
      withTerms({ when: { Q: "1" }, weight: 1 }),
      "the policy names Q, which is no variable of network rat",
    ],
    [
      "a policy at an unknown level",
      withTerms({ when: { R: "2" }, weight: 1 }),
      'R has no level "2": its levels are 0, 1',
    ],
    ["a weight above 1", withTerms({ when: { R: "1" }, weight: 1.5 }), "policy term R=1: weight 1.5 is not in [0, 1]"],
    ["a weight below 0", withTerms({ when: { R: "1" }, weight: -1 }), "policy term R=1: weight -1 is not in [0, 1]"],
    ["a weight of NaN", withTerms({ when: { R: "1" }, weight: NaN }), "policy term R=1: weight NaN is not in [0, 1]"],
    [
      "overlapping terms of a policy",
      withTerms(
        { when: { R: "1" }, weight: 1 },
        { when: { R: "0", A: "1" }, weight: 1 },
        { when: { A: "1" }, weight: 1 },
      ),
      "policy terms R=0&A=1 and A=1 overlap",
    ],
  ])("%s", (_, definition, message) => {
    const error = refusal(definition);
    expect(error.message).toContain(message);
    expect(error.exitCode).toBe(65);
  });
});

describe("options are refused as bad usage:", () => {
  it.each<[string, CompileOptions, string]>([
    [
      "a prior of an unknown row",
      { priors: { theta: [1, 1] } },
      "no row is named theta; priors can be set for theta_R, theta_A-, theta_A+, theta_T-, theta_T+",
    ],
    ["a prior of a certain row", { priors: { abstained: [1, 1] } }, "no row is named abstained"],
    ["a short prior", { priors: { theta_R: [1] } }, "prior of theta_R: 2 numbers are needed, one a level"],
    ["a prior of 0", { priors: { theta_R: [0, 1] } }, "prior of theta_R: 0 is not a positive number"],
    ["a prior of NaN", { priors: { theta_R: [1, NaN] } }, "prior of theta_R: NaN is not a positive number"],
    [
      "two quantities of one name",
      {
        quantities: [
          { name: "q", expression: "P(R=1)" },
          { name: "q", expression: "P(R=0)" },
        ],
      },
      "two quantities are named q",
    ],
    ["a malformed quantity", { quantities: [{ name: "q", expression: "P(R=1" }] }, 'expected ")" at position 6'],
  ])("%s", (_, options, message) => {
    const error = refusal(rat, options);
    expect(error.message).toContain(message);
    expect(error.exitCode).toBe(64);
  });
});

describe("unusual definitions that are fine:", () => {
  it("names that every object has", () => {
    const variables = [
      { name: "constructor", levels: ["valueOf", "toString"], rows: [{ name: "__proto__" }] },
      {
        name: "hasOwnProperty",
        levels: binary,
        parents: ["constructor"],
        rows: [{ name: "a" }],
      },
      {
        name: "Z",
        levels: binary,
        parents: ["constructor", "hasOwnProperty"],
        rows: [
          { name: "b", when: [{ hasOwnProperty: "0" }] },
          { name: "c", when: [{ hasOwnProperty: "1" }] },
        ],
      },
    ];
    const network = compileNetwork({
      name: "n",
      variables,
      quantities: [{ name: "q", expression: "P(constructor=valueOf)" }],
    });
    expect(network.cells).toHaveLength(8);
    expect(network.rowNames).toEqual(["__proto__", "a", "b", "c"]);
  });

  it("an empty policy: nothing is adherent", () => {
    const { quantities } = compileNetwork({ ...withTerms(), quantities: [{ name: "G", expression: "P(G=1)" }] });
    expect(quantities[0].program).toMatchObject([{ op: "form", form: { constant: 0 } }]);
  });

  it("a setting left uncovered that can't happen", () => {
    const definition = withRows([{ name: "y", when: [{ X: "0" }] }]);
    const variables = [{ ...X, rows: [{ name: "x", always: "0" }] }, definition.variables[1]];
    expect(compileNetwork({ ...definition, variables }).cells).toHaveLength(2);
  });
});
