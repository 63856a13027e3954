import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { posteriorMeans } from "../../src/engines/exact/index.js";
import {
  compileNetwork,
  type NetworkDefinition,
  type PolicyTerm,
  policyOf,
  policyText,
  rat,
  ratJudge,
  ratJudgeIndependent,
  ratTernary,
  withPolicy,
  withPolicyOptions,
} from "../../src/network/index.js";
import { countText, failure } from "../records/support.js";
import { fiveVariables } from "../support/networks.js";

const soft = "R=0&A=1:1, R=1&A=0&T=1:1, R=0&A=0&T=1:0.5";

describe("a policy as text", () => {
  it("is read as terms: cells of no term weigh 0", () => {
    const { policy, quantities } = withPolicy(rat, soft);
    expect(policy).toEqual({
      name: "G",
      terms: [
        { when: { R: "0", A: "1" }, weight: 1 },
        { when: { R: "1", A: "0", T: "1" }, weight: 1 },
        { when: { R: "0", A: "0", T: "1" }, weight: 0.5 },
      ],
    });
    expect(quantities).toBe(rat.quantities);
  });

  it("may have blanks anywhere, weights in any notation, and levels in other spellings", () => {
    expect(withPolicy(rat, " R = 0 & A=1 : 1.0 ,\n T=1 : 5e-1 ").policy?.terms).toEqual([
      { when: { R: "0", A: "1" }, weight: 1 },
      { when: { T: "1" }, weight: 0.5 },
    ]);
    expect(withPolicy(rat, "R=0:.25,R=1:0").policy?.terms.map(({ weight }) => weight)).toEqual([0.25, 0]);
    const { policy } = withPolicy(ratTernary, "R=0&A=1:1, R=0.5&A=1:0.5, R=success&T=1:1");
    expect(policy?.terms.map(({ when }) => when.R)).toEqual(["fail", "partial", "success"]);
    expect(policy?.note).toBeUndefined();
  });

  it("is written as it is read", () => {
    for (const definition of [rat, ratTernary, ratJudge(), withPolicy(rat, soft)]) {
      expect(withPolicy(definition, policyOf(definition) as string).policy?.terms).toEqual(definition.policy?.terms);
    }
    expect(policyText({ name: "G", terms: [] })).toBe("");
    expect(policyOf(fiveVariables)).toBeNull();
  });

  it("makes the same network of the same text, so that engines know it again", () => {
    expect(withPolicy(rat, soft)).toBe(withPolicy(rat, soft));
    expect(withPolicy(rat, soft)).not.toBe(withPolicy(rat, "R=0:1"));
    expect(withPolicyOptions(rat, {})).toBe(rat);
  });

  it.each<[string, number, string]>([
    ["", 1, "expected the name of a variable"],
    ["R=0&A=1", 8, 'expected "&", or ":" and a weight from 0 to 1'],
    ["R=0&A=1, R=1:1", 8, 'expected "&", or ":" and a weight from 0 to 1'],
    ["R=0:1,", 7, "expected the name of a variable"],
    ["R=0:1 R=1:1", 7, "expected a comma or the end"],
    ["R=0&:1", 5, "expected the name of a variable"],
    ["R:1", 2, 'expected "="'],
    ["R=:1", 3, "expected a level of R"],
    ["R=0:", 5, "expected a weight from 0 to 1"],
    ["R=0:1.5", 5, "1.5 is no weight from 0 to 1"],
    ["R=0:-1", 5, "-1 is no weight from 0 to 1"],
    ["R=0: half", 6, "half is no weight from 0 to 1"],
    ["R=0:NaN", 5, "NaN is no weight from 0 to 1"],
    ["R=0:0x1", 5, "0x1 is no weight from 0 to 1"],
    ["R=0:1, Q=1:1", 8, "unknown variable Q (there are R, A, T)"],
    ["G=1:1", 1, "unknown variable G (there are R, A, T)"],
    ["A=1 & R=2:1", 7, 'R has no level "2" (its levels: 0, 1)'],
    ["R=0&R=1:1", 5, "R is named twice in one term"],
    ["R=0:1, A=1:1", 8, "A=1 and R=0 overlap: both hold for R=0&A=1&T=0"],
    ["R=0:1, R=0:1", 8, "R=0 and R=0 overlap: both hold for R=0&A=0&T=0"],
    ["R=0:1, A=1&T=1:1", 8, "A=1&T=1 can't happen in network rat"],
  ])("%j is refused at position %d", async (text, position, problem) => {
    const error = await failure(() => withPolicy(rat, text));
    expect(error.exitCode).toBe(64);
    const caret = `${" ".repeat(position - 1)}^`;
    expect(error.message).toBe(`--policy: ${problem} at position ${position}\n  ${text}\n  ${caret}`);
  });
});

