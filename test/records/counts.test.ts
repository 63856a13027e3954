import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileNetwork } from "../../src/network/index.js";
import { countRecords, type RecordFormat } from "../../src/records/index.js";
import { base, countOf, countText, failure, judge, shown } from "./support.js";

describe("bad input", () => {
  it.each<[string, RecordFormat]>([
    ["", "csv"],
    ["\ufeff\n\n", "csv"],
    ["R,A,T\n", "csv"],
    ["x,y\n", "tsv"],
    ["\n", "jsonl"],
    ["[]", "json"],
  ])("%j has no records", async (text, format) => {
    expect((await failure(countText(text, format))).describe()).toBe(`file.${format}: no records`);
  });

  it("says which columns there are if none is a variable", async () => {
    const error = await failure(countText("question,score\na,1\n"));
    expect(error.exitCode).toBe(65);
    expect(error.message).toBe(
      'no column is a variable of network rat (R, A, T); the columns are "question", "score". Map them with --map, e.g. R=COLUMN',
    );
    expect((await failure(countText("{}\n", "jsonl"))).message).toMatch(/the columns are none/);
  });

  it("names file, line, field and value of a bad label", async () => {
    const error = await failure(countText("R,A,T\n1,0,1\n1,0,2\n"));
    expect(error.place).toEqual({ file: "file.csv", line: 3, field: "T", value: '"2"' });
    expect(error.describe()).toMatch(/^file\.csv:3: T is "2", not a 0\/1 label\n/);
  });

  it("shows five bad cells and counts the others", async () => {
    const rows = Array.from({ length: 9 }, (_, i) => ({ R: 1, A: i === 8 ? 0 : "bad", T: 7, n: -1 }));
    const error = await failure(countText(rows.map((row) => JSON.stringify(row)).join("\n"), "jsonl"));
    const lines = error.message.split("\n");
    expect(lines[0]).toBe("26 cells can't be read:");
    expect(lines.slice(1, 4)).toEqual([
      '  line 1: A is "bad", not a 0/1 label',
      "  line 1: T is 7, not a 0/1 label",
      "  line 1: n is -1, not a whole number from 0 to 2^53",
    ]);
    expect(lines[6]).toBe("  and 21 more");
  });

  it.each([["-1"], ["1.5"], ["many"], [""], ["9007199254740993"]])("refuses n = %j by line", async (n) => {
    const error = await failure(countText(`R,n\n1,2\n1,${n}\n`));
    expect(error.place).toMatchObject({ line: 3, field: "n" });
    expect(error.message).toBe(`n is "${n}", not a whole number from 0 to 2^53`);
  });

  it("refuses 2^53 + 1 in JSON, though JSON numbers round to 2^53", async () => {
    expect((await failure(countText('{"R":1,"n":9007199254740993}', "jsonl"))).place).toMatchObject({ field: "n" });
    expect((await countText('[{"R":1,"n":9007199254740992}]', "json")).records).toBe(2 ** 53);
  });

  it("refuses more than 2^53 records in all", async () => {
    const error = await failure(countText("R,n\n1,9007199254740991\n0,1\n0,1\n"));
    expect(error.describe()).toBe("file.csv:4: there are more than 2^53 records up to here");
  });

  it("refuses a file without a single label", async () => {
    const error = await failure(countText("id,R,T\nq1,,\nq2,NA,null\n"));
    expect(error.describe()).toBe("file.csv: no labels: R, A, T are blank in all records");
  });

  it("refuses a file whose every n is 0", async () => {
    expect((await failure(countText("R,n\n1,0\n"))).message).toBe("no records: n is 0 in every row");
  });

  it("passes on what the reader refuses", async () => {
    expect((await failure(countText("R,A,T\n1,0,1\n1,0\n"))).place).toMatchObject({ file: "file.csv", line: 3 });
  });
});

