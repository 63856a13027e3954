import Papa from "papaparse";
import { afterAll, describe, expect, it } from "vitest";
import type { SweepDocument } from "../../dist/index.js";
import { numbersIn } from "../fit/support.js";
import { rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const quick = [
  "--chains",
  "2",
  "--warmup",
  "100",
  "--draws",
  "1000",
  "--seed",
  "7",
  "--replicates",
  "6",
  "--add",
  "20,61",
];
const preset = ["sweep", "--preset", "nq-sparse-gemma3", ...quick];

async function json(args: readonly string[]): Promise<SweepDocument> {
  const { code, stdout, stderr } = await rat([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const timeless = ({ sweeps }: SweepDocument): unknown =>
  sweeps.map((one) => ({ ...one, seconds: 0, refitsPerSecond: 0, workers: 0 }));

const standard = await json([...preset, "--out", scratch.at("standard")]);

it("says so where the sampling of some refits is too poor for its table to be trusted", async () => {
  const { code, stderr } = await rat([...preset, "--warmup", "30", "--draws", "60"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^rat: nq-sparse-gemma3: effective sample size down to \d+: errors and widths are off; use more draws$/m,
  );
});

describe("--json", () => {
  it("prints one document with every field of the contract, and only numbers that are finite or null", () => {
    const [one] = standard.sweeps;
    expect(Object.keys(one)).toEqual(
      expect.arrayContaining([
        ...["source", "network", "engine", "adapter", "sampler", "seed", "truth", "cells", "paired"],
        ...["refits", "seconds", "refitsPerSecond", "workers"],
      ]),
    );
    for (const cell of one.cells) {
      expect(Object.keys(cell)).toEqual(
        expect.arrayContaining([
          ...["strategy", "base", "add", "replicates", "quantity", "mae", "maeSe", "bias", "biasSe", "rmse"],
          ...["width", "widthSe", "coverage", "coverageSe", "maxRhat", "minEss"],
        ]),
      );
    }
    for (const pair of one.paired) {
      expect(Object.keys(pair)).toEqual(
        expect.arrayContaining([
          ...["strategy", "versus", "add", "quantity", "maeDifference", "maeDifferenceSe"],
          ...["widthDifference", "widthDifferenceSe"],
        ]),
      );
    }
    numbersIn(standard);
    expect(one.cells).toHaveLength(2 * 11);
    expect(one.cells[0]).toMatchObject({ strategy: "base", add: 0, base: 100, replicates: 6, quantity: "P(G=1)" });
    expect(one.refits).toBe(6 * 11);
  });

  it("strategies: given together, one by one, before a file or after it, are the same", async () => {
    const file = scratch.write("r.csv", "R,A,T,n\n1,0,1,90\n1,0,0,50\n0,1,,60\n0,0,1,30\n0,0,0,20\n1,1,,10\n");
    const own = "mine: joint 50%, R 30%, T 20%";
    const together = await json(["sweep", file, ...quick, "--strategies", `all-R,${own},all-T`]);
    expect([...new Set(together.sweeps[0].cells.map(({ strategy }) => strategy))]).toEqual([
      "base",
      "all-R",
      "mine",
      "all-T",
    ]);
    const apart = ["--strategies", "all-R", "--strategies", own, "--strategies", "all-T"];
    expect(timeless(await json(["sweep", ...quick, ...apart, file]))).toEqual(timeless(together));
  });

  it("two presets have two sweeps, in their order", async () => {
    const document = await json(["sweep", "--preset", "nq-dense-gemma3,nq-sparse-gemma3", ...quick]);
    expect(document.sweeps.map(({ source }) => source)).toEqual(["nq-dense-gemma3", "nq-sparse-gemma3"]);
    expect((timeless(document) as unknown[])[1]).toEqual((timeless(standard) as unknown[])[0]);
  });
});

describe("--out", () => {
  it("holds rows, tables, figures and the record; sweep.json is what --json prints", () => {
    expect(scratch.list("standard")).toEqual([
      ...["mae.png", "mae.svg", "paired.csv", "rows.csv", "run.json", "sweep.csv", "sweep.json"],
      ...["width.png", "width.svg"],
    ]);
    expect(scratch.json("standard/sweep.json")).toEqual(standard);
    expect(scratch.read("standard/mae.svg")).toMatch(/^<svg/);
    expect(scratch.read("standard/width.svg")).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("rows.csv has a row a refit, whose averages are the document's", () => {
    const { data } = Papa.parse<Record<string, string>>(scratch.read("standard/rows.csv"), {
      header: true,
      skipEmptyLines: true,
    });
    expect(data.map(({ refit }) => Number(refit))).toEqual(Array.from({ length: 66 }, (_, i) => i));
    const [one] = standard.sweeps;
    for (const cell of one.cells) {
      const rows = data.filter(({ strategy, add }) => strategy === cell.strategy && Number(add) === cell.add);
      expect(rows).toHaveLength(6);
      const truth = one.truth[cell.quantity] as number;
      const mean = (value: (row: Record<string, string>) => number): number =>
        rows.reduce((sum, row) => sum + value(row), 0) / rows.length;
      expect(cell.mae).toBeCloseTo(
        mean((row) => Math.abs(Number(row[`mean ${cell.quantity}`]) - truth)),
        13,
      );
      expect(cell.width).toBeCloseTo(
        mean((row) => Number(row[`upper ${cell.quantity}`]) - Number(row[`lower ${cell.quantity}`])),
        13,
      );
    }
  });

  it("sweep.csv and paired.csv hold the document's numbers", () => {
    const read = (name: string): Record<string, string>[] =>
      Papa.parse<Record<string, string>>(scratch.read(`standard/${name}`), { header: true, skipEmptyLines: true }).data;
    const [{ cells, paired, source }] = standard.sweeps;
    const asText = (line: object): Record<string, string> =>
      Object.fromEntries(
        Object.entries({ source, ...line }).map(([key, value]) => [key, value === null ? "" : String(value)]),
      );
    expect(read("sweep.csv")).toEqual(cells.map(asText));
    expect(read("paired.csv")).toEqual(paired.map(asText));
  });

  it("run.json has every option, those that were left out too, with seed, version and engine", () => {
    expect(scratch.json("standard/run.json")).toMatchObject({
      command: "sweep",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      files: [],
      seed: 7,
      engine: "wasm",
      adapter: null,
      options: {
        preset: "nq-sparse-gemma3",
        network: "rat",
        base: "100",
        add: "20,61",
        strategies: ["all-joint,half-joint-R,half-joint-T,all-R,all-T"],
        replicates: "6",
        sampler: "hmc",
        chains: 2,
        warmup: 100,
        draws: 1000,
        level: 0.95,
        seed: 7,
      },
    });
  });

  it("the same seed writes the same rows.csv for 0, 1, 2 and 4 workers, byte by byte", async () => {
    for (const workers of ["0", "1", "2", "4"]) {
      await json([...preset, "--workers", workers, "--out", scratch.at(`workers-${workers}`)]);
      expect(scratch.read(`workers-${workers}/rows.csv`)).toBe(scratch.read("standard/rows.csv"));
    }
  });

  it("two files whose names differ in signs only have rows of their own, under names without a colon", async () => {
    const text = "R,A,T,n\n1,0,1,90\n1,0,0,50\n0,1,,60\n0,0,1,30\n";
    const files = [scratch.write("a b.csv", text), scratch.write("a:b.csv", text), scratch.write("A_b.csv", text)];
    await json(["sweep", ...files, ...quick, "--out", scratch.at("names")]);
    const names = scratch.list("names");
    const rows = names.filter((name) => name.startsWith("rows-"));
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((name) => name.toLowerCase())).size).toBe(3);
    expect(names.filter((name) => /[:<>"|?*\\]/.test(name))).toEqual([]);
    // Equal records and seed: equal rows.
    for (const name of rows) expect(scratch.read(`names/${name}`)).toBe(scratch.read(`names/${rows[0]}`));
  });

  it("--overwrite replaces a run: other rows, and no file of the old one that the new one doesn't write", async () => {
    await json([...preset.with(2, "nq-dense-gemma3,nq-sparse-gemma3"), "--out", scratch.at("twice")]);
    expect(scratch.list("twice")).toContain("rows-nq-dense-gemma3.csv");
    scratch.write("twice/notes.md", "mine");
    await json([...preset, "--seed", "8", "--out", scratch.at("twice"), "--overwrite"]);
    expect(scratch.list("twice")).toEqual([...scratch.list("standard"), "notes.md"].sort());
    expect(scratch.read("twice/rows.csv")).not.toBe(scratch.read("standard/rows.csv"));
    expect(scratch.json("twice/run.json").seed).toBe(8);
  });
});

describe("what people see", () => {
  it("tables of both quantities and the differences on stdout; nothing on stderr of a pipe, no escape codes", async () => {
    const { code, stdout, stderr } = await rat(preset);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const part of ["P(G=1): ", "P(T=1): ", "half-joint-T", "Differences from all-joint", "seed 7"]) {
      expect(stdout).toContain(part);
    }
    expect(stdout.includes("\u001b")).toBe(false);
    expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("records that lack a label are told, but not with --quiet", async () => {
    const file = scratch.write("partial.csv", "R,A,T,n\n1,0,1,120\n0,1,,120\n1,0,,7\n");
    const loud = await rat(["sweep", file, ...quick]);
    expect(loud.stderr).toBe(`rat: ${file}: 7 records lack a label and are not sampled\n`);
    expect((await rat(["sweep", file, ...quick, "--quiet"])).stderr).toBe("");
  });
});
