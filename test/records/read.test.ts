import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatOfName, readRows } from "../../src/records/index.js";
import { failure, rowsOf } from "./support.js";

describe("formatOfName", () => {
  it.each([
    ["a.csv", "csv"],
    ["dir.x/A.CSV.gz", "csv"],
    ["a.tsv", "tsv"],
    ["a.jsonl", "jsonl"],
    ["a.ndjson.gz", "jsonl"],
    ["a.json", "json"],
    ["C:\\data\\my file.json", "json"],
    ["-", null],
    ["csv", null],
    ["a.parquet", null],
  ])("%s is %s", (name, format) => expect(formatOfName(name)).toBe(format));
});

describe("CSV", () => {
  it("drops the byte order mark, reads CRLF, and trims names in the header", async () => {
    expect(await rowsOf(["\ufeffid, R ,T\r\nq1,1,0\r\n"])).toEqual([{ line: 2, values: { id: "q1", R: "1", T: "0" } }]);
  });

  it.each([[","], [";"], ["\t"]])("finds the delimiter %j, whatever the cells hold", async (d) => {
    const text = [["id", '"a,b;\tc"', "R"], ["q1", '"1;2,3\t4;5"', "1"], []].map((row) => row.join(d)).join("\n");
    expect(await rowsOf([text])).toEqual([{ line: 2, values: { id: "q1", "a,b;\tc": "1;2,3\t4;5", R: "1" } }]);
  });

  it("counts blank lines and newlines in quoted cells", async () => {
    const text = 'id,note,R\n\n  \nq1,"two\nlines ""quoted""",1\n\nq2,"three\r\n\nlines",0\r\nq3,,1';
    expect((await rowsOf([text])).map(({ line, values }) => [line, values.id, values.R])).toEqual([
      [4, "q1", "1"],
      [7, "q2", "0"],
      [10, "q3", "1"],
    ]);
  });

  it("reads a file of lone carriage returns", async () => {
    expect((await rowsOf(["id,R\rq1,1\rq2,0\r"])).map(({ line }) => line)).toEqual([2, 3]);
  });

  it("keeps quotes inside an unquoted cell", async () => {
    expect((await rowsOf(['note,R\n{"a":""},1\n5" disk,0\n']))[1].values).toEqual({ note: '5" disk', R: "0" });
  });

  it.each([
    ["a short row", "R,A,T\n1,0,1\n1,0\n", 3, /2 cells, the header 3/],
    ["a long row", "R,A,T\n1,0,1,1\n", 2, /4 cells, the header 3/],
    ["a long row after a quoted newline", 'R,A\n"1\n",0\n1,0,1\n', 4, /3 cells/],
    ["a quote never closed", 'R,A\n1,0\n1,"0\n1,0\n', 3, /never closed/],
    ["text after a closing quote", 'R,A\n1,"0" yes\n1,0\n', 2, /after its closing quote/],
    ["a column named twice", "R,A,R\n1,0,1\n", 1, /"R" twice/],
  ])("refuses %s by line", async (_, text, line, message) => {
    const error = await failure(rowsOf([text], "csv"));
    expect(error).toMatchObject({ kind: "data", place: { file: "f", line } });
    expect(error.message).toMatch(message);
  });

  it("gives up on a quote that stays open through a long file", async () => {
    const error = await failure(rowsOf(['R,A\n1,"0\n', ...new Array(300).fill("1,0\n".repeat(1 << 14))], "csv"));
    expect(error.place.line).toBe(2);
    expect(error.message).toMatch(/longer than.*never closed/);
  });

  it("refuses text that isn't UTF-8", async () => {
    expect((await failure(rowsOf(["R\0,\0A\0"]))).message).toMatch(/not UTF-8/);
  });
});

describe("JSON lines", () => {
  it("skips blank lines and counts them", async () => {
    const rows = await rowsOf(['{"R":1}\r\n\n  \n{"R":null}'], "jsonl");
    expect(rows).toEqual([
      { line: 1, values: { R: 1 } },
      { line: 4, values: { R: null } },
    ]);
  });

  it("keeps integers that a double can't hold", async () => {
    const [{ values }] = await rowsOf(['{"n":9007199254740993,"s":"x\\"12345678901234567890","p":0.1234567890123456}']);
    expect(values).toEqual({ n: "9007199254740993", s: 'x"12345678901234567890', p: 0.1234567890123456 });
  });

  it.each([
    ["a torn line", '{"R":1}\n{"R":1,"A"', 2, /not valid JSON/],
    ["a bare value", '{"R":1}\n\n3\n', 3, /3 is not an object/],
    ["an array", "[1]\n", 1, /not an object/],
    ["null", "null\n", 1, /not an object/],
  ])("refuses %s by line", async (_, text, line, message) => {
    const error = await failure(rowsOf([text], "jsonl"));
    expect(error).toMatchObject({ kind: "data", place: { file: "f", line } });
    expect(error.message).toMatch(message);
  });
});

