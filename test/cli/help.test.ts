import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ended, rat, start } from "../support/cli.js";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Options that the contract (cli.md) names, of what there is so far. */
const common = [
  ...[
    "--preset",
    "--network",
    "--policy",
    "--partial-policy",
    "--map",
    "--abstained-success",
    "--prior",
    "--seed",
    "--engine",
    "--sampler",
    "--chains",
  ],
  ...["--warmup", "--draws", "--workers", "--level", "--sampler-preset", "--out", "--overwrite", "--json", "--quiet"],
];
const commands: Record<string, string[]> = {
  fit: [...common, "--by", "--quantities", "--quantity", "--draws-out", "--draws-format"],
  sweep: [
    ...common,
    "--base",
    "--add",
    "--strategies",
    "--budget",
    "--skip-implied",
    "--replicates",
    "--shard",
    "--resume",
  ],
  merge: ["--out", "--overwrite", "--json"],
  rerun: ["--out", "--overwrite", "--json", "--quiet", "--workers"],
  presets: [],
  network: [],
  audit: [],
  doctor: ["--json"],
  compare: [...common, "--by", "--gate", "--quantity", "--quantities"],
  gain: [...common, "--by", "--strategies", "--verify"],
};

describe("--help", () => {
  it.each(Object.entries(commands))(
    "rat %s --help lists every option of the contract, on stdout, with code 0",
    async (command, options) => {
      const { code, stdout, stderr } = await rat([command, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: rat ${command} `));
      for (const option of options) expect(stdout).toMatch(new RegExp(`^ +${option}(?: <[^>]+>)?(?: |$)`, "m"));
    },
  );

  it("rat --help names every command; rat help COMMAND is COMMAND --help", async () => {
    const { code, stdout } = await rat(["--help"]);
    expect(code).toBe(0);
    for (const command of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^ +${command} `, "m"));
    expect((await rat(["help", "fit"])).stdout).toBe((await rat(["fit", "--help"])).stdout);
  });

  it.each<[string, string[]]>([
    ["check", ["--json"]],
    [
      "export",
      [
        "--stan",
        "--network",
        "--policy",
        "--prior",
        "--quantities",
        "--quantity",
        "--preset",
        "--map",
        "--out",
        "--json",
      ],
    ],
  ])("rat network %s --help lists its options", async (part, options) => {
    const { code, stdout } = await rat(["network", part, "--help"]);
    expect(code).toBe(0);
    for (const option of options) expect(stdout).toMatch(new RegExp(`^ +${option}(?: <[^>]+>)?(?: |$)`, "m"));
  });

  const audits = ["--level", "--fail-on", "--out", "--overwrite", "--json", "--quiet"];
  it.each<[string, string[]]>([
    ["swap", [...audits, "--forward", "--reversed", "--scores", "--first", "--second"]],
    ["variance", [...audits, "--query", "--judge", "--score", "--missing", "--budget", "--max-judges", "--cost-call"]],
    ["agreement", [...audits, "--judges", "--scale", "--categories", "--replicates", "--seed"]],
    [
      "prevalence",
      [...audits, "--gold", "--judge", "--by", "--sample", "--p", "--n", "--se", "--sp", "--n-se", "--n-sp"],
    ],
    [
      "calibration",
      [...audits, "--confidence", "--outcome", "--bins", "--folds", "--map", "--save", "--apply", "--seed"],
    ],
    ["latent-class", [...audits, "--item", "--judge", "--vote", "--judges", "--gold", "--smoothing", "--seed"]],
  ])("rat audit %s --help lists its options", async (part, options) => {
    const { code, stdout } = await rat(["audit", part, "--help"]);
    expect(code).toBe(0);
    for (const option of options) expect(stdout).toMatch(new RegExp(`^ +${option}(?: <[^>]+>)?(?: |$)`, "m"));
  });

  it("defaults that it states are those of the contract", async () => {
    const { stdout } = await rat(["sweep", "--help"]);
    const words = stdout.replace(/\s+/g, " ");
    for (const stated of ['(default: "100")', '(default: "60,100,200,500")', '(default: "500")'])
      expect(words).toContain(stated);
    expect(words).toContain("(default: all-joint,half-joint-R,half-joint-T,all-R,all-T)");
    expect(words).toContain("(default: 4 for fit, 2 for sweep, 64 on webgpu)");
  });

  it("--version is the package's", async () => {
    expect(await rat(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

it("rat presets lists the 27 names, one a line", async () => {
  const { code, stdout } = await rat(["presets"]);
  expect(code).toBe(0);
  const names = stdout.trimEnd().split("\n");
  expect(names).toHaveLength(27);
  expect(names).toContain("hotpotqa-hybrid-qwen3.5");
  expect(
    names.every((name) => /^(fever|hotpotqa|nq)-(dense|hybrid|sparse)-(apertus|gemma3|qwen3\.5)$/.test(name)),
  ).toBe(true);
});

describe("a reader that goes away", () => {
  it.each([
    ["presets"],
    ["sweep", "--preset", "nq-sparse-gemma3", "--replicates", "2", "--seed", "1", "--json"],
    ["fit", "--help"],
  ])("rat %s ... ends without a word and with code 0, as under head", async (...args) => {
    const child = start(args);
    child.stdin?.end();
    child.stdout?.destroy();
    const { code, stderr } = await ended(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

it.skipIf(!existsSync("/dev/full"))("standard output on a full disk: 74, with words", async () => {
  const child = spawn("sh", ["-c", `"$0" dist/cli/bin.js presets > /dev/full`, process.execPath], {
    cwd: new URL("../..", import.meta.url),
  });
  const { code, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({ code: 74, stderr: "rat: standard output: can't write this: the disk is full\n" });
});
