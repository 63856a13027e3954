import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clustersOf } from "../../src/audit/cluster.js";
import { bestAssignment } from "../../src/audit/latent-class/starts.js";
import { auditLatentClasses, type LatentClassOptions } from "../../src/audit/latent-class.js";
import { tableVotes, unsmoothed } from "./latent-class-support.js";

const tableArbitrary = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 2, max: 3 }))
  .chain(([judges, classes]) =>
    fc.record({
      classes: fc.constant(classes),
      table: fc.array(fc.array(fc.integer({ min: -1, max: classes - 1 }), { minLength: judges, maxLength: judges }), {
        minLength: 1,
        maxLength: 25,
      }),
    }),
  )
  .filter(({ table }) => table.flat().some((l) => l >= 0));

/** Whether numbers ascend, but for rounding. */
const between = (...values: number[]): boolean => values.every((value, k) => k === 0 || value >= values[k - 1] - 1e-9);

/** Every number that a report holds. */
function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

describe("for any votes", () => {
  const options = { checkReplicates: 3, randomStarts: 2, iterations: 300 } as const;

  it("every number is finite, and probabilities are", () => {
    fc.assert(
      fc.property(
        tableArbitrary,
        fc.constantFrom(0, 0.5),
        fc.constantFrom("information", "bootstrap"),
        fc.boolean(),
        ({ table, classes }, confusion, errors, clustered) => {
          const own: LatentClassOptions = {
            ...options,
            smoothing: { confusion },
            errors: errors as "bootstrap",
            replicates: 5,
          };
          const report = auditLatentClasses(tableVotes(table, classes), {
            ...own,
            gold: table.map((_, i) => i % classes),
            clusters: clustered ? clustersOf(table.map((_, i) => i % 7)) : null,
          });
          expect(numbersOf(report).filter((value) => !Number.isFinite(value))).toEqual([]);
          for (let i = 0; i < table.length; i++) {
            const sum = report.posterior.subarray(i * classes, (i + 1) * classes).reduce((a, b) => a + b, 0);
            expect(sum).toBeCloseTo(1, 12);
          }
          for (const { confusion: rows, lower, upper } of report.judges) {
            for (const [c, row] of rows.entries()) {
              expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
              row.forEach((rate, l) => {
                expect(between(0, lower[c][l] ?? 0, rate, upper[c][l] ?? 1, 1)).toBe(true);
              });
            }
          }
          for (const { informedness } of report.judges) {
            const { value, lower, upper } = informedness;
            expect(between(-1, lower ?? -1, value ?? 0, upper ?? 1, 1)).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("neither the order of votes nor that of items matters", () => {
    fc.assert(
      fc.property(tableArbitrary, ({ table, classes }) => {
        const forward = tableVotes(table, classes);
        const backward = tableVotes(table.toReversed(), classes);
        const shuffled = {
          ...backward,
          item: [...(backward.item as number[])].reverse(),
          judge: [...(backward.judge as number[])].reverse(),
          label: [...(backward.label as number[])].reverse(),
        };
        const few = { ...unsmoothed, smoothing: { confusion: 0.5 }, iterations: 100 };
        const [a, b] = [forward, shuffled].map((votes) => auditLatentClasses(votes, few));
        table.forEach((_, i) => {
          for (let c = 0; c < classes; c++) {
            expect(b.posterior[(table.length - 1 - i) * classes + c]).toBeCloseTo(a.posterior[i * classes + c], 8);
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  it("the assignment is the best of all", () => {
    const permutations = (n: number): number[][] =>
      n === 0
        ? [[]]
        : permutations(n - 1).flatMap((p) => Array.from({ length: n }, (_, at) => p.toSpliced(at, 0, n - 1)));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((n) =>
          fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: n, maxLength: n }), {
            minLength: n,
            maxLength: n,
          }),
        ),
        (gain) => {
          const worth = (columns: number[]): number => columns.reduce((sum, column, row) => sum + gain[row][column], 0);
          const found = bestAssignment(gain);
          expect(found.toSorted()).toEqual(gain.map((_, k) => k));
          expect(worth(found)).toBe(Math.max(...permutations(gain.length).map(worth)));
        },
      ),
    );
  });
});
