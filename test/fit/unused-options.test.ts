import { expect, it } from "vitest";
import { unusedOptions } from "../../src/options.js";

it("options that mean nothing to the exact engine are told", () => {
  expect(unusedOptions("exact", { sampler: "nuts", workers: 2 })).toMatch(/--sampler, --workers have no effect/);
  expect(unusedOptions("exact", { samplerPreset: "paper" })).toMatch(/--sampler-preset has no effect/);
});

it("nothing is told where every option counts", () => {
  expect(unusedOptions("exact", { draws: 10, chains: 2, seed: 1, level: 0.9 })).toBeNull();
  expect(unusedOptions("wasm", { sampler: "nuts", workers: 2 })).toBeNull();
});
