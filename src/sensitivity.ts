import type { ConclusionSensitivity, Fit, PriorSensitivity, QuantitySensitivity, StatedPrior } from "./documents.js";
import type { Draws } from "./engines/engine.js";
import { judgeRateNames } from "./judge/rates.js";
import { type CompiledNetwork, compileOnce, judgeOf, type NetworkDefinition, rat } from "./network/index.js";
import { summarise } from "./statistics/index.js";

/** On every row. The first is the model's own. */
export const statedPriors: readonly StatedPrior[] = [
  { name: "uniform", concentration: 1 },
  { name: "Jeffreys", concentration: 0.5 },
  { name: "Beta(2,2)", concentration: 2 },
];

/** A mean that moves further, in posterior standard deviations, depends on the prior. */
const mostShift = 0.5;
/** From here on a conclusion is drawn. */
const sure = 0.95;

/** What an evaluation of RAG is read for, as a comparison of two quantities. */
const conclusions = [
  { statement: "abstains more when retrieval failed", more: "theta_A-", less: "theta_A+" },
  { statement: "answers better with retrieval", more: "theta_T+", less: "theta_T-" },
] as const;

/**
 * The same records under the stated priors, which stand in place of any others: how far means move, and whether
 * conclusions do.
 * @param isHeld whether the rates of the network's judge are held: they are then no prior to vary
 * @param fitUnder the posterior of the records under a network; warnings of the judge left out
 * @param told warnings that the reader has seen
 */
export async function priorSensitivity(
  { definition }: CompiledNetwork,
  { isHeld, told }: { readonly isHeld: boolean; readonly told: readonly string[] },
  fitUnder: (network: CompiledNetwork) => Promise<readonly [Fit, Draws]>,
): Promise<PriorSensitivity> {
  const own = definition.quantities.filter(({ name }) => rat.quantities.some((q) => q.name === name));
  const quantities = own.length > 0 ? own : definition.quantities;
  const fits: (readonly [Fit, Draws])[] = [];
  for (const { concentration } of statedPriors) {
    const priors = priorsOf(definition, concentration, isHeld);
    fits.push(await fitUnder(compileOnce(definition, { priors, quantities })));
  }
  return {
    priors: statedPriors,
    quantities: quantities.map(({ name }, q) =>
      quantitySensitivity(
        name,
        fits.map(([fit]) => fit.quantities[q]),
      ),
    ),
    conclusions: conclusions.flatMap(({ statement, more, less }) => {
      const [first, second] = [more, less].map((name) => quantities.findIndex((q) => q.name === name));
      if (first < 0 || second < 0) return [];
      return conclusionSensitivity(
        statement,
        `${more} > ${less}`,
        fits.map(([, { values, chains }]) => [values[first], values[second], chains]),
      );
    }),
    warnings: statedPriors.flatMap(({ name }, i) =>
      fits[i][0].warnings.filter((text) => !told.includes(text)).map((text) => `under ${name}: ${text}`),
    ),
  };
}

/** Concentrations of every row: c a level. A joint judge's c is of its four pairs of labels, so R_J has 2c a level. */
function priorsOf(definition: NetworkDefinition, c: number, isHeld: boolean): Record<string, readonly number[]> {
  const isJoint = judgeOf(definition) === "joint";
  const rows = definition.variables.flatMap(({ name, levels, rows }) => {
    const each = levels.map(() => (isJoint && name === "R_J" ? 2 * c : c));
    return rows.filter((row) => row.always === undefined).map((row) => [row.name, each] as const);
  });
  return Object.fromEntries(rows.filter(([name]) => !isHeld || !judgeRateNames.includes(name)));
}

function quantitySensitivity(name: string, fits: readonly Fit["quantities"][number][]): QuantitySensitivity {
  const under = fits.map(({ mean, sd, lower, upper, mcse }) => ({ mean, sd, lower, upper, mcse }));
  const means = under.map(({ mean }) => mean ?? Number.NaN);
  const shift = (Math.max(...means) - Math.min(...means)) / (under[0].sd ?? Number.NaN);
  return { name, under, shift: Number.isFinite(shift) ? shift : null, moves: shift > mostShift };
}

/** @param draws of the greater and of the lesser quantity, and of how many chains, by prior */
function conclusionSensitivity(
  statement: string,
  expression: string,
  draws: readonly (readonly [Float64Array, Float64Array, number])[],
): ConclusionSensitivity {
  const under = draws.map(([more, less, chains]) => {
    const holds = more.map((value, i) => Number(value > less[i]));
    const { mean, mcse } = summarise(holds, chains, sure);
    return { probability: mean, mcse };
  });
  const isSure = under.map(({ probability }) => (probability ?? 0) >= sure);
  return { statement, expression, under, moves: new Set(isSure).size > 1 };
}
