import type { EngineChoice, SamplerName, SamplerOptions } from "./engines/engine.js";
import { usageError } from "./errors.js";
import { show } from "./values.js";

/** One option of a command: the source of its help text, its check and its default. */
export interface OptionSpec<T> {
  readonly description: string;
  /** In words, for the help text, where the default isn't a constant. */
  readonly defaultText?: string;
  /** Text from a command line, or a value of a library's caller, to the option's value; throws RatError (usage). */
  readonly read: (value: unknown) => T;
}

const whole = (name: string, least: number, most: number, unit = ""): ((value: unknown) => number) => {
  const range = `from ${least} to ${most === Number.MAX_SAFE_INTEGER ? "2^53 - 1" : most}`;
  return (value) => {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= least && number <= most) return number;
    throw usageError(`${name} must be a whole number ${range}${unit}, not ${show(value)}`);
  };
};

const oneOf = <T extends string>(name: string, choices: readonly T[]): ((value: unknown) => T) => {
  return (value) => {
    if (choices.includes(value as T)) return value as T;
    throw usageError(`${name} must be one of ${choices.join(", ")}, not ${show(value)}`);
  };
};

/** Draws of one refit that a thread can hold: 9 quantities of them stay below a gigabyte. */
const mostDraws = 10_000_000;
/** Of all chains together, which are kept side by side. */
const mostDrawsInAll = 4 * mostDraws;

export const samplingOptions = {
  seed: {
    description: "key of all random numbers, a whole number below 2^53",
    defaultText: "random, always reported",
    read: whole("--seed", 0, Number.MAX_SAFE_INTEGER),
  },
  engine: {
    description: "auto, wasm, webgpu or exact",
    defaultText: "auto",
    read: oneOf<EngineChoice>("--engine", ["auto", "wasm", "webgpu", "exact"]),
  },
  sampler: {
    description: "nuts or hmc",
    defaultText: "nuts for fit, hmc for sweep",
    read: oneOf<SamplerName>("--sampler", ["nuts", "hmc"]),
  },
  chains: {
    description: "chains a refit",
    defaultText: "4 for fit, 2 for sweep, 64 on webgpu",
    read: whole("--chains", 1, 1024),
  },
  warmup: {
    description: "iterations a chain for adaptation, before the draws",
    defaultText: "1000 for fit, 100 for sweep, 128 on webgpu",
    read: whole("--warmup", 0, 1_000_000),
  },
  draws: {
    description: "draws kept a chain",
    defaultText: "1000; on webgpu 200 for fit, 100 for sweep",
    read: whole("--draws", 4, mostDraws),
  },
  workers: {
    description: "threads; 0: the main one alone",
    defaultText: "one a core; fit: at most one a chain",
    read: whole("--workers", 0, 1024),
  },
  level: {
    description: "probability inside the equal-tailed intervals",
    defaultText: "0.95",
    read: (value: unknown): number => {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number === "number" && number > 0 && number < 1) return number;
      throw usageError(`--level must be a number between 0 and 1, not ${show(value)}`);
    },
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

export const samplerPresets = {
  paper: { sampler: "nuts", chains: 5, warmup: 2000, draws: 10_000 },
} as const;

/** What callers may say about sampling; everything else has a default. */
export interface SamplingOptions {
  seed?: number | undefined;
  engine?: EngineChoice | undefined;
  sampler?: SamplerName | undefined;
  /** `paper`: nuts, 5 chains, 2,000 warmup and 10,000 draws a chain. Options beside it win over it. */
  samplerPreset?: keyof typeof samplerPresets | undefined;
  chains?: number | undefined;
  warmup?: number | undefined;
  draws?: number | undefined;
  workers?: number | undefined;
  level?: number | undefined;
}

/** A few long chains whose draws are all kept, or very many short ones of which only summaries are. */
const defaults = {
  fit: { sampler: "nuts", chains: 4, warmup: 1000, draws: 1000 },
  sweep: { sampler: "hmc", chains: 2, warmup: 100, draws: 1000 },
} as const;

/** A GPU runs many chains in the time of one. */
const webgpuDefaults = {
  fit: { sampler: "hmc", chains: 64, warmup: 128, draws: 200 },
  sweep: { sampler: "hmc", chains: 64, warmup: 128, draws: 100 },
} as const;

/** Checks what was given and fills in the rest. @throws RatError (usage) */
export function resolveSampling(job: keyof typeof defaults, given: SamplingOptions): SamplerOptions {
  const checked: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(samplingOptions)) {
    const value = given[name as keyof typeof samplingOptions];
    if (value !== undefined) checked[name] = spec.read(value);
  }
  const preset = given.samplerPreset === undefined ? {} : presetNamed(given.samplerPreset);
  const usual = checked.engine === "webgpu" ? webgpuDefaults[job] : defaults[job];
  const base = { level: 0.95, ...usual, ...preset };
  const { sampler, chains, warmup, draws, level, seed } = { ...base, ...checked } as typeof base & { seed?: number };
  if (chains * draws > mostDrawsInAll) {
    throw usageError(
      `--chains ${chains} with --draws ${draws} makes ${chains * draws} draws; ${mostDrawsInAll} at most are kept`,
    );
  }
  return { sampler, chains, warmup, draws, level, seed: seed ?? randomSeed() };
}

/** Reads which engine is asked for. @throws RatError (usage) */
export function resolveEngine({ engine, workers }: { engine?: unknown; workers?: unknown }): {
  engine: EngineChoice;
  workers: number | undefined;
} {
  return {
    engine: engine === undefined ? "auto" : samplingOptions.engine.read(engine),
    workers: workers === undefined ? undefined : samplingOptions.workers.read(workers),
  };
}

/** What was given but means nothing to the engine that was chosen, as a sentence; null where all of it does. */
export function unusedOptions(engine: string, given: SamplingOptions): string | null {
  if (engine !== "exact") return null;
  const names = (["sampler", "samplerPreset", "warmup", "workers"] as const).filter(
    (name) => given[name] !== undefined,
  );
  if (names.length === 0) return null;
  const options = names.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return `engine exact runs no Markov chains: ${options.join(", ")} ${names.length === 1 ? "has" : "have"} no effect`;
}

function presetNamed(name: string): (typeof samplerPresets)["paper"] {
  return samplerPresets[oneOf("--sampler-preset", Object.keys(samplerPresets) as ["paper"])(name)];
}

/** Below 2^32: short enough to be typed again. */
export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
