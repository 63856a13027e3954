import { mkdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import Papa from "papaparse";
import { afterAll, describe, expect, it } from "vitest";
import type { Fit, FitDocument } from "../../dist/index.js";
import { numbersIn, quantity, timeless } from "../fit/support.js";
import { caseFile, rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const quick = ["--chains", "2", "--warmup", "50", "--draws", "100", "--seed", "11"];
const text = "id,R,A,T\n1,1,0,1\n2,0,1,\n3,1,0,0\n4,,0,1\n";
const file = scratch.write("records.csv", text);

/** The document that `--json` prints, which is all there is on stdout. */
async function json(args: readonly string[], input?: string | Buffer): Promise<FitDocument> {
  const { code, stdout, stderr } = await rat([...args, "--json"], input === undefined ? {} : { input });
  expect({ code, stderr: stderr.replace(/^rat: .*\n/gm, "") }).toEqual({ code: 0, stderr: "" });
  expect(stdout.endsWith("}\n")).toBe(true);
  return JSON.parse(stdout);
}

const standard = await json(["fit", file, ...quick]);

describe("--json", () => {
  it("prints one document with every field of the contract, and only numbers that are finite or null", () => {
    expect(Object.keys(standard)).toEqual(["fits"]);
    const [one] = standard.fits;
    expect(Object.keys(one)).toEqual(
      expect.arrayContaining([
        ...["source", "network", "engine", "adapter", "fallback", "sampler", "seed", "records", "observed", "implied"],
        ...["chains", "warmup", "draws", "level", "quantities", "diagnostics", "warnings"],
      ]),
    );
    for (const q of one.quantities) {
      expect(Object.keys(q)).toEqual(
        expect.arrayContaining([
          ...["name", "mean", "sd", "median", "lower", "upper", "mcse", "essBulk", "essTail", "rhat"],
          ...["counted", "nObserved", "nMissing"],
        ]),
      );
    }
    expect(Object.keys(one.diagnostics)).toEqual(
      expect.arrayContaining(["divergences", "meanLeapfrogs", "stepSize", "seconds", "totalSeconds"]),
    );
    numbersIn(standard);
    expect(one).toMatchObject({
      source: file,
      network: "rat",
      engine: "wasm",
      adapter: null,
      fallback: null,
      sampler: "nuts",
      seed: 11,
      records: 4,
      observed: { R: 3, A: 4, T: 3 },
      implied: { R: 0, A: 0, T: 1 },
      chains: 2,
      warmup: 50,
      draws: 100,
      level: 0.95,
    });
    expect(one.diagnostics.stepSize).toHaveLength(2);
    expect(one.diagnostics.totalSeconds).toBeGreaterThanOrEqual(one.diagnostics.seconds);
  });

  it("names the nine quantities in the contract's order, those of one's own after them", async () => {
    const document = await json(["fit", file, ...quick, "--quantity", "gap = P(A=1|R=0) - P(A=1|R=1)"]);
    expect(document.fits[0].quantities.map(({ name }) => name)).toEqual([
      ...["theta_R", "theta_A-", "theta_A+", "theta_T-", "theta_T+", "P(R=1)", "P(A=1)", "P(T=1)", "P(G=1)"],
      "gap",
    ]);
  });

  it("the exact engine leaves no field out: what doesn't apply is null", async () => {
    const [one] = (await json(["fit", file, "--engine", "exact", "--seed", "1"])).fits;
    expect(one).toMatchObject({ engine: "exact", sampler: null, chains: null, warmup: null, draws: 4000 });
    expect(one.quantities[0]).toMatchObject({ mcse: 0, essBulk: null, essTail: null, rhat: null });
    expect(one.diagnostics).toMatchObject({ divergences: null, meanLeapfrogs: null, stepSize: null });
    numbersIn(one);
  });

  it("the same seed prints the same but for seconds, whatever the workers; another seed something else", async () => {
    for (const workers of ["0", "1", "4"]) {
      expect(timeless(await json(["fit", file, ...quick, "--workers", workers]))).toEqual(timeless(standard));
    }
    const other = await json(["fit", file, ...quick.slice(0, -1), "12"]);
    expect(quantity(other.fits[0], "theta_R").mean).not.toBe(quantity(standard.fits[0], "theta_R").mean);
  });

  it("options in place of defaults: --sampler-preset paper is nuts with 5 x (2,000 + 10,000)", async () => {
    const [one] = (await json(["fit", file, "--sampler-preset", "paper"])).fits;
    expect(one).toMatchObject({ sampler: "nuts", chains: 5, warmup: 2000, draws: 10_000 });
    const [plain] = (await json(["fit", file])).fits;
    expect(plain).toMatchObject({ sampler: "nuts", chains: 4, warmup: 1000, draws: 1000, level: 0.95 });
    expect(Number.isSafeInteger(plain.seed)).toBe(true);
  });

  it("--prior 'theta_A+=9,1' is Beta(9, 1): with no abstention in 2 records the mean is 9/12", async () => {
    const known = scratch.write("known.csv", "R,A,T\n1,0,1\n1,0,0\n");
    const priors = ["--prior", "theta_A+=9,1", "--prior", "theta_R = 1, 0.5"];
    const [one] = (await json(["fit", known, "--engine", "exact", ...priors])).fits;
    expect(quantity(one, "theta_A+").mean).toBeCloseTo(9 / 12, 14);
    expect(quantity(one, "theta_R").mean).toBeCloseTo(3 / 3.5, 14);
  });
});

describe("ways in", () => {
  const numbers = (document: FitDocument): unknown => document.fits.map(({ quantities }) => quantities);

  it("standard input, .gz, TSV, JSONL and JSON give what the CSV file gives", async () => {
    expect(numbers(await json(["fit", "-", ...quick], text))).toEqual(numbers(standard));
    const rows = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
    const forms = [
      scratch.write("records.csv.gz", gzipSync(text)),
      scratch.write("records.tsv", text.replaceAll(",", "\t")),
      scratch.write("records.jsonl", rows.map((row) => JSON.stringify(row)).join("\n")),
      scratch.write("records.json", JSON.stringify(rows)),
      scratch.write("no-extension", text),
      scratch.write("with spaces; and ünicode.csv", text),
    ];
    const document = await json(["fit", ...forms, ...quick]);
    expect(document.fits.map(({ source }) => source)).toEqual(forms);
    for (const one of document.fits) expect(one.quantities).toEqual(standard.fits[0].quantities);
    expect((await json(["fit", "-", ...quick], text)).fits[0].source).toBe("standard input");
  });

  it("files and presets together: files first, each as it is alone", async () => {
    const args = ["--preset", "nq-dense-gemma3,FEVER-sparse-qwen3.5", "--engine", "exact", "--draws", "10"];
    const { fits } = await json(["fit", file, ...args]);
    expect(fits.map(({ source }) => source)).toEqual([file, "nq-dense-gemma3", "fever-sparse-qwen3.5"]);
    expect(fits.map(({ records }) => records)).toEqual([4, 10_000, 10_000]);
  });

  it("--map and --by: other column names, a fit for each value", async () => {
    const path = scratch.write("mapped.csv", "system,retrieved,refused,T\nx,yes,no,1\ny,no,yes,\nx,1,0,0\n");
    const args = ["fit", path, ...quick, "--map", "R=retrieved,A=refused", "--by", "system"];
    const { fits } = await json(args);
    expect(fits.map(({ source, records }) => [source, records])).toEqual([
      [`${path} [system=x]`, 2],
      [`${path} [system=y]`, 1],
    ]);
  });

  it("--abstained-success: drop leaves such records out and says how many, as-failure keeps them", async () => {
    const path = scratch.write("contradiction.csv", "R,A,T\n1,1,1\n1,0,1\n");
    const run = (rule: string) => rat(["fit", path, ...quick, "--json", "--abstained-success", rule]);
    const dropped = await run("drop");
    expect(dropped.stderr).toContain("1 record has A = 1 with T = 1, which the model rules out: dropped");
    expect(JSON.parse(dropped.stdout).fits[0].records).toBe(1);
    const kept = await run("as-failure");
    expect(kept.stderr).toContain("T read as 0");
    expect(JSON.parse(kept.stdout).fits[0].records).toBe(2);
  });

  it("A1, M1: files of the cases; two in one call swap with their order", async () => {
    const [a, b] = [caseFile("M1_two_a.csv"), caseFile("M1b_two_b.csv")];
    const forth = timeless(await json(["fit", a, b, ...quick])) as Fit[];
    expect(timeless(await json(["fit", b, a, ...quick]))).toEqual([forth[1], forth[0]]);
    expect((await json(["fit", caseFile("A1_bom_crlf.csv"), ...quick])).fits[0]).toMatchObject({ records: 4 });
  });
});

describe("what people see", () => {
  it("a table a fit with every quantity on stdout; no escape codes and no progress in a pipe", async () => {
    const { code, stdout, stderr } = await rat(["fit", file, ...quick]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${file}: 4 records, rat network`);
    for (const { name } of standard.fits[0].quantities) expect(stdout).toContain(name);
    expect(stdout).toContain("seed 11");
    expect(stdout.includes("\u001b")).toBe(false);
    expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
    expect(stderr).toBe("");
  });

  it("notices of ignored columns and unobserved variables are on stderr, and not with --quiet", async () => {
    const path = scratch.write("extra.csv", "R,A,comment\n1,0,x\n0,1,y\n");
    const loud = await rat(["fit", path, ...quick]);
    expect(loud.stderr).toBe(
      `rat: ${path}: ignored columns: comment\nrat: ${path}: not observed, as there is no such column: T\n`,
    );
    const quiet = await rat(["fit", path, ...quick, "--quiet"]);
    expect(quiet.stderr).toBe("");
    expect(quiet.stdout.replace(/\d+ ms.*$/gm, "")).toBe(loud.stdout.replace(/\d+ ms.*$/gm, ""));
  });

  it("C10: 38 of 38: no number of the table, JSON or CSV is 1 or above but counts", async () => {
    const path = caseFile("C10_n38_of_38.csv");
    const { stdout } = await rat(["fit", path, "--seed", "1", "--out", scratch.at("c10")]);
    const intervals = [...stdout.matchAll(/\[([^,\]]+), ([^\]]+)\]/g)].flatMap(([, lower, upper]) => [lower, upper]);
    expect(intervals).toHaveLength(18);
    for (const end of intervals) expect(Number(end.replace(/[<>]/, ""))).toBeLessThan(1);
    for (const { lower, upper } of scratch.json("c10/fit.json").fits[0].quantities) {
      expect(lower).toBeGreaterThan(0);
      expect(upper).toBeLessThan(1);
    }
  });
});

describe("--out", () => {
  it("M3: fit.csv has a row a quantity with mean, ends, n observed and n missing, the numbers of the JSON", async () => {
    const path = caseFile("M3_export.csv");
    const document = await json(["fit", path, "--engine", "exact", "--seed", "1", "--out", scratch.at("m3")]);
    const { data } = Papa.parse<Record<string, string>>(scratch.read("m3/fit.csv"), {
      header: true,
      skipEmptyLines: true,
    });
    expect(data).toHaveLength(9);
    expect(data.map(({ quantity: name }) => name)).toEqual(document.fits[0].quantities.map(({ name }) => name));
    for (const row of data) {
      const q = quantity(document.fits[0], row.quantity);
      for (const field of ["mean", "sd", "median", "lower", "upper", "nObserved", "nMissing"] as const) {
        expect(Number(row[field]), `${field} of ${row.quantity}`).toBe(q[field]);
      }
      expect(row.source).toBe(path);
    }
    const printed: Record<string, string> = {
      theta_R: "0.57143",
      "P(A=1)": "0.44286",
      "P(T=1)": "0.24286",
      "P(G=1)": "0.38571",
    };
    for (const [name, mean] of Object.entries(printed)) {
      expect(Number(data.find((row) => row.quantity === name)?.mean).toFixed(5)).toBe(mean);
    }
  });

  it("holds fit.json (what --json prints), fit.csv and run.json with every option, seed, version and engine", async () => {
    const document = await json(["fit", file, ...quick, "--prior", "theta_R=2,1", "--out", scratch.at("run/new")]);
    expect(scratch.list("run/new")).toEqual(["densities.png", "densities.svg", "fit.csv", "fit.json", "run.json"]);
    expect(scratch.json("run/new/fit.json")).toEqual(document);
    const record = scratch.json("run/new/run.json");
    expect(record).toMatchObject({ command: "fit", files: [file], seed: 11, engine: "wasm", adapter: null });
    expect(record.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(record.options).toMatchObject({
      network: "rat",
      prior: ["theta_R=2,1"],
      sampler: "nuts",
      chains: 2,
      warmup: 50,
      draws: 100,
      level: 0.95,
      seed: 11,
    });
  });

  it("an empty folder is taken; --overwrite replaces a run and leaves files that aren't the run's", async () => {
    mkdirSync(scratch.at("mine"));
    await json(["fit", file, ...quick, "--out", scratch.at("mine")]);
    const data = scratch.write("mine/data.csv", text);
    scratch.write("mine/package.json", "{}");
    scratch.write("mine/sweep.csv", "of an older run");
    // A file of records in the folder itself is read, and still there afterwards.
    const again = await json(["fit", data, ...quick.slice(0, -1), "12", "--out", scratch.at("mine"), "--overwrite"]);
    expect(scratch.list("mine")).toEqual([
      ...["data.csv", "densities.png", "densities.svg", "fit.csv", "fit.json", "package.json", "run.json"],
    ]);
    expect(scratch.json("mine/fit.json")).toEqual(again);
    expect(scratch.json("mine/run.json").seed).toBe(12);
    expect(scratch.read("mine/data.csv")).toBe(text);
  });
});