describe("columns", () => {
  it("are found in any case, judges also without the underscore", async () => {
    const counted = await countText("ID,r,a,t,rj,Tj,N\nq,1,0,1,1,0,3\n", "csv", { network: judge });
    expect(shown(counted, judge)).toEqual({ R1A0T1R_J1T_J0: 3 });
    expect(counted.notices).toEqual([]);
  });

  it("are ignored with a notice if they are nothing else", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `c${i}`);
    const counted = await countText(`R,,${names.join()}\n1,,${names.join()}\n`);
    expect(counted.ignoredColumns).toEqual(names);
    expect(counted.notices[0]).toBe("ignored columns: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 2 more");
  });

  it("can be mapped, also crosswise", async () => {
    const counted = await countText("T,R,w\n1,0,5\n", "csv", { map: { R: "T", t: "R", n: "w" } });
    expect(countOf(counted, base, 1, -1, 0)).toBe(5);
  });

  it("of a variable's name are ignored if the map names another", async () => {
    const counted = await countText("R,gold\n0,1\n", "csv", { map: { R: "gold" } });
    expect(countOf(counted, base, 1, -1, -1)).toBe(1);
    expect(counted.ignoredColumns).toEqual(["R"]);
  });

  it("named by the map have to exist", async () => {
    const error = await failure(countText("id,R,A\nq,1,0\n", "csv", { map: { T: "correct" } }));
    expect(error.exitCode).toBe(64);
    expect(error.message).toBe('file.csv: no column "correct" to map to T; the columns are "id", "R", "A"');
    const sparse = '{"R":1}\n{"R":1,"correct":1}';
    expect((await countText(sparse, "jsonl", { map: { T: "correct" } })).observed.T).toBe(1);
  });

  it("are mapped to variables, each once", async () => {
    const unknown = await failure(countText("R\n1\n", "csv", { map: { Q: "R" } }));
    expect(unknown.exitCode).toBe(64);
    expect(unknown.message).toBe('no variable "Q" to map a column to; there are R, A, T, n and id');
    const twice = await failure(countText("x\n1\n", "csv", { map: { R: "x", T: "x" } }));
    expect(twice.message).toBe('column "x" is mapped to two variables');
  });

  it("must not be one variable twice", async () => {
    const error = await failure(countText("R,A,r\n1,0,1\n"));
    expect(error).toMatchObject({ exitCode: 65, place: { file: "file.csv" } });
    expect(error.message).toBe('columns "R" and "r" are both R; choose with --map R=COLUMN');
    expect((await failure(countText("R,n,N\n1,2,2\n"))).message).toMatch(/both n/);
    const mapped = await countText("R,A,r\n1,0,1\n", "csv", { map: { R: "r" } });
    expect(mapped.observed.R).toBe(1);
  });

  it("may have a variable's name instead of n's", async () => {
    const network = compileNetwork({
      name: "coin",
      variables: [{ name: "n", levels: ["no", "maybe", "yes"], rows: [{ name: "p" }] }],
      quantities: [],
    });
    const counted = await countText("n\nmaybe\nNO\n", "csv", { network });
    expect([...counted.counts].sort()).toEqual([0, 0, 1, 1]);
    const error = await failure(countText("n\n1\n", "csv", { network }));
    expect(error.message).toBe('n is "1", not one of no, maybe, yes');
  });
});

describe("contradictions", () => {
  const rows = Array.from({ length: 7 }, (_, i) => `1,1,1,${i + 1}`);
  const text = ["R,A,T,n", "1,0,1,10", ...rows, "0,1,1,0"].join("\n");

  it("are refused with their number and rows", async () => {
    const error = await failure(countText(text));
    expect(error.place).toEqual({ file: "file.csv", line: 3 });
    expect(error.message).toBe(
      "28 records have A = 1 with T = 1, which the model rules out: lines 3, 4, 5, 6, 7 and 2 more; " +
        "correct the labels, or choose what to do with --abstained-success drop or as-failure",
    );
  });

  it("are dropped on request, and counted", async () => {
    const counted = await countText(text, "csv", { contradictions: "drop" });
    expect(counted).toMatchObject({ records: 10, contradictions: 28, observed: { T: 10 } });
    expect(counted.notices).toEqual(["28 records have A = 1 with T = 1, which the model rules out: dropped"]);
  });

  it("are failures on request: T is taken as implied", async () => {
    const counted = await countText(text, "csv", { contradictions: "as-failure" });
    expect(shown(counted)).toEqual({ R1A0T1: 10, R1A1T0: 28 });
    expect(counted).toMatchObject({ records: 38, contradictions: 28, observed: { T: 10 }, implied: { T: 28 } });
    expect(counted.notices).toEqual(["28 records have A = 1 with T = 1, which the model rules out: T read as 0"]);
  });

  it("keep the judge's labels", async () => {
    const options = { network: judge, contradictions: "as-failure" } as const;
    const counted = await countText("R,A,T,R_J,T_J\n0,1,1,0,1\n", "csv", options);
    expect(shown(counted, judge)).toEqual({ R0A1T0R_J0T_J1: 1 });
  });

  it("leave nothing if all records are dropped", async () => {
    const error = await failure(countText("A,T\n1,1\n", "csv", { contradictions: "drop" }));
    expect(error.message).toBe("no records left: all 1 contradict the model");
  });

  it("need not be about A and T", async () => {
    const network = compileNetwork({
      name: "chain",
      variables: [
        { name: "X", levels: ["a", "b"], rows: [{ name: "x" }] },
        {
          name: "Y",
          levels: ["p", "q", "r"],
          parents: ["X"],
          rows: [
            { name: "y", when: [{ X: "a" }] },
            { name: "fixed", when: [{ X: "b" }], always: "q" },
          ],
        },
      ],
      quantities: [],
    });
    const counted = await countText("X,Y\nb,\n,r\n,q\nb,r\n", "csv", { network, contradictions: "as-failure" });
    expect(counted.implied).toEqual({ X: 1, Y: 2 });
    expect(counted.notices).toEqual(["1 record has X = b with Y = r, which the model rules out: Y read as q"]);
  });
});

