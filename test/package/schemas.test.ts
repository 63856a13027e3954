import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { schemas } from "../../scripts/schemas.mjs";

const bin = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));
const shipped = new URL("../../schemas/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "rat-schemas-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
for (const name of readdirSync(shipped)) ajv.addSchema(JSON.parse(readFileSync(new URL(name, shipped), "utf8")));

/** What is wrong with a document, in words; empty where nothing is. */
function faults(schema: string, document: unknown): string[] {
  ajv.validate(schema, document);
  return (ajv.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  );
}

async function rat(args: readonly string[], input = ""): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [bin, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (text) => {
    stdout += text;
  });
  child.stderr?.on("data", (text) => {
    stderr += text;
  });
  child.stdin?.end(input);
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code, stderr).toBe(0);
  return stdout;
}

const json = async (...args: string[]): Promise<unknown> => JSON.parse(await rat([...args, "--json", "--quiet"]));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const records = file("records.csv", "id,R,A,T,system\n1,1,0,1,a\n2,0,1,,a\n3,,0,0,b\n4,1,0,0,b\n5,1,,,b\n");
const heldRates = ["TPR_R", "FPR_R", "TPR_T", "FPR_T"].flatMap((name) => ["--judge-rate", `${name}=0.5`]);
const held = ["--judge-rates", "fixed", ...heldRates];
const short = ["--warmup", "50", "--draws", "50", "--seed", "1"];

it("the shipped schemas are those of the types", () => {
  const made: Map<string, string> = schemas();
  expect([...made.keys()].sort()).toEqual(readdirSync(shipped).sort());
  for (const [name, text] of made) expect(readFileSync(new URL(name, shipped), "utf8")).toBe(text);
});

describe("fit.schema.json takes what rat fit --json prints", () => {
  it.each<[string, string[]]>([
    ["nuts", [records, ...short]],
    ["as few draws as can be", [records, "--chains", "1", "--warmup", "0", "--draws", "4"]],
    ["hmc", [records, "--sampler", "hmc", ...short]],
    ["exact", [records, "--engine", "exact", ...short]],
    ["groups", [records, "--by", "system", ...short]],
    ["quantities that nothing seen informs", [file("nothing.csv", "R,A,T\n,1,\n"), ...short]],
    ["a quantity of one's own", [records, "--quantity", "gap = P(A=1|R=0) - P(A=1|R=1)", ...short]],
    ["a policy and all quantities", [records, "--policy", "R=0:0.5", "--quantities", "all", ...short]],
    ["a network with partial retrieval", [records, "--network", "rat-ternary", ...short]],
    ["a network with judges", [records, "--network", "rat-judge", ...short]],
    [
      "judges compared, priors varied",
      [records, "--network", "rat-judge", "--compare-judges", "--prior-sensitivity", ...short],
    ],
    ["a judge whose rates are held", [records, "--network", "rat-judge", ...held, "--prior-sensitivity", ...short]],
    ["presets", ["--preset", "nq-dense-gemma3,hotpotqa-hybrid-qwen3.5", ...short]],
  ])("%s", async (_name, args) => {
    expect(faults("fit.schema.json", await json("fit", ...args))).toEqual([]);
  });
});

it.each(["rat", "rat-judge", "rat-ternary"])(
  "network-check.schema.json takes what rat network check %s prints",
  async (name) => {
    expect(faults("network-check.schema.json", JSON.parse(await rat(["network", "check", name, "--json"])))).toEqual(
      [],
    );
  },
);

it("compare.schema.json takes what rat compare --json prints", async () => {
  const systems = ["compare", "--preset", "nq-dense-gemma3,nq-dense-apertus", "--gate", "P(G=1) < 0 @ 0.5"];
  expect(faults("compare.schema.json", await json(...systems, ...short))).toEqual([]);
});

it("gain.schema.json takes what rat gain --json prints", async () => {
  expect(faults("gain.schema.json", await json("gain", "--preset", "nq-dense-gemma3", ...short))).toEqual([]);
});

it("reproduce.schema.json takes what rat reproduce --json prints", async () => {
  expect(faults("reproduce.schema.json", await json("reproduce", "--quick", "--seed", "1"))).toEqual([]);
  expect(faults("reproduce.schema.json", await json("reproduce", "--only", "table6", "--seed", "1"))).toEqual([]);
});

