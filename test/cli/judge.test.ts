import { afterAll, describe, expect, it } from "vitest";
import type { Fit, Sweep } from "../../dist/index.js";
import { numbersIn } from "../fit/support.js";
import { all, judgeOnly, recordsOf, world } from "../judge/support.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Records as CSV with every column. */
function csv(name: string, shown: [string, number][]): string {
  const columns = ["R", "A", "T", "R_J", "T_J", "n"] as const;
  const lines = recordsOf(world, shown).map((row) => columns.map((column) => row[column] ?? "").join());
  return scratch.write(name, [columns.join(), ...lines].join("\n"));
}

const labelled = csv("labelled.csv", [[all, 300]]);
const mixed = csv("mixed.csv", [
  [all, 100],
  [judgeOnly, 200],
]);
const judge = ["--network", "rat-judge"];
const quick = ["--chains", "2", "--warmup", "100", "--draws", "200", "--seed", "3"];
const held = ["TPR_R=0.85", "FPR_R=0.15", "TPR_T=0.9", "FPR_T=0.25"].flatMap((rate) => ["--judge-rate", rate]);
const fixed = ["--judge-rates", "fixed", ...held];

async function fits(...args: string[]): Promise<Fit[]> {
  const { code, stdout, stderr } = await rat(["fit", ...args, ...quick, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).fits;
}

async function sweeps(...args: string[]): Promise<Sweep[]> {
  const design = ["--base", "30", "--add", "50", "--replicates", "6", "--strategies", "judge"];
  const { code, stdout, stderr } = await rat(["sweep", labelled, ...judge, ...design, ...args, ...quick, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).sweeps;
}

describe("rat fit --compare-judges", () => {
  it("adds judgeComparison to each fit, of its own records", async () => {
    const both = await fits(labelled, mixed, ...judge, "--compare-judges");
    expect(both.map(({ judgeComparison }) => judgeComparison?.records)).toEqual(
      [300, 100].map((n) => expect.closeTo(n, -1)),
    );
    for (const { judgeComparison } of both) {
      expect(Object.keys(judgeComparison ?? {})).toEqual(["records", "logBayesFactor", "checks", "verdict"]);
      expect(judgeComparison?.checks).toHaveLength(5);
      for (const pair of judgeComparison?.checks ?? []) {
        expect(Object.keys(pair)).toEqual(["pair", "observed", "lower", "upper", "p"]);
      }
      numbersIn(judgeComparison);
    }
    const [plain] = await fits(labelled, ...judge);
    expect(plain.judgeComparison).toBeUndefined();
    expect(plain.quantities).toEqual(both[0].quantities);
  });

  it("is a section of the table, with seen and allowed by pair and the verdict", async () => {
    const { stdout } = await rat(["fit", labelled, ...judge, ...quick, "--compare-judges"]);
    expect(stdout).toMatch(
      /Joint or independent judge, from \d+ records with all five labels\n\nlog Bayes factor -\d+\.\d/,
    );
    expect(stdout).toMatch(
      /errors of R_J and errors of T_J +[+-]?\d+\.\d\d +\[[+-]\d+\.\d\d, \+\d+\.\d\d\] +[01]\.\d{3}\n/,
    );
    expect(stdout).toContain("no pair moves together beyond chance");
    const section = stdout.slice(stdout.indexOf("Joint or"), stdout.indexOf("divergences"));
    for (const line of section.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  it.each(["rat", "rat-judge-independent", "rat-ternary"])("is refused for network %s", async (network) => {
    const ended = await rat(["fit", labelled, "--network", network, "--compare-judges"]);
    expectRefused(ended, 64, `judges are compared on network rat-judge (--compare-judges), not ${network}`);
  });
});

describe("rat fit --prior-sensitivity", () => {
  it("is in JSON and table", async () => {
    const [one] = await fits(mixed, ...judge, "--prior-sensitivity");
    expect(Object.keys(one.priorSensitivity ?? {})).toEqual(["priors", "quantities", "conclusions", "warnings"]);
    expect(one.priorSensitivity?.quantities).toHaveLength(9);
    const { stdout } = await rat(["fit", mixed, ...judge, ...quick, "--prior-sensitivity"]);
    expect(stdout).toContain("Prior sensitivity: the same records with another prior on every row");
    expect(stdout).toMatch(/^quantity +uniform +Jeffreys +Beta\(2,2\) +shift$/m);
    expect(stdout).toMatch(
      /^P\(G=1\) +0\.\d+ \[0\.\d+, 0\.\d+\] +0\.\d+ \[0\.\d+, 0\.\d+\] +0\.\d+ \[.*\] +\d\.\d\d\*?$/m,
    );
    expect(stdout).toMatch(/^abstains more when retrieval failed \(theta_A- > theta_A\+\): probability /m);
    expect(stdout).toMatch(/^(nothing moves|moves) with the prior/m);
  });
});

describe("judge options", () => {
  it("--judge-concentration is of the prior, and shown", async () => {
    const [one] = await fits(mixed, ...judge, "--judge-concentration", "0.5");
    expect(one.judge).toEqual({ rates: "learn", held: null, concentration: 0.5 });
    const { stdout } = await rat(["fit", mixed, ...judge, ...quick, "--judge-concentration", "0.5"]);
    expect(stdout).toContain("judge: Dirichlet prior of concentration 0.5 in each state");
  });

  it("--judge-rates fixed holds rates, for fit and sweep, and says so", async () => {
    const [one] = await fits(mixed, ...judge, ...fixed);
    expect(one).toMatchObject({ network: "rat-judge-independent", judge: { rates: "fixed", held: { TPR_R: 0.85 } } });
    const { stdout, stderr } = await rat(["fit", mixed, ...judge, ...quick, ...fixed]);
    expect(stderr).toMatch(/^rat: the judge's rates are held at TPR_R 0\.85, .*rat-judge-independent/);
    expect(stdout).toContain("judge: rates held at TPR_R 0.85, FPR_R 0.15, TPR_T 0.9, FPR_T 0.25");
    expect(stdout).toMatch(/^TPR_R +0\.8500 /m);
    const [learnt, still] = [(await sweeps())[0], (await sweeps(...fixed))[0]];
    expect([learnt.judge?.rates, still.judge?.rates]).toEqual(["learn", "fixed"]);
    expect(still.cells[2].width).not.toBe(learnt.cells[2].width);
  });

  it.each<[string[], string]>([
    [
      ["--judge-rates", "fixed", "--judge-rate", "TPR_R=0.8"],
      "--judge-rates fixed needs --judge-rate FPR_R=…, TPR_T=…, FPR_T=… too",
    ],
    [["--judge-rates", "fixed", ...held, "--judge-rate", "TPR_R=0.7"], "--judge-rate TPR_R is given twice"],
    [["--judge-rates", "fixed", "--judge-rate", "TPR_R"], "expected a name and a number, as in TPR_R=0.77"],
    [["--judge-rates", "fixed", "--judge-rate", "TPR_R=x"], "expected a name and a number"],
    [
      ["--judge-rates", "fixed", ...held.slice(2), "--judge-rate", "TPR_R=1"],
      "--judge-rate TPR_R must be between 0 and 1, not 1",
    ],
    [["--judge-rates", "known"], "'known' is invalid. Allowed choices are learn, fixed."],
    [held, "say --judge-rates fixed"],
    [["--judge-concentration", "-1"], "--judge-concentration must be a positive number, not -1"],
    [["--judge-concentration", ""], '--judge-concentration must be a positive number, not ""'],
  ])("%j are refused by fit and sweep", async (args, message) => {
    for (const command of ["fit", "sweep"])
      expectRefused(await rat([command, labelled, ...judge, ...args]), 64, message);
  });

  it("rat network export has them too", async () => {
    const { code, stdout } = await rat(["network", "export", "--stan", ...judge, ...fixed]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/TPR_R ~ beta\(850000000, 150000000\)/i);
  });
});

describe("run.json", () => {
  it("keeps them: rerun repeats, resume and merge tell other ones apart", async () => {
    await sweeps(...fixed, "--shard", "0/2", "--out", scratch.at("a"));
    const record = scratch.json("a/run.json");
    expect(record.options).toMatchObject({ judgeRates: "fixed", judgeRate: held.filter((text) => text.includes("=")) });
    expect(record.sources[0].plan.judge).toMatchObject({ rates: "fixed", held: { FPR_T: 0.25 } });
    const again = await rat(["rerun", scratch.at("a/run.json"), "--out", scratch.at("again"), "--quiet"]);
    expect(again.code, again.stderr).toBe(0);
    expect(scratch.read("again/rows.csv")).toBe(scratch.read("a/rows.csv"));
    const other = [...fixed.slice(0, -1), "FPR_T=0.3"];
    const design = ["--base", "30", "--add", "50", "--replicates", "6", "--strategies", "judge"];
    const resumed = ["sweep", labelled, ...judge, ...design, ...other, ...quick, "--shard", "0/2", "--resume"];
    expectRefused(
      await rat([...resumed, "--out", scratch.at("a"), "--quiet"]),
      64,
      "this is another run: judgeRate is",
    );
    await sweeps(...other, "--shard", "1/2", "--out", scratch.at("b"));
    expectRefused(await rat(["merge", scratch.at("a"), scratch.at("b")]), 64, "different runs");
    const fitted = await rat([
      "fit",
      mixed,
      ...judge,
      ...quick,
      "--compare-judges",
      "--quiet",
      "--out",
      scratch.at("fit"),
    ]);
    expect(fitted.code).toBe(0);
    const rerun = await rat(["rerun", scratch.at("fit/run.json"), "--json"]);
    expect(JSON.parse(rerun.stdout).fits[0].judgeComparison).toEqual(
      scratch.json("fit/fit.json").fits[0].judgeComparison,
    );
  });
});
