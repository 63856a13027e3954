import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { straightLineShape } from "../../src/engines/wasm/straight-line.js";
import { emitDensity } from "../../src/network/emit-assembly.js";
import { compileNetwork, type NetworkDefinition, rat } from "../../src/network/index.js";
import { shapeOf } from "../../src/network/shape.js";
import { examples } from "../support/networks.js";

/** The base network with other names, priors, policy and quantities. */
const renamed: NetworkDefinition = {
  name: "other",
  variables: [
    { name: "Found", levels: ["no", "yes"], rows: [{ name: "found", prior: [3, 4] }] },
    {
      name: "Silent",
      levels: ["no", "yes"],
      parents: ["Found"],
      rows: [
        { name: "silent if not", when: [{ Found: "no" }] },
        { name: "silent if so", when: [{ Found: "yes" }], prior: [0.5, 9] },
      ],
    },
    {
      name: "Right",
      levels: ["no", "yes"],
      parents: ["Found", "Silent"],
      rows: [
        { name: "right if not", when: [{ Found: "no", Silent: "no" }] },
        { name: "right if so", when: [{ Found: "yes", Silent: "no" }] },
        { name: "said nothing", when: [{ Silent: "yes" }], always: "no" },
      ],
    },
  ],
  quantities: [],
};

describe("the straight-line density", () => {
  it("is what the generator writes, to the last letter (else: npm run generate)", () => {
    const committed = readFileSync(new URL("../../assembly/generated/rat.ts", import.meta.url), "utf8");
    expect(emitDensity(compileNetwork(rat), "Rat")).toBe(committed);
    expect(straightLineShape).toBe(shapeOf(compileNetwork(rat)));
  });

  it("serves networks of the base network's shape, whatever their names, priors, policy and quantities", () => {
    expect(shapeOf(compileNetwork(renamed))).toBe(straightLineShape);
  });

  it.each(examples.filter((definition) => definition !== rat))(
    "serves no network of another shape: $name",
    (definition) => {
      expect(shapeOf(compileNetwork(definition))).not.toBe(straightLineShape);
    },
  );
});
