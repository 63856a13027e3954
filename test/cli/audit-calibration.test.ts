import { afterAll, describe, expect, it } from "vitest";
import { auditReference } from "../audit/support.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const { input, raw, platt_on_logit: logit, platt_on_confidence: linear, isotonic } = auditReference.calibration;
const confidence: number[] = input.confidence;
const csv = ["confidence,outcome", ...confidence.map((f, i) => `${f},${input.label[i]}`)].join("\n");
const file = scratch.write("confidences.csv", csv);

describe("rat audit calibration", () => {
  it("figures and maps of scikit-learn", async () => {
    const { report } = await auditDocument("calibration", [file]);
    expect(report.raw.auc.value).toBeCloseTo(raw.auc, 12);
    expect(report.raw.brier.value).toBeCloseTo(raw.brier, 12);
    expect(report.raw.logLoss.value).toBeCloseTo(raw.log_loss, 12);
    expect(report.raw.equalWidth.ece.value).toBeCloseTo(raw.ece_equal_width_10, 12);
    expect(report.platt.fit.map.slope).toBeCloseTo(logit.slope, 6);
    expect(report.isotonic.fit.map.x).toEqual(isotonic.thresholds_x);
    const five = await auditDocument("calibration", [file, "--bins", "5", "--over", "confidence", "--folds", "0"]);
    expect(five.report.raw.equalWidth.ece.value).toBeCloseTo(raw.ece_equal_width_5, 12);
    expect(five.report.platt.fit.map.intercept).toBeCloseTo(linear.intercept, 5);
    expect(five.report.platt.crossValidated).toBeNull();
  });

  it("log probabilities of Yes and No are the same confidences", async () => {
    const rows = confidence.map((f, i) => {
      const [yes, no] = [Math.log(f) - 1, Math.log1p(-f) - 1];
      return JSON.stringify({ logprob_yes: yes, logprob_no: no, outcome: input.label[i] === 1 });
    });
    const { report } = await auditDocument("calibration", ["-"], { input: rows.join("\n") });
    expect(report.raw.brier.value).toBeCloseTo(raw.brier, 12);
    expect(report.platt.fit.map.intercept).toBeCloseTo(logit.intercept, 6);
  });

  it.each([
    ["platt", logit.fitted],
    ["isotonic", isotonic.fitted],
  ])("--map %s --save writes a map, and --apply calibrates with it, without outcomes too", async (kind, fitted) => {
    const map = scratch.at(`${kind}.json`);
    const save = [file, "--map", kind, "--save", map];
    const { saved } = await auditDocument("calibration", save);
    expect(scratch.json(`${kind}.json`)).toEqual(saved.map);
    expectRefused(await rat(["audit", "calibration", ...save]), 64, "is there already", "--overwrite");
    const { applied } = await auditDocument("calibration", [file, "--apply", map]);
    applied.rows.forEach(({ calibrated }: { calibrated: number }, i: number) => {
      expect(calibrated).toBeCloseTo(fitted[i], 6);
    });
    expect(applied.raw.auc.value).toBeCloseTo(raw.auc, 12);
    const bare = await auditDocument("calibration", ["-", "--apply", map], { input: "id,confidence\nq7,0.9\n\n" });
    expect(bare.applied).toMatchObject({ raw: null, mapped: null, rows: [{ line: 2, id: "q7", confidence: 0.9 }] });
  });

  it("--save replaces maps, and nothing else", async () => {
    const own = scratch.write("own.csv", csv);
    const to = (path: string) =>
      rat(["audit", "calibration", own, "--map", "platt", "--save", path, "--overwrite", "--quiet"]);
    expectRefused(await to(own), 64, "that is the file to audit");
    expectRefused(await to(scratch.write("other.csv", csv)), 64, "is no map");
    expect([scratch.read("own.csv"), scratch.read("other.csv")]).toEqual([csv, csv]);
    expect((await to(scratch.at("new.json"))).code).toBe(0);
    expect((await to(scratch.at("new.json"))).code).toBe(0);
  });

  it("--fail-on: by figures as they are and cross-validated, and by what is undefined", async () => {
    const run = (text: string) => rat(["audit", "calibration", file, "--seed", "1", "--fail-on", text]);
    expect(await run("ece > 0.1")).toMatchObject({ code: 1, stderr: "rat: --fail-on ece > 0.1: ece is 0.194\n" });
    expect((await run("platt.brier > 0.2")).code).toBe(0);
    const certain = "confidence,outcome\n1,0\n0.5,0\n";
    const args = ["audit", "calibration", "-", "--fail-on", "logLoss > 1"];
    const { code, stdout, stderr } = await rat(args, { input: certain });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no logLoss") });
    expect(stdout).toContain("log loss: undefined (infinite): 1 of 2 rows are certain and wrong");
    expect(stdout).toContain("AUC: undefined (one class)");
    expect(stdout).not.toMatch(/NaN|Infinity/);
  });

  it("--cluster: errors of clusters, kept with a note of how many; folds keep them whole", async () => {
    const rows = confidence.map((f, i) => `q${Math.floor(i / 4)},${f},${input.label[i]}`);
    const clustered = scratch.write("clustered.csv", ["q,confidence,outcome", ...rows].join("\n"));
    const args = [clustered, "--cluster", "q", "--seed", "1"];
    const { clusters, report, warnings } = await auditDocument("calibration", args);
    expect([clusters, report.raw.brier.interval]).toEqual([10, "clustered skewness-corrected t"]);
    expect(report.raw.brier.value).toBeCloseTo(raw.brier, 12);
    expect(report.recalibration.test.test).toBe("F of clusters, simulated");
    expect(report.platt.fit.slopeSe).toBeNull();
    expect(warnings[0]).toContain("10 clusters are rough");
    expect((await rat(["audit", "calibration", ...args])).stdout).toContain(
      "40 rows, in 10 clusters, 20 with outcome 1",
    );
    const named = await rat(["audit", "calibration", clustered, "--cluster", "topic"]);
    expectRefused(named, 65, 'no column "topic"', "--cluster COLUMN");
    expectRefused(await rat(["audit", "calibration", clustered, "--group", "q"]), 64, "--group is --cluster now");
  });

  it("alarms: what is wrong is named, after a map too, and fails a gate", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `0.9${i % 9},${Number(i % 5 < 3)}`);
    const sure = scratch.write("sure.csv", ["confidence,outcome", ...rows].join("\n"));
    const { alarms } = await auditDocument("calibration", [sure]);
    expect(alarms).toMatchObject([{ defect: "over-confident", subject: null }]);
    const gate = await rat(["audit", "calibration", sure, "--fail-on", "alarms > 0", "--fail-on", "p < 0.01"]);
    expect(gate.code).toBe(1);
    expect(gate.stdout).toContain("alarm: over-confident: the likelier answer has a mean confidence of 0.938");
    const saved = scratch.at("sure.json");
    await auditDocument("calibration", [sure, "--map", "platt", "--save", saved]);
    const mapped = await auditDocument("calibration", [sure, "--apply", saved]);
    expect(mapped.applied.recalibration.test.p).toBeGreaterThan(0.5);
    expect(mapped.alarms).toEqual([]);
  });

  it("--out draws the diagrams, once more from its record, and with a map that is applied", async () => {
    const out = scratch.at("drawn");
    await rat(["audit", "calibration", file, "--seed", "1", "--quiet", "--out", out]);
    const svg = scratch.read("drawn/audit-calibration.svg");
    expect(svg.match(/class="panel"/g)).toHaveLength(6);
    for (const title of ["as they are: ECE 0.194", "Platt, cross-validated: ECE", "isotonic, cross-validated: ECE"]) {
      expect(svg).toContain(title);
    }
    await rat(["rerun", `${out}/run.json`, "--out", scratch.at("again"), "--quiet"]);
    expect(scratch.read("again/audit-calibration.svg")).toBe(svg);
    const bare = ["audit", "calibration", "-", "--apply", scratch.at("platt.json"), "--out", scratch.at("bare")];
    expect((await rat(bare, { input: "confidence\n0.9\n" })).code).toBe(0);
  });

  const map = scratch.write("nothing.json", "{}");
  it.each<[string, string, string[], number, string[]]>([
    ["a percentage", "confidence,outcome\n0.5,1\n50,0\n", [], 65, ["standard input:3: ", '"50"', "divide percentages"]],
    [
      "a graded outcome",
      "confidence,outcome\n0.5,0.5\n",
      [],
      65,
      ["standard input:2: ", '"outcome" holds "0.5"', "a blank leaves out", "a tie"],
    ],
    ["a probability for its log", "logprob_yes,logprob_no,outcome\n0.7,-1,1\n", [], 65, [":2: ", "at most 0"]],
    ["a hexadecimal number", "confidence,outcome\n0x1,1\n", [], 65, [":2: ", '"0x1"', "decimal number"]],
    ["no confidence", "p,outcome\n0.5,1\n", [], 65, ['no column "confidence"', "--confidence COLUMN"]],
    ["nothing but blanks", "confidence,outcome\n,1\n", [], 65, ["no row has both"]],
    ["what is no map", "confidence\n0.5\n", ["--apply", map], 65, ["nothing.json: ", "no calibration map"]],
    ["one class to map", "confidence,outcome\n0.5,1\n", ["--map", "platt", "--save", "x.json"], 65, ["one class"]],
    ["a map that isn't saved", "confidence,outcome\n0.5,1\n", ["--map", "platt"], 64, ["without --save"]],
    ["one fold", "confidence,outcome\n0.5,1\n", ["--folds", "1"], 64, ["--folds must be 0, or"]],
  ])("refuses %s", async (_name, text, args, code, fragments) => {
    const ended = await rat(["audit", "calibration", "-", ...args], { input: text, cwd: scratch.root });
    expectRefused(ended, code, ...fragments);
  });
});

it("--fail-on 'alarms > 0' is met where nothing could be tested", async () => {
  const input = "confidence,outcome,q\n0.9,1,a\n0.2,0,a\n0.7,1,a\n";
  const { code, stderr } = await rat(["audit", "calibration", "-", "--cluster", "q", "--fail-on", "alarms > 0"], {
    input,
  });
  expect(code).toBe(1);
  expect(stderr).toContain("there is no alarms, as it is undefined here");
});
