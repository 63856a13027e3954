import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  compileNetwork,
  describeNetwork,
  networkNamed,
  rat,
  ratTernary,
  readNetwork,
  shippedNetworks,
} from "../../src/network/index.js";
import { failure } from "../records/support.js";
import { fiveVariables } from "../support/networks.js";

// biome-ignore lint/suspicious/noExplicitAny: what a hand-written file may hold
type Content = any;

const copy = (): Content => JSON.parse(JSON.stringify(rat));
const changed = (change: (content: Content) => void): Content => {
  const content = copy();
  change(content);
  return content;
};

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
for (const name of ["network", "network-check"]) {
  ajv.addSchema(JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8")));
}
const faults = (schema: string, value: unknown): unknown => (ajv.validate(schema, value) ? null : ajv.errors);

describe("a network file", () => {
  it.each([...shippedNetworks.map(networkNamed), fiveVariables])(
    "may hold $name, and is that network",
    (definition) => {
      const content = JSON.parse(JSON.stringify(definition));
      expect(faults("network.schema.json", content)).toBeNull();
      expect(readNetwork(content)).toEqual(content);
      expect(compileNetwork(readNetwork(content)).cells).toEqual(compileNetwork(definition).cells);
    },
  );

  it("is the one of docs/networks.md", () => {
    const text = readFileSync(new URL("../../docs/networks.md", import.meta.url), "utf8");
    const content = JSON.parse(/^```json\n(.*?)^```/ms.exec(text)?.[1] ?? "");
    expect(faults("network.schema.json", content)).toBeNull();
    expect(compileNetwork(readNetwork(content)).cells).toHaveLength(9);
  });

  it("may name its schema", () => {
    const content = { $schema: "node_modules/rat-engine/schemas/network.schema.json", ...copy() };
    expect(faults("network.schema.json", content)).toBeNull();
    expect(readNetwork(content)).toEqual(copy());
  });

  it.each<[string, string, Content]>([
    ["a list", "a network file holds one object { name, variables, quantities }, not []", []],
    ["null", "a network file holds one object { name, variables, quantities }, not null", null],
    ["no name", "name must be text, not undefined", changed((c) => delete c.name)],
    ["a blank name", "name: a network needs a name", changed((c) => Object.assign(c, { name: " " }))],
    ["no variables", "variables: network rat has no variables", changed((c) => Object.assign(c, { variables: [] }))],
    [
      "variables that are no list",
      "variables must be a list of variables, not {}",
      changed((c) => Object.assign(c, { variables: {} })),
    ],
    [
      "a level that is a number",
      "variables[0].levels[1] must be text, not 1",
      changed((c) => Object.assign(c.variables[0], { levels: ["0", 1] })),
    ],
    [
      "a misspelt field",
      "variables[1].rows[0].prio: a row has no such field; it may have name, when, prior, always",
      changed((c) => Object.assign(c.variables[1].rows[0], { prio: [1, 9] })),
    ],
    ["a field too many", "comment: a network has no such field", changed((c) => Object.assign(c, { comment: "mine" }))],
    [
      "a field too many in a term",
      "policy.terms[1].note: a term has no such field; it may have when, weight",
      changed((c) => Object.assign(c.policy.terms[1], { note: "" })),
    ],
    [
      "a parent that isn't there",
      "variables[1].parents: network rat: parent Q of A is not an earlier variable",
      changed((c) => Object.assign(c.variables[1], { parents: ["Q"] })),
    ],
    [
      "a row at an unknown level",
      'variables[1].rows[1].when: R has no level "2": its levels are 0, 1',
      changed((c) => Object.assign(c.variables[1].rows[1], { when: [{ R: "2" }] })),
    ],
    [
      "a case without a row",
      "variables[1].rows: network rat: no row for A under R=1; exactly one row must cover each case",
      changed((c) => c.variables[1].rows.pop()),
    ],
    [
      "a row for nothing",
      "variables[2].rows[3]: network rat: row idle of T covers no possible case",
      changed((c) => c.variables[2].rows.push({ name: "idle", when: [] })),
    ],
    [
      "a short prior",
      "variables[0].rows[0].prior: row theta_R has 2 levels, but its prior has 1 numbers",
      changed((c) => Object.assign(c.variables[0].rows[0], { prior: [1] })),
    ],
    [
      "a policy with a weight of 2",
      "policy.terms[0].weight: policy term R=0&A=1: weight 2 is not in [0, 1]",
      changed((c) => Object.assign(c.policy.terms[0], { weight: 2 })),
    ],
    [
      "a policy that overlaps",
      "policy.terms[2].when: policy terms R=0&A=1 and A=1 overlap",
      changed((c) => c.policy.terms.push({ when: { A: "1" }, weight: 1 })),
    ],
    [
      "a malformed quantity",
      'quantities[2].expression: expected ")" at position 6\n  P(A=1\n       ^',
      changed((c) => Object.assign(c.quantities[2], { expression: "P(A=1" })),
    ],
    [
      "a quantity about nothing",
      "moreQuantities[0].expression: unknown variable Q (there are R, A, T, G) at position 3",
      changed((c) => Object.assign(c.moreQuantities[0], { expression: "P(Q=1)" })),
    ],
    [
      "two quantities of one name",
      "moreQuantities[1].name: quantities[0] is named theta_R too",
      changed((c) => Object.assign(c.moreQuantities[1], { name: "theta_R" })),
    ],
    [
      "a prior of what is certain",
      "variables[1].rows[0].prior: network rat: row theta_A- is certain, so that it has no use for a prior",
      changed((c) => Object.assign(c.variables[1].rows[0], { always: "0", prior: [1, 9] })),
    ],
    [
      "a policy for what can't happen",
      "policy.terms[2].when: A=1&T=1 can't happen in network rat",
      changed((c) => c.policy.terms.push({ when: { A: "1", T: "1" }, weight: 1 })),
    ],
    [
      "nothing to estimate",
      "quantities: there is nothing to estimate",
      changed((c) => Object.assign(c, { quantities: [] })),
    ],
    [
      "a shipped network's name",
      "name: rat is the name of a network that comes with the package, and this is another one",
      changed((c) => Object.assign(c.variables[0].rows[0], { prior: [2, 2] })),
    ],
    [
      "too many variables",
      "the network has ",
      changed((c) => {
        for (let i = 0; i < 40; i++) c.variables.push({ name: `V${i}`, levels: ["0", "1"], rows: [{ name: `v${i}` }] });
      }),
    ],
  ])("with %s is refused: %s", async (_, message, content) => {
    const error = await failure(() => readNetwork(content, "mine.json"));
    expect(error.exitCode).toBe(65);
    expect(error.place.file).toBe("mine.json");
    expect(error.describe()).toContain(`mine.json: ${message}`);
  });
});

describe("the description of a network", () => {
  it.each([...shippedNetworks.map(networkNamed), fiveVariables])("of $name fits its schema", (definition) => {
    const document = describeNetwork(definition);
    expect(faults("network-check.schema.json", document)).toBeNull();
    const compiled = compileNetwork(definition);
    expect(document.cells).toHaveLength(compiled.cells.length);
    expect(document.patterns.count).toBe(compiled.patterns.length);
    expect(document.patterns.ambiguous).toHaveLength(compiled.patterns.filter(({ nodes }) => nodes.length > 1).length);
  });

  it("says what rat-ternary is", () => {
    const { variables, rows, cells, patterns, policy } = describeNetwork(ratTernary);
    expect(variables[0]).toMatchObject({ name: "R", spellings: { "0.5": "partial" }, parents: [] });
    expect(rows[0]).toEqual({ name: "theta_R", variable: "R", when: [], prior: [1, 1, 1], always: null });
    expect(rows.at(-1)).toEqual({ name: "abstained", variable: "T", when: [{ A: "1" }], prior: null, always: "0" });
    expect(cells[0]).toEqual({ R: "fail", A: "0", T: "0" });
    expect(patterns.ambiguous).toContainEqual({ A: "0", T: "1" });
    expect(policy).toBe("R=fail&A=1:1, R=success&A=0&T=1:1, R=partial&A=0&T=1:1");
  });
});
