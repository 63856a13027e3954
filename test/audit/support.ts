import { readFileSync } from "node:fs";
import { Stream } from "../../src/random/stream.js";
import { Variates } from "../../src/random/variates.js";

export const dataFile = (name: string): string => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

/** Outputs of R, scikit-learn, statsmodels and simulations, versions within. */
export const auditReference = JSON.parse(dataFile("audit-reference.json"));

/** The lines of a small CSV file as cells; the first is the header. */
export const csvRows = (name: string): string[][] =>
  dataFile(name)
    .trim()
    .split("\n")
    .map((line) => line.trim().split(","));

/** [photograph][person] labels "0" or "1", all there. */
export function bluebirdLabels(): string[][] {
  const table: string[][] = [];
  for (const [item, worker, label] of csvRows("audit/crowd-bluebird.csv").slice(1)) {
    table[Number(item)] ??= [];
    table[Number(item)][Number(worker)] = label;
  }
  return table;
}

/** Variates of a test's own simulations, apart from the program's. */
export const simulation = (seed: number): Variates => new Variates(new Stream(seed, 0, 1));

/** Every number within a result that isn't finite, by its place. */
export function notFinite(value: unknown, place = "result"): string[] {
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${place} = ${value}`];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${place}.${key}`));
}

/** How many standard errors a share of trials lies below what is claimed; negative where it lies above. */
export const shortfall = (successes: number, trials: number, claimed: number): number =>
  (claimed - successes / trials) / Math.sqrt((claimed * (1 - claimed)) / trials);
