import { describe, expect, it } from "vitest";
import { compileNetwork, type NetworkDefinition } from "../../src/network/index.js";
import { describeLabels, labelReader } from "../../src/records/labels.js";
import { failure } from "../records/support.js";

const levels = ["bad", "ok", "none"];
const withSpellings = (spellings: Record<string, string>): NetworkDefinition => ({
  name: "n",
  variables: [{ name: "X", levels, spellings, rows: [{ name: "x" }] }],
  quantities: [{ name: "q", expression: "P(X=ok)" }],
});

describe("other spellings of levels", () => {
  const variable = { name: "X", levels, spellings: { "-1": "bad", "1": "ok", Fine: "ok", NA: "none" } };
  const read = labelReader(variable);

  it("are read in any case, numbers near them too, and win over words for what isn't observed", () => {
    expect([-1, "-1.0", -1 + 1e-12, 1, "fine", "FINE.", "[[Fine]]", "na", "NA"].map(read)).toEqual([
      0, 0, 0, 1, 1, 1, 1, 2, 2,
    ]);
    expect(["", null, "NaN", 0, "no", true, 0.9].map(read)).toEqual([-1, -1, -1, -2, -2, -2, -2]);
  });

  it("are shown beside their levels", () => {
    expect(describeLabels(variable)).toBe("one of bad (-1), ok (1, Fine), none (NA)");
    expect(describeLabels({ name: "X", levels: ["0", "1"], spellings: { good: "1" } })).toBe("one of 0, 1 (good)");
    expect(describeLabels({ name: "X", levels: ["0", "1"] })).toBe("a 0/1 label");
  });

  it("stand for their level in expressions and policies, and in messages", async () => {
    const definition = withSpellings({ "1": "ok", "0.5": "bad" });
    const quantities = [
      { name: "a", expression: "P(X=1)" },
      { name: "b", expression: "P(X=ok)" },
      { name: "c", expression: "P(X=0.5)" },
    ];
    const { quantities: compiled } = compileNetwork(definition, { quantities });
    expect(compiled[0].program).toEqual(compiled[1].program);
    expect(compiled[2].program).not.toEqual(compiled[1].program);
    const unknown = await failure(() =>
      compileNetwork(definition, { quantities: [{ name: "a", expression: "P(X=2)" }] }),
    );
    expect(unknown.message).toContain('X has no level "2" (its levels: bad (0.5), ok (1), none) at position 3');
  });

  it.each<[Record<string, string>, string]>([
    [{ "1": "good" }, 'spelling "1" of X is of "good", which is none of its levels: bad, ok, none'],
    [{ " ": "ok" }, 'spelling " " of X is blank, which means not observed'],
    [{ OK: "bad" }, 'spelling "OK" of X reads like "ok"'],
    [{ "1": "ok", "1.0": "bad" }, 'spelling "1.0" of X reads like "1"'],
    [{ yes: "ok", YES: "ok" }, 'spelling "YES" of X reads like "yes"'],
  ])("%j are refused", async (spellings, problem) => {
    const error = await failure(() => compileNetwork(withSpellings(spellings)));
    expect(error.exitCode).toBe(65);
    expect(error.message).toBe(`network n: ${problem}`);
    expect(error.place.field).toBe("variables[0].spellings");
  });

  it("are refused where they are no texts", async () => {
    const error = await failure(() => compileNetwork(withSpellings({ a: 1 } as never)));
    expect(error.message).toBe('network.variables[0].spellings["a"] must be text, not 1');
  });
});
