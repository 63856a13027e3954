import { afterAll, expect, it } from "vitest";
import { rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

it("--out holds the document and the differences as a figure, with the names as they are", async () => {
  const presets = "hotpotqa-hybrid-apertus,hotpotqa-hybrid-qwen3.5";
  const args = ["compare", "--preset", presets, "--engine", "exact", "--level", "0.9", "--out", scratch.at("out")];
  const { code } = await rat(args);
  expect(code).toBe(0);
  expect(scratch.list("out")).toEqual(["compare.json", "differences.png", "differences.svg", "run.json"]);
  const svg = scratch.read("out/differences.svg");
  expect(svg).toContain("hotpotqa-hybrid-qwen3.5 − hotpotqa-hybrid-apertus");
  expect(svg).toContain("90% intervals");
});