describe("JSON", () => {
  it("tells the line on which each element begins", async () => {
    const rows = await rowsOf(['[\n{"R":1, "s":"],}[{\\""},\n\n{"R":\n0,"x":[{"y":1},2]} , {"R":1}\n]\n'], "json");
    expect(rows).toEqual([
      { line: 2, values: { R: 1, s: '],}[{"' } },
      { line: 4, values: { R: 0, x: [{ y: 1 }, 2] } },
      { line: 5, values: { R: 1 } },
    ]);
  });

  it("reads an empty array as no rows", async () => expect(await rowsOf(["[ \n ]"], "json")).toEqual([]));

  it.each([
    ["an object", '{"records":[]}', 1, /expected an array of objects, found "{"/],
    ["JSON lines", '{"R":1}\n{"R":0}\n', 1, /\.jsonl/],
    ["a file that ends early", '[{"R":1},\n{"R":0}', 2, /not closed/],
    ["a trailing comma", '[{"R":1},\n]', 2, /not valid JSON/],
    ["a comma too many", '[{"R":1},\n,{"R":1}]', 2, /not valid JSON/],
    ["a missing comma", '[{"R":1}\n{"R":1}]', 1, /not valid JSON/],
    ["an element that is no object", '[{"R":1},\n 1]', 2, /1 is not an object/],
    ["brackets that don't match", '[{"R":1}}', 1, /no opening/],
    ["text after the array", '[{"R":1}]\nx', 2, /after the end/],
  ])("refuses %s by line", async (_, text, line, message) => {
    const error = await failure(rowsOf([text], "json"));
    expect(error).toMatchObject({ kind: "data", place: { file: "f", line } });
    expect(error.message).toMatch(message);
  });
});

describe("readRows", () => {
  it("tells the format from the text", async () => {
    expect(await rowsOf(["\ufeff", "\n ", '[{"R":1}]'])).toEqual([{ line: 2, values: { R: 1 } }]);
    expect(await rowsOf(['\n{"R":1}'])).toEqual([{ line: 2, values: { R: 1 } }]);
    expect(await rowsOf(["R\n1"])).toEqual([{ line: 2, values: { R: "1" } }]);
  });

  it("has no rows for an empty or blank text", async () => {
    for (const format of ["csv", "tsv", "jsonl", "json", undefined] as const) {
      expect(await rowsOf([], format)).toEqual([]);
      expect(await rowsOf(["", "\ufeff", " \n"], format)).toEqual([]);
    }
  });

  it("reads as it is asked for rows, and closes the source", async () => {
    let given = 0;
    let isClosed = false;
    function* endless() {
      try {
        for (;;) yield given++ === 0 ? "id,R\n" : "q,1\n".repeat(1 << 15);
      } finally {
        isClosed = true;
      }
    }
    let rows = 0;
    for await (const _ of readRows(endless(), { format: "csv" })) if (++rows === 100_000) break;
    expect(given).toBeLessThan(10);
    expect(isClosed).toBe(true);
  });

  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", ";", "{", "\\", "1"), maxLength: 6 });
  const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 12 });
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it("reads the same rows wherever the text is cut", async () => {
    await fc.assert(
      fc.asyncProperty(table, pieces, async (rows, sizes) => {
        const objects = rows.map(([a, b]) => ({ id: `q${a}`, note: b }));
        const texts = {
          csv: ["id,note", ...objects.map(({ id, note }) => `${quoted(id)},${quoted(note)}`)].join("\n"),
          tsv: ["id\tnote", ...objects.map(({ id, note }) => `${quoted(id)}\t${quoted(note)}`)].join("\r\n"),
          jsonl: objects.map((object) => JSON.stringify(object)).join("\n"),
          json: JSON.stringify(objects, null, 1),
        };
        for (const [format, text] of Object.entries(texts) as [keyof typeof texts, string][]) {
          const expected = await rowsOf([text], format);
          expect(expected.map(({ values }) => values)).toEqual(objects);
          expect(await rowsOf(cut(text, sizes), format)).toEqual(expected);
          const lineOf = (n: number) => text.split("\n")[expected[n].line - 1];
          for (const n of objects.keys()) expect(lineOf(n)).toContain(format === "json" ? "{" : "q");
        }
      }),
    );
  });
});

function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, i = 0; at < text.length; at += sizes[i++ % sizes.length]) {
    chunks.push(text.slice(at, at + sizes[i % sizes.length]));
  }
  return chunks;
}

it.each(["x.constructor", "x.toString", "x.__proto__"])("%s is no format, whatever objects inherit", (name) => {
  expect(formatOfName(name)).toBeNull();
});
