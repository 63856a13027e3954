import { describe, expect, it } from "vitest";
import type { DoctorDocument } from "../../src/documents.js";
import { noAdapter, rat } from "../support/cli.js";
import { softwareEnvironment } from "../support/software.js";

const examined = async (env: Record<string, string>): Promise<DoctorDocument> => {
  const { code, stdout } = await rat(["doctor", "--json"], { env });
  expect(code).toBe(0);
  return JSON.parse(stdout);
};

describe("rat doctor", () => {
  it("finds the software adapter, which auto doesn't take, and engines that agree with the exact answer", async () => {
    const { simd, adapters, auto, engines, problems } = await examined(softwareEnvironment());
    expect(simd).toBe(true);
    expect(adapters).toHaveLength(1);
    expect(adapters[0]).toMatchObject({ isSoftware: true, words: expect.stringMatching(/swiftshader.*\(software\)/i) });
    expect(auto).toEqual({ engine: "wasm", why: "there is no GPU but a software adapter" });
    expect(engines.map(({ engine }) => engine)).toEqual(["wasm", "webgpu"]);
    for (const { agrees, deviation, refitsPerSecond, ess } of engines) {
      // Two of them, with fixed seeds but as many refits as there is time for: false alarms once in 50,000 runs.
      expect(agrees).toBe(true);
      expect(Math.abs(deviation as number)).toBeLessThan(4.4);
      expect(refitsPerSecond).toBeGreaterThan(0);
      expect(ess).toBeGreaterThan(1000);
    }
    expect(problems).toEqual([]);
  });

  it("says what is missing where there is no adapter, and how to get one", async () => {
    const { adapters, auto, engines, problems } = await examined(noAdapter);
    expect(adapters).toEqual([]);
    expect(auto).toEqual({ engine: "wasm", why: "there is no GPU" });
    expect(engines.map(({ engine }) => engine)).toEqual(["wasm"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^webgpu: WebGPU finds no GPU here.*docs\/gpu\.md.*--engine wasm/);
  });

  it("shows the same to people", async () => {
    const { code, stdout } = await rat(["doctor"], { env: softwareEnvironment() });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Node \S+, rat-engine \S+, \d+ cores?, WebAssembly SIMD present$/m);
    expect(stdout).toMatch(/^auto takes wasm for a sweep of the usual size: /m);
    expect(stdout).toMatch(/^wasm .* agrees$/m);
    expect(stdout).toMatch(/^webgpu .* agrees$/m);
  });
});
