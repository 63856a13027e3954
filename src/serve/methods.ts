import type { Backend } from "../backend.js";
import type { Fit } from "../documents.js";
import { usageError } from "../errors.js";
import { type FitOptions, fit } from "../fit.js";
import { version } from "../generated/version.js";
import { checkQuantities } from "../network/check.js";
import {
  type CompiledNetwork,
  compileOnce,
  type NetworkDefinition,
  networkNamed,
  type PolicyOptions,
  patternIndex,
  type QuantityDefinition,
  shippedNetworks,
  withPolicyOptions,
} from "../network/index.js";
import type { SamplingOptions } from "../options.js";
import { expectedCount, isCount } from "../records/weight.js";
import { finiteOrNull } from "../statistics/moments.js";
import { isObject, show } from "../values.js";
import type { ServeInfo, ServeRefits, ServeResult } from "./protocol.js";

type Params = Readonly<Record<string, unknown>>;

/** What a method works with. */
export interface Context {
  readonly backend: Backend;
  readonly signal: AbortSignal;
  readonly onProgress: (finished: number, total: number) => void;
}

export type Method = (params: Params, context: Context) => Promise<ServeResult["result"]>;

const samplingNames = ["seed", "sampler", "chains", "warmup", "draws", "level"] as const;
const commonNames = ["network", "policy", "partialPolicy", "quantities", "priors", "progress", ...samplingNames];

export const methods: Readonly<Record<string, Method>> = {
  info: async (params, { backend }): Promise<ServeInfo> => {
    known(params, []);
    const { name: engine, adapter, workers } = backend;
    return {
      version,
      engine,
      adapter,
      workers,
      networks: shippedNetworks,
      methods: [...Object.keys(methods), "cancel"],
    };
  },

  /** Records of one system -> its fit, as in the document of `rat fit`. */
  fit: async (params, { backend, signal }): Promise<Fit> => {
    known(params, ["records", "source", "abstainedSuccess", ...commonNames]);
    const records = listOfObjects(params.records, "records");
    const { source: name = "records" } = params;
    if (typeof name !== "string") throw usageError(`source must be a name, not ${show(name)}`);
    const network = networkOf(params);
    const options: FitOptions = {
      ...samplingOf(params),
      network,
      quantities: quantitiesOf(params.quantities, network),
      priors: params.priors as FitOptions["priors"],
      abstainedSuccess: params.abstainedSuccess as FitOptions["abstainedSuccess"],
    };
    const { fits } = await fit([{ name, records }], { ...options, using: backend, signal });
    return fits[0];
  },

  /** Many refits of one network: rows of counts, one number an observation -> summaries, one row a refit. */
  refits: async (params, { backend, signal, onProgress }): Promise<ServeRefits> => {
    known(params, ["observations", "counts", "firstId", ...commonNames]);
    const definition = networkOf(params);
    const network = compileOnce(definition, {
      priors: params.priors as FitOptions["priors"],
      quantities: params.quantities === undefined ? undefined : quantitiesOf(params.quantities, definition),
    });
    const counts = countsOf(params, network);
    const total = counts.length / network.patterns.length;
    const progress = wantsProgress(params) ? { onProgress: (finished: number) => onProgress(finished, total) } : {};
    const firstId = params.firstId as number | undefined;
    const results = await backend.run(network, counts, { ...samplingOf(params), firstId, signal, ...progress });
    const table = (values: Float64Array): (number | null)[][] =>
      Array.from({ length: results.refits }, (_, i) =>
        Array.from(values.subarray(i * results.quantities, (i + 1) * results.quantities), finiteOrNull),
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
      fallbacks: results.fallbacks,
    };
  },
};

/** Sampling options, checked where they are used. */
const samplingOf = (params: Params): SamplingOptions =>
  Object.fromEntries(samplingNames.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));

/** The network with the policy that is asked for. */
const networkOf = ({ network = "rat", policy, partialPolicy }: Params): NetworkDefinition =>
  withPolicyOptions(networkNamed(network as string), { policy, partialPolicy } as PolicyOptions);

function wantsProgress({ progress = false }: Params): boolean {
  if (typeof progress === "boolean") return progress;
  throw usageError(`progress must be true or false, not ${show(progress)}`);
}

/** @throws RatError (usage) for parameters that have no meaning */
export function known(params: Params, names: readonly string[]): void {
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw usageError(
    `unknown parameter ${unknown}: there ${names.length === 0 ? "are none" : `are ${names.join(", ")}`}`,
  );
}

function listOfObjects(value: unknown, name: string): Params[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw usageError(`${name} must be a list of objects such as {"R": 1, "A": 0, "T": 1}`);
}

/** A list of the network's own quantities, by their names, and of expressions; or expressions by name. */
function quantitiesOf(value: unknown, network: NetworkDefinition): QuantityDefinition[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) {
    return value.map((name) => network.quantities.find((own) => own.name === name) ?? { name, expression: name });
  }
  if (isObject(value)) {
    const quantities = Object.entries(value).map(([name, expression]) => ({ name, expression }));
    checkQuantities(quantities);
    return [...quantities];
  }
  throw usageError(`quantities must be a list of names or an object of expressions, not ${show(value)}`);
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
      if (level < 0) throw usageError(`observation ${i}: ${name} = ${show(label)}; its levels are ${all.join(", ")}`);
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
      // Each by itself: observations that are one pattern are added up, and bad ones may cancel.
      if (!isCount(n)) throw usageError(`counts[${i}][${o}] is ${show(n)}, not ${expectedCount}`);
      counts[i * network.patterns.length + patterns[o]] += n;
    });
  });
  return counts;
}
