import type { CompareDocument, Comparison, Gate } from "../documents.js";
import { usageError } from "../errors.js";
import { type FitOptions, fit, networkOf } from "../fit.js";
import { STREAM_COMPARE } from "../generated/layout.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { Stream } from "../random/stream.js";
import type { RawRow } from "../records/index.js";
import type { Source } from "../source.js";
import { mcseMean, quantiles } from "../statistics/index.js";
import { mean, variance } from "../statistics/moments.js";
import { parseGate, shareMeeting } from "./gate.js";
import { drawPairs, pairsOf, type Questions } from "./pairs.js";
import { rankSystems } from "./rank.js";

export interface CompareOptions extends Omit<FitOptions, "onRecord" | "trace" | "compareJudges" | "priorSensitivity"> {
  /** A condition on the last system's difference from the first, such as `P(G=1) > -0.02 @ 0.95`. */
  gate?: string | undefined;
}

interface System {
  readonly name: string;
  /** By quantity, in an order of their own. */
  readonly draws: readonly Float64Array[];
  readonly mcse: readonly (number | null)[];
  /** Or why its records are no questions, in words; null where they have no ids. */
  readonly questions: Questions | string | null;
}

/**
 * Posterior of the difference of every quantity between every two systems, and who is best. Systems that were asked the
 * same questions, told by the column `id`, are compared question by question.
 * @throws RatError
 */
export async function compare(sources: readonly Source[], options: CompareOptions = {}): Promise<CompareDocument> {
  const gate = options.gate === undefined ? null : parseGate(options.gate);
  const network = networkOf(options);
  if (gate !== null && !network.quantities.some(({ name }) => name === gate.quantity)) {
    const names = network.quantities.map(({ name }) => name).join(", ");
    throw usageError(`--gate: no quantity ${JSON.stringify(gate.quantity)}; there are ${names}`);
  }
  const questions = new QuestionLog();
  const systems: System[] = [];
  const warnings: string[] = [];
  const { level = 0.95 } = options;
  let seed = 0;
  await fit(sources, {
    ...options,
    onRecord: questions.onRecord,
    onFit: async (result, draws, counts) => {
      await options.onFit?.(result, draws, counts);
      const { values, chains } = draws;
      seed = result.seed as number;
      const name = result.source;
      warnings.push(...result.warnings.map((warning) => `${name}: ${warning}`));
      systems.push({
        name,
        draws: values.map((own) => shuffled(own, seed, systems.length)),
        mcse: result.quantities.map(({ mcse }, q) => mcse ?? mcseMean(values[q], chains)),
        questions: questions.of(name),
      });
    },
  });
  if (systems.length < 2) throw usageError("there is one system only: name two files or presets, or --by COLUMN");
  const comparisons: Comparison[] = [];
  const priors = hasPriors(network, options);
  let joint = systems.map(({ draws }) => draws);
  let decided: Gate | null = null;
  for (const [i, first] of systems.entries()) {
    for (const [j, second] of systems.entries()) {
      if (j <= i) continue;
      const pair = jointDraws(network, first, second, { seed, id: i * systems.length + j, priors });
      if (pair.notice !== null) options.onNotice?.(pair.notice);
      if (systems.length === 2) joint = [pair.first, pair.second];
      for (const [q, { name }] of network.quantities.entries()) {
        const differences = pair.second[q].map((value, d) => value - pair.first[q][d]);
        const [lower, upper] = quantiles(differences, [(1 - level) / 2, (1 + level) / 2]);
        comparisons.push({
          first: first.name,
          second: second.name,
          quantity: name,
          difference: mean(differences),
          lower: lower ?? Number.NaN,
          upper: upper ?? Number.NaN,
          pSecondGreater: pair.paired
            ? differences.filter((difference) => difference > 0).length / differences.length
            : shareGreater(pair.second[q], pair.first[q]),
          mcse: pair.paired
            ? Math.sqrt(variance(differences, mean(differences)) / differences.length)
            : combined(first.mcse[q], second.mcse[q]),
          paired: pair.paired,
        });
        if (gate?.quantity !== name || i > 0 || j < systems.length - 1) continue;
        const probability = shareMeeting(gate, differences);
        const passed = probability >= gate.probability;
        decided = { condition: gate.text, quantity: name, probability, wanted: gate.probability, passed };
      }
    }
  }
  const names = systems.map(({ name }) => name);
  const rankings = network.quantities.map(({ name }, q) => {
    const draws = joint.map((system) => system[q]);
    return { quantity: name, systems: rankSystems(names, draws, level) };
  });
  return { comparisons, rankings, gate: decided, warnings };
}

