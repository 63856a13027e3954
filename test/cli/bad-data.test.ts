import { chmodSync, mkdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { caseFile, expectRefused, rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Name and content of a file, the exit code and what the message says. */
type Case = [name: string, content: string | Buffer, code: number, ...fragments: (string | RegExp)[]];

const cases: Case[] = [
  ["empty.csv", "", 65, "no records"],
  ["blank.csv", "\n\n  \n", 65, "no records"],
  ["header-only.csv", "id,R,A,T\n", 65, "no records"],
  [
    "unknown-columns.csv",
    "q,answer\n1,yes\n",
    65,
    "no column is a variable of network rat (R, A, T)",
    '"q", "answer"',
    "--map",
  ],
  ["value-2.csv", "R,A,T\n1,0,1\n2,0,1\n", 65, /value-2\.csv:3: R is "2", not a 0\/1 label/],
  ["text.csv", "R,A,T\n1,0,maybe\n", 65, /text\.csv:2: T is "maybe", not a 0\/1 label/],
  ["several.csv", "R,A,T\n5,0,1\n1,x,1\n1,0,y\n", 65, "several.csv:2: 3 cells", "line 2: R", "line 3: A", "line 4: T"],
  [
    "contradiction.csv",
    "R,A,T\n1,1,1\n0,1,1\n1,0,1\n",
    65,
    "2 records have A = 1 with T = 1",
    "lines 2, 3",
    "--abstained-success",
  ],
  ["negative-n.csv", "R,A,T,n\n1,0,1,-3\n", 65, /negative-n\.csv:2: n is "-3", not a whole number from 0 to 2\^53/],
  ["fractional-n.csv", "R,A,T,n\n1,0,1,1.5\n", 65, /:2: n is "1.5", not a whole number/],
  ["huge-n.csv", "R,A,T,n\n1,0,1,9007199254740993\n", 65, /:2: n is "9007199254740993", not a whole number/],
  ["too-many.csv", "R,A,T,n\n1,0,1,9007199254740992\n0,0,1,1\n", 65, "more than 2^53 records"],
  ["zero-n.csv", "R,A,T,n\n1,0,1,0\n", 65, "no records: n is 0 in every row"],
  ["no-labels.csv", "id,R,A,T\n1,,,\n2,NA,null,NaN\n", 65, "no labels: R, A, T are blank in all records"],
  ["twice.csv", "R,A,T,R\n1,0,1,1\n", 65, 'the header names column "R" twice'],
  ["ragged.csv", "R,A,T\n1,0\n", 65, /ragged\.csv:2: the row has 2 cells, the header 3/],
  ["quote.csv", 'R,A,T\n1,0,"1\n1,0,1\n', 65, /quote\.csv:2: a quoted cell .* never closed/],
  ["broken.json", '[{"R":1,"A":0}', 65, "the array is not closed"],
  ["broken.jsonl", '{"R":1,"A":0}\n{"R":\n', 65, /broken\.jsonl:2: not valid JSON/],
  ["list.jsonl", "[1,0,1]\n", 65, /list\.jsonl:1: .* is not an object/],
  ["latin-1.csv", Buffer.from("id,R,A,T\nM\u00fcll,1,0,1\n", "latin1"), 65, "not UTF-8 text: save it as UTF-8"],
  ["utf-16.csv", Buffer.from("\ufeffR,A,T\n1,0,1\n", "utf16le"), 65, "not UTF-8 text"],
  ["cut.csv.gz", gzipSync(Buffer.from([0x52, 0x0a, 0x31, 0x0a, 0xc3])), 65, "not UTF-8 text"],
  ["proto.csv", "__proto__,R\n1,1\n", 65, /proto\.csv:1: a column can't be named __proto__/],
  ["binary.csv", Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 1, 2]), 65, "not UTF-8 text"],
  ["broken.csv.gz", "R,A,T\n1,0,1\n", 74, "it is not valid gzip data"],
  ["torn.csv.gz", gzipSync("R,A,T\n1,0,1\n").subarray(0, 20), 74, /can't read this/],
];

const forSweep = ["empty.csv", "value-2.csv", "contradiction.csv", "no-labels.csv", "torn.csv.gz"];

describe.each([
  ["fit", cases],
  ["sweep", cases.filter(([name]) => forSweep.includes(name))],
])("rat %s", (command, files) => {
  it.each(files)(
    "%s: refused with its code, its file and place, on stderr alone; no output folder",
    async (name, content, code, ...fragments) => {
      const path = scratch.write(name, content);
      const result = await rat([command, path, "--json", "--out", scratch.at("out")]);
      expectRefused(result, code, path, ...fragments);
      expect(scratch.exists("out")).toBe(false);
    },
  );

  it("a file that isn't there: 74", async () => {
    const path = scratch.at("missing.csv");
    expectRefused(await rat([command, path]), 74, `${path}: can't read this: no such file or folder`);
  });

  it("a folder in place of a file: 74", async () => {
    mkdirSync(scratch.at("folder.csv"), { recursive: true });
    const path = scratch.at("folder.csv");
    expectRefused(await rat([command, path]), 74, `${path}: can't read this: it is a folder`);
  });

  it.skipIf(process.getuid?.() === 0)("a file that may not be read: 74 (root may read anything)", async () => {
    const path = scratch.write("secret.csv", "R,A,T\n1,0,1\n");
    chmodSync(path, 0);
    expectRefused(await rat([command, path]), 74, `${path}: can't read this: permission denied`);
  });

  it("a file under a file: 74", async () => {
    const path = `${scratch.write("plain.csv", "R,A,T\n1,0,1\n")}/x.csv`;
    expectRefused(await rat([command, path]), 74, "part of the path is not a folder");
  });

  it("standard input that is empty: 65, under its own name", async () => {
    expectRefused(await rat([command, "-"]), 65, "standard input: no records");
  });

  it("one bad file among good ones: nothing on stdout with --json, and no folder", async () => {
    const both = [caseFile("C7_six_states.csv"), scratch.write("bad.csv", "R,A,T\n7,0,1\n")];
    const base = command === "sweep" ? ["--base", "3", "--add", "1", "--replicates", "2"] : [];
    const result = await rat([command, ...both, ...base, "--json", "--out", scratch.at("out")]);
    expectRefused(result, 65, "bad.csv:2: R is ");
    expect(scratch.exists("out")).toBe(false);
  });
});

it("A7: a file that is only a header has its message and nothing else, no NaN", async () => {
  const path = caseFile("A7_header_only.csv");
  expect(await rat(["fit", path])).toEqual({ code: 65, stdout: "", stderr: `rat: ${path}: no records\n` });
});

it("sweep: too few fully labelled records for the base and the largest addition: 65 with both numbers", async () => {
  const path = scratch.write("few.csv", "R,A,T,n\n1,0,1,300\n0,0,0,299\n1,0,,5000\n");
  const result = await rat(["sweep", path, "--out", scratch.at("out")]);
  expectRefused(
    { ...result, stderr: result.stderr.replace(/^rat: .*lack a label.*\n/, "") },
    65,
    path,
    "599 records hold every label, but --base 100 with the largest --add needs 600",
  );
  expect(result.stderr).toMatch(/5000 records lack a label and are not sampled/);
  expect(scratch.exists("out")).toBe(false);
});

it("messages are one line a problem, end with a line end and name the file as typed", async () => {
  scratch.write("sub/value.csv", "R,A,T\n9,0,1\n");
  const { stderr } = await rat(["fit", "sub/value.csv"], { cwd: scratch.root });
  expect(stderr).toMatch(/^rat: sub\/value\.csv:2: R is "9", not a 0\/1 label\n.*\n$/);
});
