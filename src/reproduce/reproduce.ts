import type {
  ReproduceDocument,
  ReproducedClaim,
  ReproducedExperiment,
  ReproducedTable,
  SweepDocument,
} from "../documents.js";
import { usageError } from "../errors.js";
import { version } from "../generated/version.js";
import { networkNamed } from "../network/index.js";
import { resolveSampling } from "../options.js";
import { presetSource, type Source } from "../source.js";
import { type SweepOptions, sweep } from "../sweep.js";
import { abortSignal, callback, check, fields, list, text } from "../values.js";
import { coverage, figure1, figure2, figure3 } from "./allocation.js";
import { allocationClaims } from "./claims/allocation.js";
import { conditionalClaims, partialClaims } from "./claims/conditionals.js";
import { gainClaims } from "./claims/gains.js";
import { judgeClaims } from "./claims/judge.js";
import { marginalClaims } from "./claims/marginals.js";
import { table2 } from "./conditionals.js";
import { contradictions } from "./contradictions.js";
import { type Experiment, type ExperimentName, experiments } from "./experiments.js";
import { appendixF, table3 } from "./gains.js";
import { table4, table5 } from "./judge.js";
import { table1 } from "./marginals.js";
import { Materials } from "./materials.js";
import type { Part } from "./part.js";
import { table8, table9 } from "./partial.js";
import { table6, table7 } from "./settings.js";

export interface ReproduceOptions extends Pick<SweepOptions, "seed" | "engine" | "workers" | "signal" | "onNotice"> {
  /** Tables and figures, as `table1` and `fig2`, and `claims`. Default: all. */
  only?: readonly string[] | undefined;
  /** Fewer replicates. */
  quick?: boolean | undefined;
  /** What is worked on, how much of it is done, of how much. */
  onProgress?: ((label: string, finished: number, total: number) => void) | undefined;
  /** Runs an experiment, so that a caller can keep its rows; default: `sweep`. */
  run?:
    | ((experiment: Experiment, sources: readonly Source[], options: SweepOptions) => Promise<SweepDocument>)
    | undefined;
}

/** In the paper's order. */
const parts: readonly Part[] = [
  figure1,
  table1,
  table2,
  figure2,
  table3,
  table4,
  table5,
  table6,
  table7,
  table8,
  table9,
  figure3,
  coverage,
  appendixF,
];
const claims = "claims";

export const reproducibleParts: readonly string[] = [
  ...parts.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
  claims,
];

const shape = fields(
  {},
  { only: list(text, "names of tables"), signal: abortSignal, onNotice: callback, onProgress: callback, run: callback },
);

/**
 * Every experiment of the paper from the shipped counts: each table and figure beside the printed one, and what the paper
 * says in words, decided.
 * @throws RatError
 */
export async function reproduce(options: ReproduceOptions = {}): Promise<ReproduceDocument> {
  check(shape, options, "options");
  const begin = performance.now();
  const { quick = false, signal, onProgress, onNotice } = options;
  const asked = namesOf(options.only);
  const wanted = parts.filter(({ id, aliases = [] }) => [id, ...aliases].some((name) => asked.has(name)));
  const needed = new Set<ExperimentName>(
    asked.has(claims) ? experiments.map(({ name }) => name) : wanted.flatMap(({ needs }) => needs),
  );
  const { seed } = resolveSampling("sweep", { seed: options.seed });
  const done: ReproducedExperiment[] = [];
  for (const experiment of experiments) {
    if (needed.has(experiment.name)) done.push(await simulated(experiment, { ...options, seed, quick }));
  }
  const sweeps = new Map(done.map(({ name, sweeps }) => [name as ExperimentName, sweeps]));
  const materials = new Materials({ seed, signal, onProgress }, sweeps);
  const tables: ReproducedTable[] = [];
  for (const part of wanted) {
    const runs = done.filter(({ name }) => part.needs.includes(name as ExperimentName));
    const share = Math.min(1, ...runs.map(({ replicates, fullReplicates }) => replicates / fullReplicates));
    tables.push(...(await part.make(materials, { share })));
  }
  const decided = asked.has(claims) ? await claimsOf(materials) : [];
  if (quick) onNotice?.("quick: fewer replicates than the paper has, so larger standard errors");
  return {
    version,
    seed,
    quick,
    parts: reproducibleParts.filter((name) => asked.has(name)),
    tables,
    claims: decided,
    contradictions,
    experiments: done,
    seconds: (performance.now() - begin) / 1000,
  };
}

async function claimsOf(materials: Materials): Promise<ReproducedClaim[]> {
  return [
    ...(await marginalClaims(materials)),
    ...(await conditionalClaims(materials)),
    ...allocationClaims(materials),
    ...(await gainClaims(materials)),
    ...(await judgeClaims(materials)),
    ...(await partialClaims(materials)),
  ];
}

/** @throws RatError (usage) */
function namesOf(only: readonly string[] | undefined): ReadonlySet<string> {
  const names = (only ?? reproducibleParts).map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/^figure/, "fig"),
  );
  const known = (name: string) => reproducibleParts.find((part) => part.toLowerCase() === name);
  const unknown = names.find((name) => known(name) === undefined);
  if (unknown !== undefined || names.length === 0) {
    throw usageError(`--only ${JSON.stringify(unknown ?? "")}: there are ${reproducibleParts.join(", ")}`);
  }
  return new Set(names.map((name) => known(name) as string));
}

async function simulated(
  experiment: Experiment,
  options: ReproduceOptions & { seed: number; quick: boolean },
): Promise<ReproducedExperiment> {
  const { name, about, presets, fullReplicates } = experiment;
  const { seed, quick, engine, workers, signal, onNotice } = options;
  const replicates = quick ? experiment.quickReplicates : fullReplicates;
  let label: string = name;
  let total = 0;
  const run = options.run ?? ((_, sources, own) => sweep(sources, own));
  const { sweeps } = await run(experiment, presets.map(presetSource), {
    ...sweepOptionsOf(experiment),
    replicates,
    seed: (seed + experiment.seed) % Number.MAX_SAFE_INTEGER,
    engine,
    workers,
    signal,
    onNotice: onNotice && ((notice) => onNotice(`${name}: ${notice}`)),
    onStart: (plan) => {
      label = `${name}, ${plan.source}`;
      total = (plan.end - plan.first) * plan.cells.length;
    },
    onProgress: (finished) => options.onProgress?.(label, finished, total),
  });
  return { name, about, replicates, fullReplicates, sweeps };
}

function sweepOptionsOf({ network, base, add, strategies, judge }: Experiment): SweepOptions {
  return { network: networkNamed(network), base, add, strategies, ...judge };
}