/**
 * Draws of two systems that belong together, and why not question by question where that was to be expected.
 * @param priors whether anything but the usual priors was asked for, which the joint distribution has no place for
 */
function jointDraws(
  network: CompiledNetwork,
  first: System,
  second: System,
  { seed, id, priors }: { seed: number; id: number; priors: boolean },
) {
  const pairs = priors ? "the model has priors of its own" : pairsOf(network, first.questions, second.questions);
  const names = `${first.name} and ${second.name}`;
  if (pairs !== null && typeof pairs !== "string") {
    const [a, b] = drawPairs(network, pairs, first.draws[0].length, seed, id);
    const notice = `${names}: compared on the same ${pairs.records} questions`;
    return { first: a, second: b, paired: true, notice };
  }
  const asked = typeof first.questions === "object" && first.questions !== null;
  const notice =
    pairs === null || (priors && !asked) ? null : `${names}: ${pairs}: compared as if they were asked different ones`;
  return { first: first.draws, second: second.draws, paired: false, notice };
}

/** Whether any row has a prior that prefers one of its levels, or rates are held: not what a system has by default. */
const hasPriors = ({ definition }: CompiledNetwork, { priors, judgeRates }: CompareOptions): boolean =>
  priors !== undefined ||
  judgeRates === "fixed" ||
  definition.variables.some(({ rows }) => rows.some(({ prior }) => prior?.some((c) => c !== prior[0])));

/** The questions of every system, by the column `id` where every record has one of its own. */
class QuestionLog {
  private readonly logs = new Map<string, Questions | string | null>();

  readonly onRecord = (source: string, { values }: RawRow, pattern: number, group: string, records: number): void => {
    const column = Object.keys(values).find((name) => name.trim().toLowerCase() === "id");
    const id = column === undefined ? "" : String(values[column] ?? "").trim();
    const key = JSON.stringify([source, group]);
    const log = this.logs.get(key);
    if (log === undefined) this.logs.set(key, id === "" ? null : new Map());
    const own = this.logs.get(key);
    if (own === null || own === undefined || typeof own === "string") return;
    if (id === "" || records !== 1) this.logs.set(key, "not every record has an id of its own");
    else if (own.has(id)) this.logs.set(key, `the id ${id} comes twice in ${source}`);
    else own.set(id, pattern);
  };

  /** @param name of a fit: its source, or source and group */
  of(name: string): Questions | string | null {
    for (const [key, log] of this.logs) {
      const [source, group] = JSON.parse(key) as [string, string];
      if (name === source || (name.startsWith(`${source} [`) && name.endsWith(`=${group}]`))) return log;
    }
    return null;
  }
}

/**
 * Draws in another order: all systems are sampled with the same stream, so that draw i of one would go with draw i of
 * another. Every quantity of a system has the same new order.
 */
function shuffled(draws: Float64Array, seed: number, system: number): Float64Array {
  const stream = new Stream(seed, system, STREAM_COMPARE, 1);
  const result = draws.slice();
  for (let i = result.length - 1; i > 0; i--) {
    const j = stream.integerBelow(i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

/** Share of all pairs of draws in which the first is the greater one. */
function shareGreater(a: Float64Array, b: Float64Array): number {
  const [high, low] = [a.slice().sort(), b.slice().sort()];
  let below = 0;
  let pairs = 0;
  for (const value of high) {
    while (below < low.length && low[below] < value) below++;
    pairs += below;
  }
  return pairs / (high.length * low.length);
}

const combined = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.hypot(a, b);
