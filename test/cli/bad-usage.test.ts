import { existsSync, mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefused, noAdapter, rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const records = scratch.write(
  "records.csv",
  "id,system,R,A,T,gold\n1,a,1,0,1,1\n2,a,0,1,,0\n3,b,1,0,0,1\n4,b,0,0,1,0\n",
);
const quick = ["--chains", "2", "--warmup", "30", "--draws", "40", "--seed", "1"];
const small = ["--base", "2", "--add", "1", "--replicates", "3"];

type Case = [words: string[], ...fragments: (string | RegExp)[]];

const everywhere: Case[] = [
  [["--seed", "-1"], '--seed must be a whole number from 0 to 2^53 - 1, not "-1"'],
  [["--seed", "1.5"], "--seed must be"],
  [["--seed", "9007199254740992"], "--seed must be"],
  [["--seed", ""], '--seed must be a whole number from 0 to 2^53 - 1, not ""'],
  [["--engine", "cuda"], '--engine must be one of auto, wasm, webgpu, exact, not "cuda"'],
  [["--sampler", "gibbs"], '--sampler must be one of nuts, hmc, not "gibbs"'],
  [["--engine", "webgpu", "--sampler", "nuts"], "--sampler nuts runs on the wasm engine only"],
  [["--chains", "0"], '--chains must be a whole number from 1 to 1024, not "0"'],
  [["--warmup", "many"], '--warmup must be a whole number from 0 to 1000000, not "many"'],
  [["--draws", "3"], '--draws must be a whole number from 4 to 10000000, not "3"'],
  [["--draws", "1e99"], "--draws must be"],
  [["--workers", "-2"], '--workers must be a whole number from 0 to 1024, not "-2"'],
  [["--level", "95"], '--level must be a number between 0 and 1, not "95"'],
  [["--level", "0,9"], "--level must be"],
  [["--sampler-preset", "article"], "--sampler-preset", "Allowed choices are paper"],
  [["--abstained-success", "keep"], "--abstained-success", "Allowed choices are refuse, drop, as-failure"],
  [["--network", "cat"], 'unknown network "cat": there are rat, rat-judge, rat-judge-independent'],
  [["--map", "R=nope"], 'no column "nope" to map to R', '"id", "system", "R", "A", "T", "gold"'],
  [["--map", "Q=gold"], 'no variable "Q"'],
  [["--map", "R"], '--map "R": expected name=column pairs'],
  [["--map", "R=gold,R=id"], "R is given twice"],
  [["--map", "R=gold,A=gold"], 'column "gold" is mapped to two variables'],
  [["--prior", "theta_R=1"], '--prior "theta_R=1": expected a name and a positive number a level'],
  [["--prior", "theta_R=0,1"], "expected a name and a positive number a level"],
  [["--prior", "theta_Q=1,1"], "no row is named theta_Q; priors can be set for theta_R, theta_A-"],
  [["--out", ""], "--out needs the name of a folder"],
  [["--nonsense"], "unknown option '--nonsense'"],
  [["--sead", "1"], "unknown option '--sead'", "Did you mean --seed?"],
  [["--seed"], "option '--seed <number>' argument missing"],
];

const forFit: Case[] = [
  [["--by", "nope"], 'no column "nope" to group by'],
  [["--quantity", "gap"], '--quantity "gap": expected a name and an expression'],
  [["--quantity", "gap = P(A=1|R=0) -"], "position 13", /\n {2}P\(A=1\|R=0\) -\n/],
  [["--quantity", "x = P(Q=1)"], "unknown variable Q (there are R, A, T, G) at position 3", /\n {2}P\(Q=1\)\n {4}\^/],
  [["--quantity", "x = P(A=2)"], 'A has no level "2" (its levels: 0, 1) at position 3'],
  [["--quantity", "x = P(A=1) / 0"], "division by zero at position 8"],
  [["--quantity", "x = P(A=1 | A=0, T=1) P(R=1)"], "expected an operator or the end at position 19"],
  [["--quantity", "theta_R = P(R=1)"], "two quantities are named theta_R"],
];

const forSweep: Case[] = [
  [["--strategies", "everything"], 'unknown strategy "everything": the names are all-joint, half-joint-R'],
  [["--strategies", "x: joint 50%, R 40%"], "the shares of strategy x add up to 90%, not 100%"],
  [["--strategies", "x: gold 100%"], "the kinds are joint, R, T, judge, R_J, T_J"],
  [["--strategies", "joint 50%, R 50%"], '"joint 50%" has no name before it'],
  [["--strategies", "all-R,all-R"], "strategy all-R is given twice"],
  [["--strategies", "base: joint 100%"], `a strategy can't be named "base"`],
  [["--strategies", "judge"], "network rat has no variable R_J, T_J"],
  [["--base", "1.5"], '--base must be whole numbers, not "1.5"'],
  [["--base", "-1"], "--base must be a whole number of at least 0, not -1"],
  [["--add", "60,,100"], '--add must be whole numbers, not ""'],
  [["--add", "sixty"], '--add must be whole numbers, not "sixty"'],
  [["--replicates", "0"], "--replicates must be a whole number of at least 1, not 0"],
];

describe("wrong options of rat fit: 64, told on stderr by name and value, no output folder", () => {
  it.each([...everywhere, ...forFit])("%j", async (words, ...fragments) => {
    const result = await rat(["fit", records, ...quick, "--json", "--out", scratch.at("out"), ...words]);
    expectRefused(result, 64, ...fragments);
    expect(scratch.exists("out")).toBe(false);
  });
});

describe("wrong options of rat sweep: the same", () => {
  it.each([...everywhere.filter((_, i) => i % 7 === 0), ...forSweep])("%j", async (words, ...fragments) => {
    const result = await rat(["sweep", records, ...small, ...quick, "--json", "--out", scratch.at("out"), ...words]);
    expectRefused(result, 64, ...fragments);
    expect(scratch.exists("out")).toBe(false);
  });
});

describe("commands and sources", () => {
  it.each<[string[], number, ...(string | RegExp)[]]>([
    [["fitt", "x.csv"], 64, "unknown command 'fitt'", "Did you mean fit?"],
    [["fit"], 64, "name a file of records, - for standard input, or a preset such as --preset fever-"],
    [
      ["fit", "--preset", "hotpotqa-hybrid-qwen3"],
      64,
      "did you mean hotpotqa-hybrid-qwen3.5",
      "dataset fever, hotpotqa, nq",
    ],
    [["sweep", "--preset", "hotpot-qa"], 64, 'no preset "hotpot-qa"', "All names are DATASET-RETRIEVER-GENERATOR"],
    [["fit", "--preset", "fever-dense-gemma3", "--by", "system"], 64, "preset fever-dense-gemma3 has no columns"],
    [["fit", "--preset", "fever-dense-gemma3", "--map", "R=x"], 64, "--map names columns of files"],
    [["fit", "--preset", "fever-dense-gemma3", "--engine", "webgpu"], 69, "finds no GPU here", "--engine wasm"],
    [["sweep", "--preset", "fever-dense-gemma3", "--engine", "webgpu"], 69, "finds no GPU here"],
    [["presets", "extra"], 64, "too many arguments"],
    [
      [
        "compare",
        "--preset",
        "nq-dense-gemma3,nq-dense-apertus",
        "--gate",
        "P(G=1) > 0 @ 0.9",
        "--gate",
        "x > 0 @ 0.9",
      ],
      64,
      "--gate is given twice",
    ],
    [["fit", "--preset", "nq-dense-gemma3", "--policy", "A=1:1", "--policy", "A=0:1"], 64, "--policy is given twice"],
    [["fit", "--preset", "nq-dense-gemma3", "--preset", "nq-dense-apertus"], 64, "--preset is given twice"],
    [["audit", "agreement", "labels.csv", "--judges", "a,b", "--judges", "c"], 64, "--judges is given twice"],
    [["fit", records, "--prior", "theta_R=1,9", "--prior", "theta_R=9,1"], 64, "--prior theta_R is given twice"],
    [["audit", "prevalence", records, "--prior", "prevalence=1,9", "--prior", "prevalence=2,2"], 64, "given twice"],
    [["fit", records, records], 64, "records.csv is named twice"],
    [["compare", "-", "-"], 64, "standard input is named twice"],
    [["fit", "--preset", "nq-dense-gemma3,nq-dense-gemma3"], 64, "nq-dense-gemma3 is named twice"],
    [["fit", records, "--prior", "theta_R=1e300,1"], 64, "1e+300 is not a positive number up to 2^53"],
    [
      ["fit", records, "--quantity", `z = ${"(".repeat(9000)}P(R=1)${")".repeat(9000)}`],
      64,
      "more than 200 parentheses",
    ],
    [["fit", records, "--quantity", "z = 1e308 * 1e308 * P(R=1)"], 64, "too large to be computed"],
    [["gain", "--preset", "nq-dense-gemma3", "--judge-concentration", "abc"], 64, 'not "abc"'],
    [["sweep", "--preset", "fever-dense-gemma3", "--resume"], 64, "--resume needs --out"],
  ])("%j: %d", async (words, code, ...fragments) => {
    expectRefused(await rat(words, { env: noAdapter }), code, ...fragments);
  });

  it("no command at all: 64, with the help on stderr", async () => {
    const { code, stdout, stderr } = await rat([]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(/^Usage: rat/);
  });
});

describe("output folders", () => {
  const args = (out: string, ...more: string[]): string[] => [
    "fit",
    records,
    ...quick,
    "--json",
    "--out",
    out,
    ...more,
  ];

  beforeAll(async () => {
    expect((await rat(args(scratch.at("run")))).code).toBe(0);
    scratch.write("full/notes.txt", "mine");
    scratch.write("file.txt", "mine");
  });

  it("one that holds a run: 64, and the run is as it was", async () => {
    const before = scratch.snapshot("run");
    expectRefused(await rat(args(scratch.at("run"))), 64, "the folder holds a run already", "--overwrite");
    expect(scratch.snapshot("run")).toEqual(before);
  });

  it("one that holds something else: 64, with --overwrite too, and it is as it was", async () => {
    const before = scratch.snapshot("full");
    for (const more of [[], ["--overwrite"]]) {
      const result = await rat(args(scratch.at("full"), ...more));
      expectRefused(result, 64, "the folder is not empty and holds no run");
    }
    expect(scratch.snapshot("full")).toEqual(before);
  });

  it("a file in its place, or above it: 74, and the file is as it was", async () => {
    const path = scratch.at("file.txt");
    expectRefused(await rat(args(path)), 74, `${path}: can't write this: part of the path is not a folder`);
    expectRefused(await rat(args(`${path}/deep/er`)), 74, "can't write this");
    expect(scratch.read("file.txt")).toBe("mine");
  });

  it.skipIf(process.getuid?.() === 0)("one that may not be written: 74 (root may write anything)", async () => {
    mkdirSync(scratch.at("locked"), { mode: 0o555 });
    expectRefused(await rat(args(scratch.at("locked/out"))), 74, "permission denied");
    expectRefused(await rat(args(scratch.at("locked"))), 74, "permission denied");
  });

  it.skipIf(!existsSync("/proc/self"))("one on a file system that takes no folders: 74", async () => {
    const { code, stdout, stderr } = await rat(args("/proc/self/rat"));
    expect(code).toBe(74);
    expect(stderr).toMatch(/^rat: \/proc\/self\/rat.*: can't write this: .*\n$/);
    expect(stdout === "" || JSON.parse(stdout).fits.length === 1).toBe(true);
  });

  it("a refused run with --overwrite leaves the run that is there as it was", async () => {
    const before = scratch.snapshot("run");
    const bad = scratch.write("bad.csv", "R,A,T\n8,0,1\n");
    expectRefused(await rat(["fit", bad, "--json", "--out", scratch.at("run"), "--overwrite"]), 65, "bad.csv:2");
    expectRefused(await rat(args(scratch.at("run"), "--overwrite", "--level", "2")), 64, "--level");
    const sweeps = ["sweep", records, bad, ...small, ...quick, "--json", "--out", scratch.at("run"), "--overwrite"];
    expectRefused(await rat(sweeps), 65, "bad.csv:2");
    expect(scratch.snapshot("run")).toEqual(before);
  });
});
