import type { Gain, GainCell, GainDocument, GainStrategy, Sweep } from "./documents.js";
import type { Draws } from "./engines/engine.js";
import { usageError } from "./errors.js";
import { InformationGain } from "./experiments/gain.js";
import { defaultStrategies, type Purchase, parseStrategies } from "./experiments/purchase.js";
import { type FitOptions, fit, networkOf } from "./fit.js";
import type { CompiledNetwork, QuantityDefinition } from "./network/index.js";
import type { Source } from "./source.js";
import { quantiles } from "./statistics/index.js";

export interface GainOptions
  extends Omit<FitOptions, "quantities" | "quantitySet" | "onRecord" | "trace" | "compareJudges" | "priorSensitivity"> {
  /** As for `sweep`. */
  strategies?: string | undefined;
}

/** Events whose uncertainty labels are bought against, in this order. */
const targets = ["P(G=1)", "P(T=1)"];

/**
 * Bits that each strategy's next record brings on G and on T beyond what A tells, at the posterior mean of the cells and
 * with credible intervals. It looks at one record by itself: what records teach of each other is a sweep's to say.
 * @throws RatError
 */
export async function gain(sources: readonly Source[], options: GainOptions = {}): Promise<GainDocument> {
  const { strategies = defaultStrategies, ...fitted } = options;
  const purchases = parseStrategies(strategies);
  const network = networkOf(fitted);
  const cells = cellQuantities(network);
  const events = targets.flatMap((name) => {
    const { probability } = network.quantities.find((quantity) => quantity.name === name) ?? {};
    return probability
      ? [{ name, weights: probability.event, gain: new InformationGain(network, probability.event) }]
      : [];
  });
  if (events.length === 0) throw usageError(`network ${network.name} has no ${targets.join(" and no ")}`);
  const gains: Gain[] = [];
  await fit(sources, {
    ...fitted,
    quantities: cells,
    onFit: async (result, draws, counts) => {
      await fitted.onFit?.(result, draws, counts);
      const { source, quantities, level, warnings } = result;
      const first = quantities.length - cells.length;
      const means = Float64Array.from(quantities.slice(first), ({ mean }) => mean ?? 0);
      for (const { name, weights, gain: information } of events) {
        const bits = purchases.map((purchase) => bitsOf(information, purchase, means, draws, first, level));
        const joint = bits.find(({ strategy }) => strategy === "all-joint")?.gain;
        gains.push({
          source,
          quantity: name,
          base: information.base(means),
          strategies: bits.map(({ draws: _, ...strategy }) => ({
            ...strategy,
            shareOfJoint: joint ? strategy.gain / joint : null,
          })),
          cells: cellsOf(network, weights, means),
          warnings: [...warnings, ...orderOf(name, bits)],
        });
      }
    },
  });
  return { gains };
}

/** The probability of every cell as a quantity of its own. */
function cellQuantities({ cells, variables }: CompiledNetwork): QuantityDefinition[] {
  return cells.map(({ levels }) => {
    const event = levels.map((level, v) => `${variables[v].name}=${variables[v].levels[level]}`).join(" & ");
    return { name: `cell ${event}`, expression: `P(${event})` };
  });
}

type Bits = Omit<GainStrategy, "shareOfJoint"> & { readonly draws: Float64Array };

/** @param first number of the first cell among the drawn quantities */
function bitsOf(
  information: InformationGain,
  purchase: Purchase,
  means: Float64Array,
  { values, chains, draws }: Draws,
  first: number,
  level: number,
): Bits {
  const cell = new Float64Array(means.length);
  const bits = Float64Array.from({ length: chains * draws }, (_, i) => {
    for (let c = 0; c < cell.length; c++) cell[c] = values[first + c][i];
    return information.of(purchase, cell);
  });
  const [lower, upper] = quantiles(bits, [(1 - level) / 2, (1 + level) / 2]);
  return { strategy: purchase.name, gain: information.of(purchase, means), lower, upper, draws: bits };
}

/** Joint probability of R and A and what G is there: Table 10 of the paper; none for networks without R and A. */
function cellsOf(network: CompiledNetwork, weights: Float64Array, means: Float64Array): GainCell[] {
  const [r, a] = ["R", "A"].map((name) => network.variables.findIndex((variable) => variable.name === name));
  if (r < 0 || a < 0) return [];
  const groups = new Map<string, { R: string; A: string; p: number; weights: Set<number> }>();
  network.cells.forEach(({ levels }, c) => {
    const [R, A] = [network.variables[r].levels[levels[r]], network.variables[a].levels[levels[a]]];
    const group = groups.get(`${R},${A}`) ?? { R, A, p: 0, weights: new Set() };
    group.p += means[c];
    group.weights.add(weights[c]);
    groups.set(`${R},${A}`, group);
  });
  return [...groups.values()].map(({ R, A, p, weights: own }) => ({ R, A, G: own.size === 1 ? [...own][0] : null, p }));
}

/** Standard errors beyond which a simulated order counts as one. */
const decisive = 3;

/**
 * The gains with a warning for each pair of strategies that a simulation puts in the other order: the gain of a record by
 * itself can't see what records teach of each other.
 * @param sweeps of the same sources with the same strategies; their largest budget is looked at
 */
export function verifyGains({ gains }: GainDocument, sweeps: readonly Sweep[]): GainDocument {
  return {
    gains: gains.map((gain) => {
      const paired = sweeps.find(({ source }) => source === gain.source)?.paired ?? [];
      const own = paired.filter(({ quantity }) => quantity === gain.quantity);
      const most = Math.max(...own.map(({ add }) => add));
      const of = (name: string): number =>
        gain.strategies.find(({ strategy }) => strategy === name)?.gain ?? Number.NaN;
      const warnings = own.flatMap(({ strategy, versus, add, widthDifference, widthDifferenceSe }) => {
        if (add !== most || widthDifference === null || widthDifferenceSe === null) return [];
        const wider = widthDifference / widthDifferenceSe; // of `strategy`, in standard errors
        const agrees = Math.sign(of(strategy) - of(versus)) !== Math.sign(wider);
        if (agrees || Math.abs(wider) < decisive) return [];
        const [better, worse] = wider < 0 ? [strategy, versus] : [versus, strategy];
        const width = Math.abs(widthDifference).toPrecision(2);
        return [
          `by gain ${worse} comes before ${better}; by simulation of ${add} records ${better} does, by ${width} of width`,
        ];
      });
      return { ...gain, warnings: [...gain.warnings, ...warnings] };
    }),
  };
}

/** Which labels tell more is never a matter of course: said where it is T's, or where the records don't decide. */
function orderOf(quantity: string, bits: readonly Bits[]): string[] {
  const [R, T] = ["all-R", "all-T"].map((name) => bits.find(({ strategy }) => strategy === name));
  if (quantity !== "P(G=1)" || R === undefined || T === undefined) return [];
  const more = R.draws.filter((value, i) => value > T.draws[i]).length / R.draws.length;
  if (more > 0.975) return [];
  return more < 0.025
    ? ["labels of T tell more about adherence than labels of R here"]
    : [`whether labels of R or of T tell more is not decided: P(R's more) = ${more.toFixed(2)}`];
}
