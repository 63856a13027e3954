import { readFileSync } from "node:fs";
import type { Fit, FitQuantity, Source } from "../../dist/index.js";
import { compileNetwork, countRecords, formatOfName, rat, readRows } from "../../dist/index.js";

const folder = new URL("../data/cases/", import.meta.url);

/** A file of test/data/cases as the command line reads it. A missing file throws. */
export function caseSource(name: string): Source {
  const text = readFileSync(new URL(name, folder), "utf8");
  return { name, rows: readRows([text], { format: formatOfName(name) ?? undefined, file: name }) };
}

export const quantity = (fit: Fit, name: string): FitQuantity => {
  const found = fit.quantities.find((q) => q.name === name);
  if (found === undefined)
    throw new Error(`no quantity ${name}; there are ${fit.quantities.map((q) => q.name).join(", ")}`);
  return found;
};

/** A document without how long it took. */
export const timeless = (document: { fits: readonly Fit[] }): unknown =>
  document.fits.map((fit) => ({ ...fit, diagnostics: { ...fit.diagnostics, seconds: 0, totalSeconds: 0 } }));

/** Every number of a document with its path; throws for one that isn't finite. */
export function numbersIn(value: unknown, path = "$"): [string, number][] {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error(`${path} is ${value}`);
    return [[path, value]];
  }
  if (value === undefined) throw new Error(`${path} is undefined`);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => numbersIn(member, `${path}.${key}`));
}

export const base = compileNetwork(rat);

/**
 * Posterior means of the base network with uniform priors by enumeration: every record that leaves labels open is each of
 * its possible cells in turn, weighted by the marginal likelihood, a product of Beta functions. Slow, and nothing of the
 * package's but the counts of the patterns.
 */
export async function exactMeans(source: Source): Promise<Record<string, number>> {
  if (!("rows" in source)) throw new Error("rows only");
  const { counts } = await countRecords(source.rows, base);
  const open: number[][] = [];
  const known = new Array<number>(6).fill(0);
  base.patterns.forEach(({ cells }, m) => {
    if (cells.length === 6) return; // says nothing
    if (cells.length === 1) known[cells[0]] += counts[m];
    else for (let i = 0; i < counts[m]; i++) open.push([...cells]);
  });
  const names = base.cells.map(({ levels }) => levels.join(""));
  const n = (tally: number[], ...labels: string[]): number =>
    labels.reduce((sum, l) => sum + tally[names.indexOf(l)], 0);
  let total = 0;
  const sums: Record<string, number> = {};
  const visit = (tally: number[], at: number): void => {
    if (at < open.length) {
      for (const cell of open[at]) {
        tally[cell]++;
        visit(tally, at + 1);
        tally[cell]--;
      }
      return;
    }
    const rows = {
      theta_R: [n(tally, "100", "101", "110"), n(tally, "000", "001", "010")],
      "theta_A-": [n(tally, "010"), n(tally, "000", "001")],
      "theta_A+": [n(tally, "110"), n(tally, "100", "101")],
      "theta_T-": [n(tally, "001"), n(tally, "000")],
      "theta_T+": [n(tally, "101"), n(tally, "100")],
    };
    // A single way needs no weight, which would underflow for many records.
    const logWeight =
      open.length === 0 ? 0 : Object.values(rows).reduce((sum, [a, b]) => sum + logBeta(a + 1, b + 1), 0);
    const weight = Math.exp(logWeight);
    const mean = Object.fromEntries(Object.entries(rows).map(([row, [a, b]]) => [row, (a + 1) / (a + b + 2)]));
    const [r, a0, a1, t0, t1] = Object.values(mean);
    const values = {
      ...mean,
      "P(R=1)": r,
      "P(A=1)": (1 - r) * a0 + r * a1,
      "P(T=1)": (1 - r) * (1 - a0) * t0 + r * (1 - a1) * t1,
      "P(G=1)": (1 - r) * a0 + r * (1 - a1) * t1,
    };
    total += weight;
    for (const [name, value] of Object.entries(values)) sums[name] = (sums[name] ?? 0) + weight * value;
  };
  visit(known, 0);
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / total]));
}

/** ln of (a - 1)! (b - 1)! / (a + b - 1)! */
const logBeta = (a: number, b: number): number => logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

function logFactorial(n: number): number {
  let sum = 0;
  for (let i = 2; i <= n; i++) sum += Math.log(i);
  return sum;
}
