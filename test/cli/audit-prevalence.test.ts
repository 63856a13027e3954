import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { auditReference } from "../audit/support.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

interface Case {
  input: { positive_verdicts: number; n: number; se_hits: number; se_n: number; sp_hits: number; sp_n: number };
  estimate_raw: number;
  estimate_clipped: number;
  se_delta_full: number;
  ci95_wald_raw: [number, number];
}

const cases: Record<string, Case> = auditReference.rogan_gladen.cases;
const times = (n: number, row: string): string[] => Array.from({ length: n }, () => row);

/** An audit and what the judge alone has seen, after the cell of a system. */
function rowsOf({ input }: Case, [yes, no] = ["1", "0"], before = ""): string[] {
  return [
    ...times(input.se_hits, `${before}${yes},${yes}`),
    ...times(input.se_n - input.se_hits, `${before}${yes},${no}`),
    ...times(input.sp_hits, `${before}${no},${no}`),
    ...times(input.sp_n - input.sp_hits, `${before}${no},${yes}`),
    ...times(input.positive_verdicts, `${before},${yes}`),
    ...times(input.n - input.positive_verdicts, `${before},${no}`),
  ];
}

describe("rat audit prevalence", () => {
  it.each(Object.entries(cases))(
    "%s: the reference's estimate, from a file and from rates",
    async (name, reference) => {
      const { input } = reference;
      const text = ["truth,verdict", ...rowsOf(reference, ["yes", "False"])].join("\n");
      const file = scratch.write(`${name}.csv`, text);
      const columns = ["--gold", "truth", "--judge", "verdict", "--sample", "separate"];
      const rates = {
        p: input.positive_verdicts / input.n,
        se: input.se_hits / input.se_n,
        sp: input.sp_hits / input.sp_n,
      };
      const sizes = { n: input.n, "n-se": input.se_n, "n-sp": input.sp_n };
      const given = Object.entries({ ...rates, ...sizes }).flatMap(([option, value]) => [`--${option}`, `${value}`]);
      for (const args of [[file, ...columns], given]) {
        const { systems, order } = await auditDocument("prevalence", args);
        const [{ roganGladen }] = systems;
        expect(order).toBeNull();
        expect(roganGladen.raw).toBeCloseTo(reference.estimate_raw, 10);
        expect(roganGladen.value).toBeCloseTo(reference.estimate_clipped, 10);
        expect(roganGladen.error).toBeCloseTo(reference.se_delta_full, 10);
        expect(roganGladen.rawLower).toBeCloseTo(reference.ci95_wald_raw[0], 6);
      }
    },
  );

  it("--by orders systems raw and corrected, and says which the judge has in the wrong order", async () => {
    const lenient: Case["input"] = {
      positive_verdicts: 800,
      n: 1000,
      se_hits: 196,
      se_n: 200,
      sp_hits: 120,
      sp_n: 200,
    };
    const text = [
      "system,gold,judge",
      ...rowsOf({ ...cases.system_B, input: lenient }, undefined, "lenient,"),
      ...rowsOf(cases.system_B, undefined, "B,"),
    ].join("\n");
    const args = [scratch.write("systems.csv", text), "--by", "system", "--sample", "separate", "--seed", "1"];
    const { systems, order } = await auditDocument("prevalence", args);
    expect(systems.map(({ system }: { system: string }) => system)).toEqual(["lenient", "B"]);
    expect(order.raw.map(({ system }: { system: string }) => system)).toEqual(["lenient", "B"]);
    expect(order.corrected.map(({ system }: { system: string }) => system)).toEqual(["B", "lenient"]);
    const { code, stdout, stderr } = await rat(["audit", "prevalence", ...args, "--fail-on", "reversals > 0"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "rat: --fail-on reversals > 0: reversals is 1\n" });
    expect(stdout).toContain("reversed: lenient is ahead of B by 0.060 as judged, but behind by");
  });

  it("--cluster gives means over rows and over clusters, and no Bayesian estimate", async () => {
    const lines = Array.from({ length: 40 }, (_, a) => {
      // Answers of two claims or of four, the long ones worse; every other one audited.
      const claims = a % 2 === 0 ? ["1", "1"] : ["1", "0", "0", "1"];
      return claims.map((said, c) => `a${a},${a % 4 < 2 ? (c === 3 ? "0" : said) : ""},${said}`);
    }).flat();
    const file = scratch.write("claims.csv", ["answer,gold,judge", ...lines].join("\n"));
    const document = await auditDocument("prevalence", [file, "--cluster", "answer", "--seed", "1"]);
    const [{ observed, overClusters, clusters, roganGladen, predictionPowered, bayesian }] = document.systems;
    expect(document.clusters).toBe(40);
    expect(clusters).toBe(40);
    expect(observed).toMatchObject({ value: 80 / 120, interval: "clustered Wilson" });
    expect(overClusters).toMatchObject({ clusters: 40, observed: { value: 0.75 } });
    expect(overClusters.roganGladen.value).toBeGreaterThan(roganGladen.value);
    expect([roganGladen.interval, predictionPowered.interval]).toEqual(["clustered t", "clustered Wilson"]);
    expect(bayesian.reason).toMatch(/too narrow/);
    const { stdout } = await rat(["audit", "prevalence", file, "--cluster", "answer", "--seed", "1"]);
    expect(stdout).toContain("judge says yes, mean over clusters");
    expect(stdout).toContain("40 clusters");
  });

  it("warns of few clusters, and of one", async () => {
    const claims = (count: number): string =>
      [
        "answer,gold,judge",
        ...Array.from({ length: 40 }, (_, i) => `a${i % count},${i % 3 === 0 ? 1 : 0},${i % 2}`),
      ].join("\n");
    for (const [count, said] of [
      [5, "warning: intervals of 5 clusters are rough"],
      [1, "warning: all records are of one cluster"],
    ] as const) {
      const args = ["audit", "prevalence", "-", "--cluster", "answer", "--seed", "1"];
      expect((await rat(args, { input: claims(count) })).stdout).toContain(said);
    }
  });

  it("raises an alarm of a lenient judge, and warns of an audit that was chosen", async () => {
    const text = [
      "gold,judge",
      ...times(40, "1,1"),
      ...times(2, "1,0"),
      ...times(20, "0,1"),
      ...times(38, "0,0"),
      ...times(950, ",1"),
      ...times(50, ",0"),
    ].join("\n");
    const { alarms, warnings } = await auditDocument("prevalence", [scratch.write("chosen.csv", text), "--seed", "1"]);
    expect(alarms).toMatchObject([{ defect: "lenient", subject: null }]);
    expect(warnings).toContainEqual(expect.stringMatching(/hardly a random sample/));
    const failed = await rat(["audit", "prevalence", "-", "--quiet", "--fail-on", "alarms > 0"], { input: text });
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("alarms is 1") });
    expect(failed.stdout).toMatch(
      /alarm: lenient: among audited records a yes to 20 false ones and a no to 2 true ones, p /,
    );
  });

  it("--prior moves the Bayesian estimate, and one that is none is refused", async () => {
    const rates = ["--p", "0.4", "--n", "50", "--se", "0.9", "--sp", "0.8", "--seed", "1"];
    const [{ bayesian: plain }] = (await auditDocument("prevalence", rates)).systems;
    const [{ bayesian: informed }] = (await auditDocument("prevalence", [...rates, "--prior", "prevalence=90,10"]))
      .systems;
    expect(informed.value).toBeGreaterThan(plain.value + 0.1);
    expect(informed.priors.prevalence).toEqual([90, 10]);
    expect(plain.sampling).toMatchObject({ engine: "wasm", chains: 4, divergences: 0 });
    for (const prior of ["prevalence=0,1", "truth=1,1", "sensitivity=1"]) {
      expectRefused(
        await rat(["audit", "prevalence", ...rates, "--prior", prior]),
        64,
        `--prior ${JSON.stringify(prior)}`,
      );
    }
  });

  it("--out draws every estimate, and the order of systems", async () => {
    const text = [
      "system,gold,judge",
      ...rowsOf(cases.small_audit, undefined, "A & B,"),
      ...rowsOf(cases.system_B, undefined, "B,"),
    ];
    const file = scratch.write("two.csv", text.join("\n"));
    const out = scratch.at("figures");
    const args = ["audit", "prevalence", file, "--by", "system", "--seed", "1", "--out", out, "--quiet"];
    expect(await rat(args)).toMatchObject({ code: 0, stderr: "" });
    const svg = readFileSync(join(out, "audit-prevalence.svg"), "utf8");
    for (const name of [
      "judge says yes",
      "Rogan-Gladen",
      "Bayesian",
      "prediction-powered",
      "order as judged",
      "A &amp; B",
    ]) {
      expect(svg).toContain(name);
    }
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    expect(existsSync(join(out, "audit-prevalence.png"))).toBe(true);
  });

  it("prints assumptions, the seed of what is drawn, and why there is no number", async () => {
    const input = "gold,judge\n1,1\n0,1\n,1\n,\n";
    const { stdout } = await rat(["audit", "prevalence", "-", "--seed", "7"], { input });
    expect(stdout).toContain("Rogan-Gladen takes it that sensitivity and specificity carry over");
    expect(stdout).toContain("need an audit of records drawn at random");
    expect(stdout).toContain("seed 7");
    expect(stdout).toContain("undefined (J = 0): the judge carries no information");
    expect(stdout).toContain("1 row without the judge's verdict is left out");
    expect(stdout).not.toMatch(/NaN|Infinity/);
    const condition = ["--fail-on", "roganGladen < 0.1"];
    const failed = await rat(["audit", "prevalence", "-", "--quiet", ...condition], { input });
    expect(failed.stdout).not.toContain("note:");
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no roganGladen") });
  });

  it.each<[string, string[], string, number, string[]]>([
    [
      "a word",
      ["-"],
      "gold,judge\n1,1\nmaybe,0\n",
      65,
      ["standard input:3: ", '"gold" holds "maybe"', "expected 1 or 0"],
    ],
    ["no column", ["-"], "truth,judge\n1,1\n", 65, ['no column "gold"', "--gold COLUMN"]],
    ["all audited", ["-", "--sample", "separate"], "gold,judge\n1,1\n", 65, ["every record is audited"]],
    ["no verdicts", ["-"], "gold,judge\n1,\n", 65, ["no record has a verdict"]],
    ["neither file nor rates", [], "", 64, ["name a file", "--p, --se and --sp"]],
    ["some rates", ["--p", "0.7", "--se", "0.9"], "", 64, ["--sp is missing"]],
    [
      "a percentage",
      ["--p", "70", "--se", "0.9", "--sp", "0.8"],
      "",
      64,
      ['--p must be a share from 0 to 1, not "70"'],
    ],
    [
      "clusters of no file",
      ["--p", "0.7", "--se", "0.9", "--sp", "0.8", "--cluster", "a"],
      "",
      64,
      ["--cluster is for a file"],
    ],
    [
      "no cluster",
      ["-", "--cluster", "a"],
      "a,gold,judge\nx,1,1\n,1,0\n",
      65,
      ['"a" holds', "expected the name of a cluster"],
    ],
    ["both", ["-", "--p", "0.7"], "gold,judge\n1,1\n", 64, ["--p is for rates"]],
  ])("refuses %s", async (_name, args, input, code, fragments) => {
    expectRefused(await rat(["audit", "prevalence", ...args], { input }), code, ...fragments);
  });
});

it("--fail-on 'alarms > 0' is met where nothing could be tested", async () => {
  const gate = ["--quiet", "--fail-on", "alarms > 0"];
  const untested = { code: 1, stderr: "rat: --fail-on alarms > 0: there is no alarms, as it is undefined here\n" };
  const input = "gold,judge\n,1\n,0\n,1\n";
  expect(await rat(["audit", "prevalence", "-", ...gate], { input })).toMatchObject(untested);
  const atRandom = ["--p", "0.5", "--n", "50", "--se", "0.5", "--sp", "0.5"];
  expect(await rat(["audit", "prevalence", ...atRandom, ...gate])).toMatchObject(untested);
});
