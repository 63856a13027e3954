import { afterAll, describe, expect, it } from "vitest";
import { rat as base, emitStan, type Fit, type FitDocument, networkNamed, ratTernary } from "../../dist/index.js";
import { compileNetwork } from "../../src/network/index.js";
import { quantity } from "../fit/support.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const records = scratch.write("records.csv", "R,A,T\n1,0,1\n0,1,\n1,0,0\n0,0,1\n");
const mine = scratch.write(
  "mine.json",
  JSON.stringify({
    name: "mine",
    variables: [
      { name: "R", levels: ["0", "1"], rows: [{ name: "found", prior: [2, 3] }] },
      { name: "T", levels: ["0", "1"], parents: ["R"], rows: [{ name: "right" }] },
    ],
    quantities: [{ name: "both", expression: "P(R=1, T=1)" }],
  }),
);
const exact = ["--engine", "exact", "--seed", "1", "--json"];

async function fitOf(...args: string[]): Promise<{ fit: Fit; stderr: string }> {
  const { code, stdout, stderr } = await rat(["fit", ...args, ...exact]);
  expect(code, stderr).toBe(0);
  return { fit: (JSON.parse(stdout) as FitDocument).fits[0], stderr };
}

describe("rat network check", () => {
  it("prints what a network file is, as text and as JSON", async () => {
    const { code, stdout, stderr } = await rat(["network", "check", mine]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^mine: 2 variables, 2 rows, 4 cells, 9 patterns, 2 of them ambiguous\n/);
    expect(stdout).toMatch(/^found +R +Beta\(3, 2\)$/m);
    expect(stdout).toMatch(/^both +P\(R=1, T=1\)$/m);
    expect(stdout).toMatch(/^Policy.*\nnone$/m);
    const document = JSON.parse((await rat(["network", "check", mine, "--json"])).stdout);
    expect(document).toMatchObject({ network: "mine", policy: null, patterns: { count: 9 } });
  });

  it("takes shipped names too, and cuts long lists", async () => {
    const { stdout } = await rat(["network", "check", "rat-judge"]);
    expect(stdout).toMatch(/^and \d+ more$/m);
    expect((await rat(["network", "check", "rat-ternary"])).stdout).toContain("fail (0), partial (0.5), success (1)");
  });

  it.each<[string, number, string, string[]]>([
    ["{", 65, "this is not JSON", []],
    ['{"name": "n"}', 65, "variables must be a list of variables, not undefined", []],
    ["[]", 65, "a network file holds one object", []],
  ])("refuses a file of %s with its name", async (text, code, message) => {
    const file = scratch.write("bad.json", text);
    expectRefused(await rat(["network", "check", file]), code, `${file}: ${message}`);
    expectRefused(await rat(["fit", records, "--network", file]), code, `${file}: ${message}`);
  });

  it("refuses names of nothing, a missing file, no file, unknown parts and options", async () => {
    const names = "there are rat, rat-judge, rat-judge-independent, rat-ternary, and files such as mine.json";
    expectRefused(await rat(["network", "check", "cat"]), 64, `unknown network "cat": ${names}`);
    expectRefused(await rat(["network", "check", "none.json"]), 74, "none.json: can't read this: no such file");
    expectRefused(await rat(["network", "check"]), 64, "missing required argument 'file'");
    expectRefused(await rat(["network", "chek", mine]), 64, "unknown command 'chek'", "Did you mean check?");
    expectRefused(await rat(["network", "check", mine, "--jsn"]), 64, "unknown option '--jsn'");
  });
});

