import { describe, expect, it } from "vitest";
import { countRecords } from "../../src/records/index.js";
import { base, caseText, countCase, countOf, failure, judge, rowsOf, shown } from "./support.js";

/** The inputs of test/data/cases; each test's name begins with the case's. */
describe("input", () => {
  it("A1: finds the columns after a byte order mark, with CRLF", async () => {
    const counted = await countCase("A1_bom_crlf.csv");
    expect(shown(counted)).toEqual({ R1A0T1: 2, R1A0T0: 1, R0A1T0: 1 });
    expect(counted).toMatchObject({ records: 4, observed: { R: 4, A: 4, T: 4 }, ignoredColumns: [], notices: [] });
  });

  it("A3: keeps bare quotes in a cell", async () => {
    const rows = await rowsOf([await caseText("A3_bare_quotes.csv")]);
    expect(rows.map(({ values }) => values.note)).toEqual(["plain", '{"answer":""}', "plain"]);
    expect(shown(await countCase("A3_bare_quotes.csv"))).toEqual({ R1A0T1: 1, R1A0T0: 1, R0A0T0: 1 });
  });

  it("A5: skips blank lines, and counts them in line numbers", async () => {
    expect(shown(await countCase("A5_blank_lines.jsonl"))).toEqual({ R1A0T1: 1, R0A1T0: 1, R1A0T0: 1 });
    const rows = await rowsOf([await caseText("A5_blank_lines.jsonl")]);
    expect(rows.map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it("A7: refuses a file that is only a header", async () => {
    const error = await failure(countCase("A7_header_only.csv"));
    expect(error.describe()).toBe("A7_header_only.csv: no records");
    expect(error.exitCode).toBe(65);
  });

  it("A9: finds the semicolon; a decimal comma stays as it is", async () => {
    const counted = await countCase("A9_semicolon_decimal_comma.csv", judge);
    expect(counted).toMatchObject({ records: 3, observed: { T: 3, T_J: 3, R: 0 }, ignoredColumns: ["conf"] });
    const rows = await rowsOf([await caseText("A9_semicolon_decimal_comma.csv")]);
    expect(rows.map(({ values }) => values.conf)).toEqual(["0,82", "0,35", "0,97"]);
    const error = await failure(countCase("A9_semicolon_decimal_comma.csv", judge, { map: { R_J: "conf" } }));
    expect(error.message).toMatch(/^3 cells .*line 2: conf is "0,82", not a 0\/1 label/s);
  });

  it("A11: carries text with delimiters through untouched", async () => {
    const rows = await rowsOf([await caseText("A11_roundtrip.csv")]);
    expect(rows.map(({ values }) => values.input)).toEqual(["a|b", "a;b", "a,b"]);
    const counted = await countCase("A11_roundtrip.csv", judge);
    expect(counted.observed).toEqual({ R: 3, A: 3, T: 2, R_J: 3, T_J: 2 });
    expect(counted.implied).toEqual({ R: 0, A: 0, T: 0, R_J: 0, T_J: 0 });
    expect(counted.missing).toMatchObject({ T: 1, T_J: 1 });
    expect(counted.ignoredColumns).toEqual(["input", "retrieval_context"]);
  });

  it("A13: reads the last column of a CRLF file, and a last line without an end", async () => {
    expect(shown(await countCase("A13_crlf_last_column.tsv"))).toEqual({ R1A0T1: 2, R0A0T0: 1 });
  });

  it("A15: takes the union of the records' fields", async () => {
    const counted = await countCase("A15_first_record_short.jsonl", judge);
    expect(counted).toMatchObject({ records: 4, observed: { T: 3, T_J: 1 }, missing: { T: 1, T_J: 3 } });
    expect(countOf(counted, judge, 1, 0, -1, -1, -1)).toBe(1);
    expect(counted.ignoredColumns).toEqual(["note"]);
  });
});

describe("labels", () => {
  it("B1: reads verdicts, and refuses sentences with their lines", async () => {
    const error = await failure(countCase("B1_verbose_verdicts.csv", judge));
    expect(error).toMatchObject({ kind: "data", place: { file: "B1_verbose_verdicts.csv", line: 6, field: "T_J" } });
    const lines = error.message.split("\n");
    expect(lines[0]).toBe("3 cells can't be read:");
    expect(lines.slice(1, 4).map((line) => /line (\d+): T_J is "/.exec(line)?.[1])).toEqual(["6", "7", "9"]);

    const text = (await caseText("B1_verbose_verdicts.csv")).split("\n");
    const readable = text.filter((_, i) => ![5, 6, 8].includes(i)).join("\n");
    const rows = await rowsOf([readable]);
    expect(rows).toHaveLength(6);
    expect(shown(await countRecords(rows, judge), judge)).toEqual({
      "R.A0T1R_J.T_J1": 3,
      "R.A.T0R_J.T_J1": 1,
      "R.A.T0R_J.T_J0": 2,
    });
  });

  it("B3: reads booleans as text", async () => {
    expect(shown(await countCase("B3_bool_strings.csv"))).toEqual({ R1A0T1: 4, R0A0T0: 4 });
  });

  it("B5: takes T as implied where A = 1", async () => {
    const counted = await countCase("B5_missing_when_abstaining.csv");
    expect(shown(counted)).toEqual({ R1A0T1: 2, R1A0T0: 1, R0A1T0: 2, R1A1T0: 1, R0A0T0: 1, "R0A0T.": 1 });
    expect(counted).toMatchObject({ observed: { A: 8, T: 4 }, implied: { A: 0, T: 3 }, missing: { A: 0, T: 1 } });
  });

  it("B7: counts each system apart, with what is missing", async () => {
    const counted = await countCase("B7_dropped_rows.csv", base, { by: "system" });
    const groups = counted.groups ?? new Map();
    expect([...groups.keys()]).toEqual(["A", "B"]);
    expect(groups.get("A")).toMatchObject({ records: 2, observed: { T: 2 }, missing: { T: 0 } });
    expect(groups.get("B")).toMatchObject({ records: 2, observed: { T: 1 }, missing: { T: 1 } });
    expect(shown(groups.get("B"))).toEqual({ R1A0T1: 1, "R1A0T.": 1 });
    expect(counted.records).toBe(4);
    expect(counted.ignoredColumns).toEqual([]);
  });

  it("B9: refuses a score from 0 to 10", async () => {
    const error = await failure(countCase("B9_scale_0_10.csv", judge));
    expect(error.message).toMatch(/line 2: T_J is "10.0", not a 0\/1 label/);
    expect(error.message).toMatch(/another scale has to be cut at a threshold/);
  });

  it("B11: refuses what is not within 1e-9 of 0 or 1", async () => {
    const error = await failure(countCase("B11_just_below.csv", base, { map: { R: "context_precision" } }));
    expect(error.message).toMatch(/^2 cells/);
    expect(error.message).toMatch(/line 2: context_precision is "0.49999999995"/);
    expect(error.message).toMatch(/line 4: context_precision is "0.3333333333"/);
  });

  it("B13: takes no number out of a sentence", async () => {
    const error = await failure(countCase("B13_number_in_prose.csv", judge));
    expect(error.message).toMatch(/^4 cells can't be read/);
    for (const line of [2, 3, 4, 5]) expect(error.message).toContain(`line ${line}: T_J is `);
  });

  it("B15: counts without a column T", async () => {
    const counted = await countCase("B15_no_T_column.csv");
    expect(shown(counted)).toEqual({ "R1A0T.": 3, R0A1T0: 1, "R0A0T.": 1 });
    expect(counted).toMatchObject({ observed: { T: 0 }, implied: { T: 1 }, missing: { T: 4 } });
    expect(counted.notices).toEqual(["not observed, as there is no such column: T"]);
  });

  it("B17: reads [[Yes]] and [[No]]", async () => {
    const counted = await countCase("B17_bracket_labels.tsv", judge);
    expect(shown(counted, judge)).toEqual({
      R1A0T1R_J1T_J1: 1,
      "R1A.T0R_J1T_J0": 1,
      "R0A.T0R_J0T_J0": 2,
    });
    expect(counted.implied.A).toBe(1);
  });
});

describe("counts", () => {
  it("C1, C3, M3: count whole files", async () => {
    expect(shown(await countCase("C1_nothing_abstains.csv"))).toEqual({ R1A0T1: 4, R1A0T0: 2, R0A0T0: 5, R0A0T1: 1 });
    expect(await countCase("C3_perfect_judge.csv", judge)).toMatchObject({ records: 20, missing: { R_J: 0, T_J: 0 } });
    expect((await countCase("M3_export.csv")).records).toBe(5);
  });

  it("C5: is exact above 2^24", async () => {
    const counted = await countCase("C5_above_2_24.csv");
    expect(counted.records).toBe(33554435);
    expect(shown(counted)).toEqual({ R1A0T1: 16777217, R0A1T0: 16777216, R0A0T0: 2 });
  });

  it("C7: tells the six states apart", async () => {
    expect(Object.values(shown(await countCase("C7_six_states.csv")))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("C10: reads aggregated records", async () => {
    expect(shown(await countCase("C10_n38_of_38.csv"))).toEqual({ R1A0T1: 38 });
  });

  it("K5: counts what is missing anywhere", async () => {
    const counted = await countCase("K5_missing_on_gpu.csv");
    expect(counted).toMatchObject({ records: 8, observed: { R: 5, A: 6, T: 5 }, implied: { T: 1 } });
    // q8 has no label at all and still is a record.
    expect(countOf(counted, base, -1, -1, -1)).toBe(1);
    expect(counted.counts.reduce((a, b) => a + b)).toBe(8);
  });

  it("M1: counts of two files are each their own", async () => {
    expect(shown(await countCase("M1_two_a.csv"))).toEqual({ R1A0T1: 2, R1A0T0: 1, R0A1T0: 1 });
    expect(shown(await countCase("M1b_two_b.csv"))).toEqual({ R1A0T1: 1, R0A0T0: 1, R0A1T0: 2 });
  });
});
