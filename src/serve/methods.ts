import type { Backend } from "../backend.js";
import type { Fit } from "../documents.js";
import type { Engine } from "../engines/engine.js";
import { usageError } from "../errors.js";
import { type FitOptions, fit } from "../fit.js";
import { version } from "../generated/version.js";
import {
  type CompiledNetwork,
  compileOnce,
  networkNamed,
  patternIndex,
  type QuantityDefinition,
  shippedNetworks,
} from "../network/index.js";
import type { SamplingOptions } from "../options.js";
import type { ServeInfo, ServeRefits, ServeResult } from "./protocol.js";

type Params = Readonly<Record<string, unknown>>;

/** What a method works with. */
export interface Context {
  readonly engine: Engine;
  readonly backend: Backend;
  readonly signal: AbortSignal;
  readonly onProgress: (finished: number, total: number) => void;
}

export type Method = (params: Params, context: Context) => Promise<ServeResult["result"]>;

const samplingNames = ["seed", "sampler", "chains", "warmup", "draws", "level"] as const;

export const methods: Readonly<Record<string, Method>> = {
  info: async (_params, { engine }): Promise<ServeInfo> => ({
    version,
    engine: engine.name,
    adapter: engine.adapter,
    workers: engine.workers,
    networks: shippedNetworks,
    methods: [...Object.keys(methods), "cancel"],
  }),

  /** Records of one system -> its fit, as in the document of `rat fit`. */
  fit: async (params, { engine, signal }): Promise<Fit> => {
    known(params, [
      "records",
      "source",
      "network",
      "quantities",
      "priors",
      "abstainedSuccess",
      "progress",
      ...samplingNames,
    ]);
    const records = listOfObjects(params.records, "records");
    const name = params.source === undefined ? "records" : String(params.source);
    const options: FitOptions = {
      ...samplingOf(params),
      network: networkNamed(String(params.network ?? "rat")),
      quantities: quantitiesOf(params.quantities),
      priors: params.priors as FitOptions["priors"],
      abstainedSuccess: params.abstainedSuccess as FitOptions["abstainedSuccess"],
    };
    const { fits } = await fit([{ name, records }], { ...options, using: engine, signal });
    return fits[0];
  },

  /** Many refits of one network: rows of counts, one number an observation -> summaries, one row a refit. */
  refits: async (params, { backend, signal, onProgress }): Promise<ServeRefits> => {
    known(params, [
      "observations",
      "counts",
      "network",
      "quantities",
      "priors",
      "firstId",
      "progress",
      ...samplingNames,
    ]);
    const network = compileOnce(networkNamed(String(params.network ?? "rat")), {
      ...(params.priors === undefined ? {} : { priors: params.priors as Record<string, readonly number[]> }),
      ...(params.quantities === undefined ? {} : { quantities: quantitiesOf(params.quantities) }),
    });
    const counts = countsOf(params, network);
    const total = counts.length / network.patterns.length;
    const progress = params.progress === true ? { onProgress: (finished: number) => onProgress(finished, total) } : {};
    const firstId = params.firstId as number | undefined;
    const results = await backend.run(network, counts, { ...samplingOf(params), firstId, signal, ...progress });
    const table = (values: Float64Array): (number | null)[][] =>
      Array.from({ length: results.refits }, (_, i) =>
        Array.from(values.subarray(i * results.quantities, (i + 1) * results.quantities), finite),
      );
    const { mean, sd, median, lower, upper, rhat, ess } = results;
    return {
      refits: results.refits,
      seed: results.seed,
      quantities: network.quantities.map(({ name }) => name),
      mean: table(mean),
      sd: table(sd),
      median: table(median),
      lower: table(lower),
      upper: table(upper),
      rhat: table(rhat),
      ess: table(ess),
      divergences: [...results.divergences],
    };
  },
};

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Sampling options, checked where they are used. */
const samplingOf = (params: Params): SamplingOptions =>
  Object.fromEntries(samplingNames.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));

function known(params: Params, names: readonly string[]): void {
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown !== undefined) throw usageError(`unknown parameter ${unknown}: there are ${names.join(", ")}`);
}

function listOfObjects(value: unknown, name: string): Readonly<Record<string, unknown>>[] {
  if (
    Array.isArray(value) &&
    value.every((item) => typeof item === "object" && item !== null && !Array.isArray(item))
  ) {
    return value;
  }
  throw usageError(`${name} must be a list of objects such as {"R": 1, "A": 0, "T": 1}`);
}

/** Names of the base quantities, or `{ name: expression }`. */
function quantitiesOf(value: unknown): QuantityDefinition[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((name) => ({ name: String(name), expression: String(name) }));
  if (typeof value !== "object" || value === null)
    throw usageError("quantities must be a list or an object of expressions");
  return Object.entries(value).map(([name, expression]) => ({ name, expression: String(expression) }));
}

/** Counts an observation, [refits][observations], as counts a pattern. */
function countsOf(params: Params, network: CompiledNetwork): Float64Array {
  const observations = listOfObjects(params.observations, "observations");
  const indexOf = patternIndex(network);
  const patterns = observations.map((observation, i) => {
    const stranger = Object.keys(observation).find((name) => !network.variables.some((v) => v.name === name));
    if (stranger !== undefined)
      throw usageError(`observation ${i}: network ${network.name} has no variable ${stranger}`);
    const levels = network.variables.map(({ name, levels: all }) => {
      const label = observation[name];
      if (label === undefined || label === null) return -1;
      const level = all.indexOf(String(label));
      if (level < 0)
        throw usageError(`observation ${i}: ${name} = ${JSON.stringify(label)}; its levels are ${all.join(", ")}`);
      return level;
    });
    const pattern = indexOf(levels);
    if (pattern < 0) throw usageError(`observation ${i} contradicts network ${network.name}`);
    return pattern;
  });
  const rows = params.counts;
  if (
    !Array.isArray(rows) ||
    rows.length === 0 ||
    rows.some((row) => !Array.isArray(row) || row.length !== patterns.length)
  ) {
    throw usageError(`counts must be a list of rows of ${patterns.length} numbers, one an observation`);
  }
  const counts = new Float64Array(rows.length * network.patterns.length);
  rows.forEach((row: unknown[], i) => {
    row.forEach((n, o) => {
      counts[i * network.patterns.length + patterns[o]] += typeof n === "number" ? n : Number.NaN;
    });
  });
  return counts;
}