describe("rat network export", () => {
  it("prints the Stan program of a network, its priors, policy and quantities", async () => {
    const { code, stdout, stderr } = await rat(["network", "export", "--stan"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(emitStan(compileNetwork(base)));
    const words = ["--network", mine, "--prior", "right=1,9", "--policy", "T=1:0.5", "--quantity", "x = P(R=0)"];
    const other = await rat(["network", "export", "--stan", ...words]);
    expect(other.stdout).toContain("row_right ~ beta(1, 9);");
    expect(other.stdout).toMatch(/real P_G = 0\.5 \* p_R0_T1 \+ 0\.5 \* p_R1_T1;/);
    expect(other.stdout).toContain("real x = p_R0; // x = P(R=0)");
    const all = await rat(["network", "export", "--stan", "--network", "rat-ternary", "--quantities", "all"]);
    expect(all.stdout).toContain("real gap_A = ");
  });

  it("writes program and data to a folder, and replaces them only with --overwrite", async () => {
    const args = ["network", "export", "--stan", records, "--out", scratch.at("stan")];
    expect((await rat(args)).code).toBe(0);
    expect(scratch.list("stan")).toEqual(["data.json", "model.stan"]);
    const { n } = scratch.json("stan/data.json");
    expect(n).toHaveLength(18);
    expect(n.reduce((sum: number, count: number) => sum + count, 0)).toBe(4);
    expect(scratch.read("stan/model.stan")).toBe(emitStan(compileNetwork(base)));
    expectRefused(await rat(args), 64, "model.stan is there already; add --overwrite");
    expect((await rat([...args, "--overwrite"])).code).toBe(0);
  });

  it("writes data of several systems under their names", async () => {
    const presets = ["--preset", "nq-dense-gemma3,nq-dense-apertus"];
    expect((await rat(["network", "export", "--stan", ...presets, "--out", scratch.at("two")])).code).toBe(0);
    expect(scratch.list("two")).toEqual(["data-nq-dense-apertus.json", "data-nq-dense-gemma3.json", "model.stan"]);
  });

  it("prints one JSON document with --json", async () => {
    const { stdout } = await rat(["network", "export", "--stan", records, "--json"]);
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual(["network", "program", "data"]);
    expect(document.data).toMatchObject([{ source: records }]);
  });

  it("refuses no language, records without a place for them, and options that fit no network", async () => {
    expectRefused(await rat(["network", "export"]), 64, "name a language to export to: --stan");
    expectRefused(await rat(["network", "export", "--stan", records]), 64, "add --out FOLDER for both, or --json");
    expectRefused(await rat(["network", "export", "--stan", "--out", ""]), 64, "--out needs the name of a folder");
    expectRefused(await rat(["network", "export", "--stan", "--prior", "x=1,1"]), 64, "no row is named x");
    expectRefused(await rat(["network", "export", "--stan", "--partial-policy", "answer"]), 64, "no partial retrieval");
    expectRefused(await rat(["network", "export", "--stan", "nothing.csv", "--json"]), 74, "nothing.csv: can't read");
  });
});

describe("--network FILE.json", () => {
  it("is what rat fit fits", async () => {
    const { fit } = await fitOf(records, "--network", mine);
    expect(fit).toMatchObject({ network: "mine", policy: null });
    // E P(R=1, T=1): R has Beta(3 + 2, 2 + 2), T is Beta(1 + 2, 1 + 1) and one record's T is missing.
    expect(fit.quantities.map(({ name }) => name)).toEqual(["both"]);
    expect(quantity(fit, "both").mean).toBeCloseTo((5 / 9) * (3 / 5), 12);
  });

  it("is repeated by rat rerun, while the file is what it was", async () => {
    const file = scratch.write("later.json", scratch.read("mine.json"));
    const out = scratch.at("run");
    expect((await rat(["fit", records, "--network", file, "--out", out, "--seed", "1"])).code).toBe(0);
    expect(scratch.json("run/run.json").options).toMatchObject({ network: file });
    const again = await rat(["rerun", scratch.at("run/run.json"), "--json"]);
    expect(JSON.parse(again.stdout).fits[0].quantities).toEqual(scratch.json("run/fit.json").fits[0].quantities);
    scratch.write("later.json", scratch.read("mine.json").replace("[2,3]", "[1,1]"));
    const changed = await rat(["rerun", scratch.at("run/run.json"), "--json"]);
    expectRefused(changed, 65, `${file}: this is not the network that the run was begun with`);
  });

  it("is what rat sweep sweeps, in shards too; a run of another content isn't gone on with", async () => {
    const mine = JSON.stringify({ ...ratTernary, name: "mine" });
    const file = scratch.write("ternary.json", mine);
    const args = ["sweep", "--preset", "hotpotqa-hybrid-qwen3.5", "--network", file, "--add", "60", "--seed", "1"];
    const few = [...args, "--replicates", "4", "--draws", "50"];
    const whole = await rat([...few, "--json"]);
    expect(whole.code, whole.stderr).toBe(0);
    const [{ network, policy, cells }] = JSON.parse(whole.stdout).sweeps;
    expect({ network, policy }).toEqual({
      network: "mine",
      policy: "R=fail&A=1:1, R=success&A=0&T=1:1, R=partial&A=0&T=1:1",
    });
    for (const shard of ["0/2", "1/2"]) {
      const { code, stderr } = await rat([...few, "--shard", shard, "--out", scratch.at(`part${shard[0]}`)]);
      expect(code, stderr).toBe(0);
    }
    const merged = await rat(["merge", scratch.at("part0"), scratch.at("part1"), "--json"]);
    expect(JSON.parse(merged.stdout).sweeps[0]).toMatchObject({ policy, cells });
    scratch.write("ternary.json", mine.replace('"name":"theta_R"', '"name":"theta_R","prior":[1,2,1]'));
    const resumed = await rat([...few, "--shard", "0/2", "--out", scratch.at("part0"), "--resume"]);
    expectRefused(resumed, 64, "this is another run: networkFile is");
  });
});

describe("policies on the command line", () => {
  it("--policy is what P(G=1) weighs, told in the table and in the document", async () => {
    const policy = "R=0&A=1:1, R=1&A=0&T=1:1, R=0&A=0&T=1:0.5";
    const { fit } = await fitOf(records, "--policy", policy);
    const { fit: usual } = await fitOf(records);
    expect(fit.policy).toBe(policy);
    expect(usual.policy).toBe("R=0&A=1:1, R=1&A=0&T=1:1");
    const unsupported = (await fitOf(records, "--quantity", "u = P(R=0, A=0, T=1)")).fit;
    const expected = (quantity(usual, "P(G=1)").mean as number) + 0.5 * (quantity(unsupported, "u").mean as number);
    expect(quantity(fit, "P(G=1)").mean).toBeCloseTo(expected, 14);
    expect(quantity(fit, "P(G=1)").counted).toBeNull();
    const table = await rat(["fit", records, "--policy", policy, "--engine", "exact"]);
    expect(table.stdout).toContain(`\npolicy: ${policy}\n`);
    expect((await rat(["fit", records, "--engine", "exact"])).stdout).not.toContain("policy");
  });

  it("--policy gives a network without one a P(G=1)", async () => {
    const { fit } = await fitOf(records, "--network", mine, "--policy", "T=1:0.25");
    expect(fit.quantities.map(({ name }) => name)).toEqual(["both", "P(G=1)"]);
    const { fit: other } = await fitOf(records, "--network", mine, "--quantity", "t = P(T=1)");
    expect(quantity(fit, "P(G=1)").mean).toBeCloseTo(0.25 * (quantity(other, "t").mean as number), 14);
  });

  it("--partial-policy is told in words too, unless --quiet", async () => {
    const preset = ["--preset", "hotpotqa-hybrid-qwen3.5", "--network", "rat-ternary"];
    const { fit, stderr } = await fitOf(...preset, "--partial-policy", "either");
    expect(fit.policy).toBe("R=fail&A=1:1, R=success&A=0&T=1:1, R=partial&A=0&T=1:1, R=partial&A=1:1");
    expect(quantity(fit, "P(G=1)").counted).toEqual({ k: 1652 + 1353 + 1787 + 2023, n: 10_000 });
    expect(stderr).toContain("at partial retrieval a correct answer and abstaining both count as adherent");
    const usual = await fitOf(...preset);
    expect(usual.fit.policy).toBe("R=fail&A=1:1, R=success&A=0&T=1:1, R=partial&A=0&T=1:1");
    expect(usual.stderr).toContain("--partial-policy answer");
    expect((await fitOf(...preset, "--quiet")).stderr).toBe("");
    expect((await fitOf(...preset, "--policy", "R=fail:1")).stderr).toBe("");
  });

  it.each<[string[], ...string[]]>([
    [["--policy", "R=0:1, R=0&A=1:0.5"], "overlap", "at position 8", "\n         ^"],
    [["--policy", "R=0&A=1"], 'expected "&", or ":" and a weight from 0 to 1 at position 8'],
    [["--policy", "A=1&T=1:1"], "A=1&T=1 can't happen in network rat at position 1"],
    [["--partial-policy", "answer"], "network rat has no partial retrieval"],
    [["--partial-policy", "both"], "Allowed choices are answer, abstain, either"],
    [["--network", "rat-ternary", "--policy", "R=0:1", "--partial-policy", "either"], "not both"],
    [["--network", "rat-ternary", "--prior", "theta_R=1,1"], "prior of theta_R: 3 numbers are needed, one a level"],
  ])("%j: 64 for fit and sweep, with the place", async (words, ...fragments) => {
    for (const command of ["fit", "sweep"]) {
      expectRefused(await rat([command, "--preset", "hotpotqa-hybrid-qwen3.5", ...words]), 64, ...fragments);
    }
  });

  it("--prior takes a number a level, in their order", async () => {
    const ternary = scratch.write("ternary.csv", "R,A,T\n0,0,1\n0.5,1,\n");
    const { fit } = await fitOf(ternary, "--network", "rat-ternary", "--prior", "theta_R=1,2,5");
    expect(quantity(fit, "P(R=partial)").mean).toBeCloseTo(3 / 10, 12);
    expect(quantity(fit, "theta_R").mean).toBeCloseTo(5 / 10, 12);
  });
});

describe("--quantities", () => {
  it("all shows those that people ask for after the base ones, then one's own", async () => {
    const { fit } = await fitOf(records, "--quantities", "all", "--quantity", "mine = P(R=0)");
    const more = networkNamed("rat").moreQuantities?.map(({ name }) => name) ?? [];
    expect(fit.quantities.slice(9).map(({ name }) => name)).toEqual([...more, "mine"]);
    expect(quantity(fit, "unsupported").counted).toEqual({ k: 1, n: 4 });
    expect((await fitOf(records, "--quantities", "base")).fit).toMatchObject({ quantities: { length: 9 } });
  });

  it("refuses other sets, and names that are taken", async () => {
    expectRefused(await rat(["fit", records, "--quantities", "some"]), 64, "Allowed choices are base, all");
    const taken = ["--quantities", "all", "--quantity", "gap_A = P(R=0)"];
    expectRefused(await rat(["fit", records, ...taken]), 64, "two quantities are named gap_A");
  });
});
