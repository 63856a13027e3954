import { describe, expect, it } from "vitest";
import { auditLatentClasses } from "../../src/audit/latent-class.js";
import { Stream } from "../../src/random/stream.js";
import { drawVotes, panelRates, tableVotes, testStream } from "./latent-class-support.js";

describe("independence", () => {
  const [sensitivity, specificity] = [
    [0.85, 0.8, 0.8, 0.75, 0.8],
    [0.8, 0.85, 0.75, 0.8, 0.8],
  ];
  const quick = { errors: "none", randomStarts: 0 } as const;

  it("of independent judges 1 in 20 fails at a false-alarm rate of 1 in 20", () => {
    let failures = 0;
    for (let seed = 0; seed < 60; seed++) {
      const { table } = drawVotes(new Stream(seed, 2, 1), 300, 0.5, sensitivity, specificity);
      const { independence } = auditLatentClasses(tableVotes(table), { ...quick, checkReplicates: 19, seed });
      failures += Number((independence?.p ?? 0) <= 0.05);
    }
    // P(Binomial(60, 0.05) > 11) is below 1 in 10,000.
    expect(failures).toBeLessThanOrEqual(11);
  });

  it.each([0.3, 0.5, 0.9])("fails where two judges share their errors in %f of the items", (share) => {
    const stream = new Stream(11, 3, 1);
    const { table } = drawVotes(stream, 1500, 0.5, sensitivity, specificity);
    for (const row of table) if (stream.uniform() < share) row[1] = row[0];
    const report = auditLatentClasses(tableVotes(table), quick);
    expect(report.independence?.fails).toBe(true);
    expect(report.warnings.join()).toContain("aren't independent");
  });

  it("names judges that never disagree", () => {
    const { table } = drawVotes(new Stream(12, 3, 1), 400, 0.5, sensitivity, specificity);
    for (const row of table) row[4] = row[3];
    const { degenerate } = auditLatentClasses(tableVotes(table), quick);
    expect(degenerate).toMatchObject([{ judge: "4", kind: "identical", detail: expect.stringContaining("as 3 does") }]);
  });

  it("of three judges with two classes can't be checked, said so", () => {
    const { table } = drawVotes(new Stream(13, 3, 1), 100, 0.5, [0.8, 0.8, 0.8], [0.8, 0.8, 0.8]);
    const report = auditLatentClasses(tableVotes(table), quick);
    expect(report.independence).toBeNull();
    expect(report.independenceNote).toContain("can't be checked");
  });
});

/** A panel of judges with rates from 0.7 to 0.95. @param spoil changes the votes of an item */
function panel(seed: number, id: number, judges: number, spoil?: (row: number[], stream: Stream) => void) {
  const stream = testStream(seed, id);
  const items = 100 + stream.integerBelow(300);
  const prevalence = 0.3 + 0.4 * stream.uniform();
  const [sensitivity, specificity] = [0, 1].map(() => panelRates(stream, judges));
  const { table } = drawVotes(stream, items, prevalence, sensitivity, specificity);
  for (const row of table) spoil?.(row, stream);
  return auditLatentClasses(tableVotes(table), { errors: "none", randomStarts: 0, checkReplicates: 1, seed });
}

/** Panels, of so many, in which the alarm names these judges. */
function flagged(
  panels: number,
  id: number,
  defect: string,
  subject: string,
  spoil: Parameters<typeof panel>[3],
): number {
  let count = 0;
  for (let seed = 0; seed < panels; seed++) {
    const { alarms } = panel(seed, id, 5, spoil);
    count += Number(alarms.some((alarm) => alarm.defect === defect && alarm.subject === subject));
  }
  return count;
}

describe("alarms", () => {
  it("of 300 clean panels about 3 are accused at most", () => {
    let accused = 0;
    for (let seed = 0; seed < 300; seed++) accused += Number(panel(seed, 30, 5).alarms.length > 0);
    // P(Binomial(300, 0.01) > 11) is below 1 in 10,000.
    expect(accused).toBeLessThanOrEqual(11);
  });

  // Over 300 panels 0.99 and 0.93 of them; too few by 4 standard errors of 60, but for 1 in 30,000.
  it.each([
    ["copy", 1, 55],
    ["shared errors", 0.8, 48],
  ] as const)("%s: the pair is named where one repeats %f of the other's votes", (defect, share, least) => {
    const spoil = (row: number[], stream: Stream): void => {
      if (stream.uniform() < share) row[3] = row[1];
    };
    expect(flagged(60, 31, defect, "1 and 3", spoil)).toBeGreaterThanOrEqual(least);
  });

  it("one label: the judge is named in every panel", () => {
    const spoil = (row: number[]): void => {
      row[2] = 1;
    };
    expect(flagged(40, 32, "one label", "2", spoil)).toBe(40);
  });

  it("three that are all alike are named together", () => {
    const { alarms, warnings } = panel(1, 33, 6, (row) => {
      row[2] = row[0];
      row[5] = row[0];
    });
    expect(alarms).toMatchObject([{ defect: "copy", subject: "0, 2 and 5" }]);
    expect(warnings.join()).not.toContain("identical");
  });

  it("with three classes, too", () => {
    const stream = testStream(1, 34);
    const table = Array.from({ length: 300 }, () => {
      const truth = stream.integerBelow(3);
      const row = [0.8, 0.75, 0.8, 0.7, 0.75, 0.8].map((right) =>
        stream.uniform() < right ? truth : stream.integerBelow(3),
      );
      return [...row.slice(0, 4), stream.uniform() < 0.8 ? row[0] : row[4], 2];
    });
    const { alarms } = auditLatentClasses(tableVotes(table, 3), { errors: "none", checkReplicates: 1 });
    expect(alarms.map(({ defect, subject }) => [defect, subject])).toEqual([
      ["one label", "5"],
      ["shared errors", "0 and 4"],
    ]);
  });

  it("with clusters pairs aren't tested, one label is", () => {
    const { table } = drawVotes(testStream(1, 35), 400, 0.5, [0.8, 0.8, 0.8, 0.8, 0.8], [0.8, 0.8, 0.8, 0.8, 0.8]);
    for (const row of table) [row[1], row[2]] = [row[0], 0];
    const clusters = { of: Int32Array.from(table, (_, i) => Math.floor(i / 4)), count: 100 };
    const report = auditLatentClasses(tableVotes(table), { clusters });
    expect(report.alarms.map(({ defect }) => defect)).toEqual(["one label"]);
    expect(report.independence).toBeNull();
    expect(report.independenceNote).toContain("items for independent");
  });
});