describe("a policy as terms", () => {
  const terms: PolicyTerm[] = [
    { when: { R: "0", A: "1" }, weight: 1 },
    { when: { R: "1", T: "1" }, weight: 0.75 },
  ];

  it("is taken as it is", () => {
    expect(withPolicy(rat, terms).policy).toEqual({ name: "G", terms });
    expect(withPolicy(ratTernary, [{ when: { R: "0.5" }, weight: 1 }]).policy?.terms[0].when).toEqual({ R: "partial" });
  });

  it.each<[unknown, string]>([
    [3, "policy must be a list of terms { when, weight }, or text such as 'R=0&A=1:1', not 3"],
    [[{ when: "R=0", weight: 1 }], 'policy[0].when must be an object of levels by variable, not "R=0"'],
    [[{ when: {}, weight: "1" }], 'policy[0].weight must be a number, not "1"'],
    [[{ when: {}, weight: 2 }], "policy[0]: weight 2 is not from 0 to 1"],
    [[{ when: {}, weight: Number.NaN }], "policy[0]: weight NaN is not from 0 to 1"],
    [[terms[0], { when: { Q: "1" }, weight: 1 }], "policy[1]: unknown variable Q (there are R, A, T)"],
    [[terms[0], { when: { A: "1" }, weight: 1 }], "policy[1]: A=1 and R=0&A=1 overlap: both hold for R=0&A=1&T=0"],
    [[{ when: { A: "1", T: "1" }, weight: 1 }], "policy[0]: A=1&T=1 can't happen in network rat"],
  ])("is refused with its place: %j", async (policy, message) => {
    const error = await failure(() => withPolicy(rat, policy as PolicyTerm[]));
    expect(error.exitCode).toBe(64);
    expect(error.message).toBe(message);
  });

  it("and --partial-policy exclude each other", async () => {
    const error = await failure(() => withPolicyOptions(ratTernary, { policy: terms, partialPolicy: "answer" }));
    expect(error.exitCode).toBe(64);
    expect(error.message).toContain("not both");
  });
});

/** Posterior means of P(G=1) under a policy, and of the probability of every cell. */
async function meansOf(definition: NetworkDefinition, policy: string | PolicyTerm[], counts: Float64Array) {
  const adherent = withPolicy(definition, policy);
  const { cells, variables } = compileNetwork(definition);
  const settings = cells.map(({ levels }) => variables.map(({ name, levels: all }, v) => `${name}=${all[levels[v]]}`));
  const name = adherent.policy?.name;
  const expressions = [`P(${name}=1)`, ...settings.map((setting) => `P(${setting.join(", ")})`)];
  const quantities = expressions.map((expression) => ({ name: expression, expression }));
  const [g, ...each] = await posteriorMeans(compileNetwork(adherent, { quantities }), counts);
  return { g, each, settings };
}

const csv = "R,A,T,n\n0,0,0,5\n0,0,1,3\n0,1,,9\n1,0,0,2\n1,0,1,11\n1,1,,4\n,0,1,3\n1,,0,2\n0,,,4\n";

describe("P(G=1) is the expected weight", () => {
  it.each([rat, ratJudge(), ratJudgeIndependent])("of a soft policy of $name, exactly", async (definition) => {
    const { counts } = await countText(csv, "csv", { network: compileNetwork(definition) });
    const { g, each, settings } = await meansOf(definition, soft, counts);
    const weight = (setting: readonly string[]): number => {
      const { R, A, T } = Object.fromEntries(setting.map((part) => part.split("=")));
      if (R === "0") return A === "1" ? 1 : T === "1" ? 0.5 : 0;
      return A === "0" && T === "1" ? 1 : 0;
    };
    const sum = settings.reduce((total, setting, c) => total + weight(setting) * each[c], 0);
    expect(Math.abs(g - sum)).toBeLessThan(1e-14);
  });

  it("of any weights of the cells", async () => {
    const { counts } = await countText(csv);
    const { cells, variables } = compileNetwork(rat);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 6, maxLength: 6 }), async (eighths) => {
        const terms = cells.map(({ levels }, c) => ({
          when: Object.fromEntries(variables.map(({ name, levels: all }, v) => [name, all[levels[v]]])),
          weight: eighths[c] / 8,
        }));
        const { g, each } = await meansOf(rat, terms, counts);
        const sum = each.reduce((total, mean, c) => total + (eighths[c] / 8) * mean, 0);
        expect(Math.abs(g - sum)).toBeLessThan(1e-14);
      }),
      { numRuns: 20 },
    );
  });

  it("in a network without a policy, which then has one named G and the quantity P(G=1) last", () => {
    const definition = withPolicy(fiveVariables, "V=a&X=low:0.5, V=b:1");
    expect(definition.policy?.name).toBe("G");
    expect(definition.quantities.slice(0, -1)).toEqual(fiveVariables.quantities);
    expect(definition.quantities.at(-1)).toEqual({ name: "P(G=1)", expression: "P(G=1)" });
    expect(() => compileNetwork(definition)).not.toThrow();
  });

  it("but not where a variable has the policy's name", async () => {
    const definition: NetworkDefinition = {
      name: "n",
      variables: [{ name: "G", levels: ["0", "1"], rows: [{ name: "g" }] }],
      quantities: [],
    };
    const error = await failure(() => withPolicy(definition, "G=1:1"));
    expect(error.message).toBe("--policy: network n has a variable G, the name that the policy would have");
  });
});
