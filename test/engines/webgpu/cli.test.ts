import { afterAll, describe, expect, it } from "vitest";
import type { FitDocument, SweepCell, SweepDocument } from "../../../dist/index.js";
import { timeless } from "../../fit/support.js";
import { type Ended, expectRefused, rat, Scratch } from "../../support/cli.js";
import { zLimit } from "../../support/montecarlo.js";
import { softwareEnvironment } from "../../support/software.js";

const env = softwareEnvironment();
const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Prints one document and ends well; says nothing but what it was told to. */
async function document<D>(args: readonly string[], stderr: RegExp | "" = ""): Promise<D> {
  const ended = await rat([...args, "--json"], { env });
  expect(ended.code, ended.stderr).toBe(0);
  if (stderr === "") expect(ended.stderr).toBe("");
  else expect(ended.stderr).toMatch(stderr);
  return JSON.parse(ended.stdout);
}

describe("rat fit --engine webgpu", () => {
  const args = ["fit", "--preset", "nq-dense-gemma3", "--engine", "webgpu", "--seed", "1"];
  const fitted = document<FitDocument>(args);

  it("names engine, adapter and sampler, and has the numbers of wasm within their errors", async () => {
    const [mine] = (await fitted).fits;
    expect(mine).toMatchObject({
      engine: "webgpu",
      sampler: "hmc",
      chains: 64,
      warmup: 128,
      draws: 200,
      fallback: null,
    });
    expect(mine.adapter).toMatch(/swiftshader.*\(software\)$/i);
    expect(mine.diagnostics.divergences).toBe(0);
    expect(mine.diagnostics.stepSize).toHaveLength(64);
    const [known] = (await document<FitDocument>([...args.slice(0, 3), "--seed", "2", "--draws", "4000"])).fits;
    expect(known).toMatchObject({ engine: "wasm", sampler: "nuts" });
    const limit = zLimit(mine.quantities.length);
    mine.quantities.forEach((quantity, q) => {
      const other = known.quantities[q];
      const error = Math.hypot(quantity.mcse as number, other.mcse as number);
      const z = ((quantity.mean as number) - (other.mean as number)) / error;
      expect.soft(Math.abs(z), quantity.name).toBeLessThan(limit);
      expect.soft(quantity.rhat, quantity.name).toBeLessThan(1.01);
    });
  });

  it("prints the same with the same seed", async () => {
    expect(timeless(await document<FitDocument>(args))).toEqual(timeless(await fitted));
  });

  it("says in its table which GPU it was", async () => {
    const { code, stdout } = await rat(args, { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/webgpu.*swiftshader/i);
  });

  it("leaves what f32 isn't good for to wasm, and says so", async () => {
    const file = scratch.write("many.csv", "R,A,T,n\n1,0,1,200000000\n0,1,0,5\n");
    const [one] = (await document<FitDocument>(["fit", file, ...args.slice(3)])).fits;
    expect(one).toMatchObject({ engine: "wasm", sampler: "hmc", chains: 64, adapter: null });
    expect(one.fallback).toMatch(/^200000000 records of one pattern are more than f32 is good for/);
  });

  it("refuses nuts, which is wasm's", async () => {
    expectRefused(await rat([...args, "--sampler", "nuts"], { env }), 64, "nuts", "wasm");
  });

  it("refuses what doesn't fit, with the remedy", async () => {
    expectRefused(await rat([...args, "--chains", "200"], { env }), 69, "at most 128 chains", "--engine wasm");
    const huge = ["--chains", "128", "--draws", "300000"];
    expectRefused(await rat([...args, ...huge], { env }), 69, "don't fit", "--draws", "--engine wasm");
  });

  it("without any adapter it ends with the remedy", async () => {
    const none: Record<string, string> = { ...env, VK_ICD_FILENAMES: scratch.at("none.json") };
    const { code, stdout, stderr } = await rat(args, { env: none });
    expect({ code, stdout }).toEqual({ code: 69, stdout: "" });
    // After what the Vulkan loader and Dawn say by themselves.
    expect(stderr).toMatch(/^rat: WebGPU finds no GPU here; install .*, or use --engine wasm\n$/m);
  });
});

describe("rat sweep --engine webgpu", () => {
  const replicates = 50;
  const common = ["sweep", "--preset", "nq-dense-gemma3", "--replicates", `${replicates}`, "--add", "50,200"];
  const args = [...common, "--engine", "webgpu", "--seed", "3"];
  const sampling = ["--draws", "50", "--warmup", "64"];

  it("has the table of wasm within the errors of either, with the same truth and refits", async () => {
    const [mine] = (await document<SweepDocument>([...args, ...sampling])).sweeps;
    // The same replicates, as they are keyed by the seed alone.
    const [known] = (await document<SweepDocument>([...common, "--seed", "3", "--engine", "wasm"])).sweeps;
    expect(mine).toMatchObject({ engine: "webgpu", sampler: "hmc", truth: known.truth, refits: known.refits });
    expect(mine.adapter).toMatch(/swiftshader/i);
    expect(mine.cells).toHaveLength(known.cells.length);
    const limit = zLimit(3 * mine.cells.length);
    mine.cells.forEach((cell, i) => {
      const other = known.cells[i];
      const where = (({ strategy, add, quantity }: SweepCell) => ({ strategy, add, quantity }))(cell);
      expect(other).toMatchObject(where);
      // Of the same records, so that all differences are Monte Carlo error: of a mean sd / sqrt(ess) a replicate, of an
      // interval's width less than 4 times that.
      const shares = 1 / (cell.minEss as number) + 1 / (other.minEss as number);
      const error = ((cell.width as number) / 3.92) * Math.sqrt(shares / replicates);
      for (const [value, most] of [
        ["mae", limit * error],
        ["bias", limit * error],
        ["width", limit * 4 * error],
      ] as const) {
        const difference = Math.abs((cell[value] as number) - (other[value] as number));
        expect.soft(difference, `${value} of ${JSON.stringify(where)}`).toBeLessThan(most);
      }
      // And that is far less than what the records make of it.
      expect.soft(limit * error).toBeLessThan(0.5 * (other.maeSe as number));
      expect.soft(Math.abs((cell.coverage as number) - (other.coverage as number))).toBeLessThanOrEqual(0.06);
      expect.soft(cell.maxRhat, JSON.stringify(where)).toBeLessThan(1.05);
    });
  });

  it("has the same rows again, whatever the workers, and in shards", async () => {
    const few = ["--replicates", "6", "--quiet", ...sampling];
    const out = (name: string): string[] => ["--out", scratch.at(name)];
    const runs: Promise<Ended>[] = [
      rat([...args, ...few, ...out("first")], { env }),
      rat([...args, ...few, "--workers", "2", ...out("second")], { env }),
    ];
    for (const { code, stderr } of await Promise.all(runs)) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const rows = scratch.read("first/rows.csv");
    expect(rows.split("\n").length).toBeGreaterThan(6 * 5);
    expect(scratch.read("second/rows.csv")).toBe(rows);
    const shards = [0, 1].map((i) => rat([...args, ...few, "--shard", `${i}/2`, ...out(`shard${i}`)], { env }));
    for (const { code } of await Promise.all(shards)) expect(code).toBe(0);
    const [head, ...lines] = rows.trimEnd().split("\n");
    const parts = [0, 1].map((i) => scratch.read(`shard${i}/rows.csv`).trimEnd().split("\n"));
    expect(parts.map(([first]) => first)).toEqual([head, head]);
    expect(parts.flatMap(([, ...rest]) => rest).sort()).toEqual([...lines].sort());
  });
});
