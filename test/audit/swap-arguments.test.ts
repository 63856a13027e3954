import { describe, expect, it } from "vitest";
import { auditScoreSwap, auditVerdictSwap } from "../../src/audit/swap.js";
import { RatError } from "../../src/errors.js";

describe("arguments of another shape", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["none", () => (auditVerdictSwap as () => unknown)(), /pairs must be a list of pairs of verdicts.*not undefined/],
    ["a table", () => auditScoreSwap({ first: [1] } as never), /pairs must be a list of pairs of scores/],
    ["a pair of null", () => auditScoreSwap([null] as never), /pairs\[0\] must be an object, not null/],
    ["options of null", () => auditScoreSwap([], null as never), /options must be an object, not null/],
    [
      "an unknown option",
      () => auditScoreSwap([], { levels: 0.9 } as never),
      /options\.levels is no option; there are/,
    ],
    ["a level in words", () => auditScoreSwap([], { level: "0.9" } as never), /level must be a number between 0 and 1/],
    [
      "keys for clusters",
      () => auditScoreSwap([], { clusters: ["a"] } as never),
      /clusters must be what clustersOf makes/,
    ],
  ])("%s", (_, audit, message) => {
    expect(audit).toThrow(RatError);
    expect(audit).toThrow(message);
  });
});