it("doctor.schema.json takes what rat doctor --json prints", async () => {
  expect(faults("doctor.schema.json", JSON.parse(await rat(["doctor", "--json"])))).toEqual([]);
});

describe("sweep.schema.json takes what is printed", () => {
  const sweep = ["sweep", "--preset", "nq-dense-gemma3", "--replicates", "4", "--add", "60", "--seed", "1"];

  it("by rat sweep --json, hmc and exact", async () => {
    expect(faults("sweep.schema.json", await json(...sweep))).toEqual([]);
    expect(faults("sweep.schema.json", await json(...sweep, "--engine", "exact", "--draws", "50"))).toEqual([]);
  });

  it("for a single replicate, which has no standard errors", async () => {
    expect(faults("sweep.schema.json", await json(...sweep, "--replicates", "1"))).toEqual([]);
    const judged = ["--preset", "hotpotqa-hybrid-apertus", "--network", "rat-judge", "--strategies", "judge", ...held];
    const small = ["--replicates", "2", "--add", "10", ...short];
    expect(faults("sweep.schema.json", await json("sweep", ...judged, ...small))).toEqual([]);
  });

  it("by rat merge --json", async () => {
    const shards = ["0/2", "1/2"].map((shard) => ({ shard, out: join(folder, shard.replace("/", "of")) }));
    for (const { shard, out } of shards) await rat([...sweep, "--quiet", "--shard", shard, "--out", out]);
    const merged = JSON.parse(await rat(["merge", ...shards.map(({ out }) => out), "--json"]));
    expect(faults("sweep.schema.json", merged)).toEqual([]);
  });
});

it("serve.schema.json takes every answer of rat serve", async () => {
  const observations = [{ R: 1, A: 0, T: 1 }, { A: 1 }];
  const refits = { observations, counts: [[3, 4]], draws: 50, seed: 1 };
  const requests = [
    { id: 1, method: "info" },
    { id: "fit", method: "fit", params: { records: [{ R: 1, A: 0, T: 1 }], draws: 50 } },
    { id: 3, method: "refits", params: { ...refits, progress: true } },
    { id: 4, method: "refits", params: { ...refits, quantities: { gap: "P(A=1|R=0) - P(A=1|R=1)" } } },
    { id: 5, method: "cancel", params: { id: "none" } },
    { id: 6, method: "guess" },
    { method: "info" },
  ];
  const output = await rat(
    ["serve", "--workers", "0"],
    requests.map((request) => `${JSON.stringify(request)}\n`).join(""),
  );
  const answers = output.trimEnd().split("\n");
  expect(answers).toHaveLength(requests.length + 1);
  for (const answer of answers) expect(faults("serve.schema.json", JSON.parse(answer))).toEqual([]);
});

describe("a wrong document is refused", () => {
  let document: { fits: Record<string, unknown>[] };
  beforeAll(async () => {
    document = (await json("fit", records, ...short)) as typeof document;
  });
  const wrong = (change: (fit: Record<string, unknown>) => void): unknown => {
    const copy = structuredClone(document);
    change(copy.fits[0]);
    return copy;
  };
  it.each<[string, (fit: Record<string, unknown>) => void, string]>([
    ["a field is missing", (fit) => delete fit.warnings, "warnings"],
    ["a field is too many", (fit) => Object.assign(fit, { sead: 1 }), "sead"],
    ["a number is text", (fit) => Object.assign(fit, { level: "NaN" }), "/fits/0/level"],
    ["a count isn't whole", (fit) => Object.assign(fit, { records: 0.5 }), "/fits/0/records"],
    ["a count is negative", (fit) => Object.assign(fit, { records: -1 }), "/fits/0/records"],
    ["a name is unknown", (fit) => Object.assign(fit, { engine: "abacus" }), "/fits/0/engine"],
    ["a number inside is missing", (fit) => delete (fit.quantities as { rhat?: number }[])[0].rhat, "rhat"],
  ])("where %s", (_name, change, place) => {
    expect(faults("fit.schema.json", document)).toEqual([]);
    expect(faults("fit.schema.json", wrong(change)).join("\n")).toContain(place);
  });

  it("where an answer is of no kind", () => {
    expect(faults("serve.schema.json", { id: 1, result: {} })).not.toEqual([]);
    expect(faults("serve.schema.json", { id: null, result: { cancelled: true } })).not.toEqual([]);
    expect(faults("sweep.schema.json", document)).not.toEqual([]);
  });
});
