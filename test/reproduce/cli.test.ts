import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { ReproduceDocument } from "../../src/documents.js";
import { ended, expectRefused, rat, Scratch, start } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const quick = ["reproduce", "--quick", "--seed", "5", "--workers", "2"];
const read = (folder: string): ReproduceDocument => scratch.json(join(folder, "reproduce.json"));

/** A document without what takes time. */
const timeless = ({ seconds: _, experiments, ...document }: ReproduceDocument) => ({
  ...document,
  experiments: experiments.map(({ sweeps, ...one }) => ({
    ...one,
    sweeps: sweeps.map(({ seconds: _seconds, refitsPerSecond: _rate, workers: _workers, ...sweep }) => sweep),
  })),
});

describe("--only", () => {
  it("makes what it names and runs nothing that this doesn't need", async () => {
    const { code, stdout } = await rat([...quick, "--only", "table1,table10", "--json"]);
    const document = JSON.parse(stdout) as ReproduceDocument;
    expect(code).toBe(0);
    expect(document.tables.map(({ id }) => id)).toEqual(["table1", "table3a", "table3b"]);
    expect([document.experiments, document.claims]).toEqual([[], []]);
  });

  it("refuses what the paper doesn't have", async () => {
    expectRefused(await rat([...quick, "--only", "table99"]), 64, "table99", "appendixF");
  });
});

describe("--out", () => {
  it("writes the report in all its forms", async () => {
    const { code, stdout } = await rat([...quick, "--only", "fig1,table5", "--out", scratch.at("forms"), "--quiet"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`report: ${join(scratch.at("forms"), "report.html")}`);
    expect(scratch.list("forms")).toEqual([
      ...["claims.csv", "fig1.png", "fig1.svg", "judge-fixed", "judge-learnt", "numbers.csv"],
      ...["report.html", "report.md", "reproduce.json", "run.json"],
    ]);
    expect(scratch.list("forms/judge-fixed")).toContain("rows.csv");
    expect(scratch.read("forms/report.html")).toMatch(/^<!doctype html>/);
    expectRefused(await rat([...quick, "--only", "fig1", "--out", scratch.at("forms")]), 64, "--overwrite");
  });

  it("draws the 27 systems beside their tables, in every form", async () => {
    const { code } = await rat([...quick, "--only", "table2", "--out", scratch.at("systems"), "--quiet"]);
    expect(code).toBe(0);
    expect(scratch.list("systems")).toEqual(expect.arrayContaining(["fig-systems.png", "fig-systems.svg"]));
    const svg = scratch.read("systems/fig-systems.svg");
    for (const { labels, column, ours } of read("systems").tables[0].rows) {
      expect(svg).toMatch(new RegExp(`${labels.join(", ")}: ${ours?.toFixed(4)} \\[0\\.\\d{4}, 0\\.\\d{4}\\]`));
      expect(svg).toContain(`data-quantity="${column}"`);
    }
    expect(scratch.read("systems/report.html")).toContain('<figure class="column"><svg ');
    expect(scratch.read("systems/report.md")).toContain("(fig-systems.svg)");
  });

  it("--overwrite leaves nothing of the run before", async () => {
    const { code } = await rat([...quick, "--only", "table6", "--out", scratch.at("forms"), "--overwrite", "--quiet"]);
    expect(code).toBe(0);
    expect(scratch.list("forms")).toEqual([
      ...["claims.csv", "numbers.csv", "report.html", "report.md", "reproduce.json", "run.json"],
    ]);
  });
});

describe("--resume", () => {
  const args = [...quick, "--only", "fig3,coverage", "--quiet"];

  it("goes on with an interrupted run, to the same numbers", async () => {
    const folder = scratch.at("stopped");
    const rows = join(folder, "allocation", "rows-hotpotqa-hybrid-qwen3.5.csv");
    const child = start([...args, "--out", folder]);
    const end = ended(child);
    while (!(existsSync(rows) && statSync(rows).size > 1000) && child.exitCode === null) await wait(5);
    child.kill("SIGINT");
    const { code, stderr } = await end;
    expect(code).toBe(130);
    expect(stderr).toMatch(/\d+ finished refits are kept .* --resume/);
    expect(scratch.exists("stopped/report.html")).toBe(false);
    const kept = readFileSync(rows, "utf8");
    expect((await rat([...args, "--out", folder, "--resume"])).code).toBe(0);
    expect(readFileSync(rows, "utf8").startsWith(kept.slice(0, kept.lastIndexOf("\n")))).toBe(true);
    expect((await rat([...args, "--out", scratch.at("whole")])).code).toBe(0);
    expect(timeless(read("stopped"))).toEqual(timeless(read("whole")));
  });

  it("shows a finished run again, and refuses another one", async () => {
    const again = await rat([...args, "--out", scratch.at("whole"), "--resume", "--json"]);
    expect(JSON.parse(again.stdout)).toEqual(read("whole"));
    const other = ["--only", "fig3", "--out", scratch.at("whole"), "--resume"];
    expectRefused(await rat([...quick, ...other]), 64, "another run", "only");
  });

  it("rat rerun repeats the run, and any of its experiments", async () => {
    const repeated = await rat(["rerun", join(scratch.at("whole"), "run.json"), "--json", "--quiet"]);
    expect(timeless(JSON.parse(repeated.stdout))).toEqual(timeless(read("whole")));
    const sweep = await rat(["rerun", join(scratch.at("whole"), "allocation", "run.json"), "--json", "--quiet"]);
    expect(JSON.parse(sweep.stdout).sweeps[0].cells).toEqual(read("whole").experiments[0].sweeps[0].cells);
  });
});