describe("groups", () => {
  it("are counted in order of appearance, in one pass", async () => {
    const text = "system,R,n\nb,1,2\na,0,1\n ,1,4\nb,0,1\nc,1,0\n";
    const { groups, records, counts } = await countText(text, "csv", { by: "system" });
    expect([...(groups ?? [])].map(([name, group]) => [name, group.records])).toEqual([
      ["b", 3],
      ["a", 1],
      ["(blank)", 4],
    ]);
    expect(records).toBe(8);
    const sum = new Float64Array(base.patterns.length);
    for (const group of groups?.values() ?? [])
      group.counts.forEach((n, p) => {
        sum[p] += n;
      });
    expect(sum).toEqual(counts);
  });

  it("may be the values of a variable or of any JSON value", async () => {
    const text = '{"R":1,"A":true}\n{"R":0}\n{"R":1,"A":"yes"}';
    expect([...((await countText(text, "jsonl", { by: "A" })).groups?.keys() ?? [])]).toEqual([
      "true",
      "(blank)",
      "yes",
    ]);
  });

  it("need their column", async () => {
    const error = await failure(countText("R\n1\n", "csv", { by: "system" }));
    expect(error.exitCode).toBe(64);
    expect(error.message).toBe('file.csv: no column "system" to group by; the columns are "R"');
  });

  it("are null without a column", async () => expect((await countText("R\n1\n")).groups).toBeNull());
});

describe("any records", () => {
  const label = fc.constantFrom(0, 1, null);
  const record = fc
    .record({ R: label, A: label, T: label, n: fc.integer({ min: 0, max: 3 }) })
    .filter(({ A, T }) => !(A === 1 && T === 1));
  const records = fc
    .array(record, { minLength: 1, maxLength: 40 })
    .map((rows) => [...rows, { R: 1, A: 0, T: 1, n: 1 }]);
  type Row = { R: unknown; A: unknown; T: unknown; n: number };
  const csv = (rows: readonly Row[]) =>
    ["R,A,T,n", ...rows.map(({ R, A, T, n }) => `${R ?? ""},${A ?? ""},${T ?? "NA"},${n}`)].join("\n");

  it("count the same as CSV and as JSON lines", async () => {
    await fc.assert(
      fc.asyncProperty(records, async (rows) => {
        const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
        expect(await countText(jsonl, "jsonl", { file: "f" })).toEqual(
          await countText(csv(rows), "csv", { file: "f" }),
        );
      }),
    );
  });

  it("count the same in any order, and one by one", async () => {
    const shuffled = records.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([rows, other]) => {
        const expected = await countText(csv(rows));
        expect(await countText(csv(other))).toEqual(expected);
        const single = rows.flatMap((row) => new Array<Row>(row.n).fill({ ...row, n: 1 }));
        expect(await countText(csv(single))).toEqual(expected);
      }),
    );
  });

  it("are all accounted for", async () => {
    await fc.assert(
      fc.asyncProperty(records, async (rows) => {
        const counted = await countText(csv(rows));
        const total = rows.reduce((sum, { n }) => sum + n, 0);
        expect(counted.counts.reduce((a, b) => a + b)).toBe(total);
        for (const name of ["R", "A", "T"]) {
          expect(counted.observed[name] + counted.implied[name] + counted.missing[name]).toBe(total);
        }
      }),
    );
  });

  it("may be given as plain rows", async () => {
    const counted = await countRecords([{ line: 1, values: { R: 1, A: "no" } }], base);
    expect(shown(counted)).toEqual({ "R1A0T.": 1 });
  });
});
