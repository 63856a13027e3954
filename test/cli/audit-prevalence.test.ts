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
        expect(roganGladen.lower).toBeCloseTo(reference.ci95_wald_raw[0], 6);
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
    ["both", ["-", "--p", "0.7"], "gold,judge\n1,1\n", 64, ["--p is for rates"]],
  ])("refuses %s", async (_name, args, input, code, fragments) => {
    expectRefused(await rat(["audit", "prevalence", ...args], { input }), code, ...fragments);
  });
});
