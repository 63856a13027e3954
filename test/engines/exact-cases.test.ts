import { expect, it } from "vitest";
import { countCase } from "../records/support.js";
import { base, solve } from "./exact-support.js";

/** Posterior means as the cases' table prints them, rounded, by quantity. */
const cases: Record<string, Record<string, string>> = {
  "B5_missing_when_abstaining.csv": {
    theta_R: "0.5",
    "theta_A-": "0.5",
    "theta_A+": "0.3333",
    "theta_T-": "0.3333",
    "theta_T+": "0.6",
    "P(A=1)": "0.4167",
    "P(T=1)": "0.2833",
    "P(G=1)": "0.45",
  },
  "B15_no_T_column.csv": {
    theta_R: "0.5714",
    "theta_A-": "0.5",
    "theta_A+": "0.2",
    "theta_T-": "0.5",
    "theta_T+": "0.5",
    "P(A=1)": "0.3286",
    "P(T=1)": "0.3357",
    "P(G=1)": "0.4429",
  },
  "C1_nothing_abstains.csv": {
    "theta_A-": "0.125",
    "theta_A+": "0.125",
    "theta_T-": "0.25",
    "theta_T+": "0.625",
    "P(T=1)": "0.38281",
    "P(G=1)": "0.33594",
  },
  "C7_six_states.csv": {
    theta_R: "0.5",
    "theta_A-": "0.4",
    "theta_A+": "0.4",
    "theta_T-": "0.5",
    "theta_T+": "0.5",
    "P(A=1)": "0.4",
    "P(T=1)": "0.3",
    "P(G=1)": "0.35",
  },
  "K5_missing_on_gpu.csv": {
    theta_R: "0.5641",
    "theta_A-": "0.72308",
    "theta_A+": "0.20763",
    "theta_T-": "0.50603",
    "theta_T+": "0.57964",
    "P(A=1)": "0.43354",
    "P(T=1)": "0.32171",
    "P(G=1)": "0.57394",
  },
  "M1_two_a.csv": { theta_R: "0.6667", "P(G=1)": "0.54222" },
  "M1b_two_b.csv": { theta_R: "0.3333", "P(G=1)": "0.54815" },
  "M3_export.csv": { theta_R: "0.57143", "P(A=1)": "0.44286", "P(T=1)": "0.24286", "P(G=1)": "0.38571" },
};

const quantity = (name: string): number => base.quantities.findIndex((q) => q.name === name);

it.each(Object.entries(cases))("%s has the means of the table", async (file, means) => {
  const { counts } = await countCase(file);
  const { mean } = await solve(base, counts);
  for (const [name, printed] of Object.entries(means)) {
    const lastDigit = 10 ** -(printed.length - 2);
    const error = Math.abs(mean[quantity(name)] - Number(printed));
    expect.soft(error, `mean of ${name}`).toBeLessThanOrEqual(0.5001 * lastDigit);
  }
});

it("B15: a row without data has its prior's interval", async () => {
  const { lower, upper } = await solve(base, (await countCase("B15_no_T_column.csv")).counts);
  for (const name of ["theta_T-", "theta_T+"]) {
    expect(lower[quantity(name)]).toBeCloseTo(0.025, 12);
    expect(upper[quantity(name)]).toBeCloseTo(0.975, 12);
  }
});

it("C1: where nothing abstains the interval of abstention begins above 0", async () => {
  const { lower, upper } = await solve(base, (await countCase("C1_nothing_abstains.csv")).counts);
  for (const name of ["theta_A-", "theta_A+"]) {
    expect(lower[quantity(name)]).toBeCloseTo(0.0036, 4);
    expect(upper[quantity(name)]).toBeCloseTo(0.4096, 4);
  }
});
