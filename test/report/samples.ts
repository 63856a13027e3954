import type { Fit, FitQuantity, Sweep, SweepCell, SweepPaired } from "../../src/documents.js";

/** Deterministic numbers in [0, 1) with full precision. */
export function* uniforms(seed = 1): Generator<number, never> {
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield (state + 0.123456789) / 2 ** 32;
  }
}

export const quantityNames = [
  "theta_R",
  "theta_A-",
  "theta_A+",
  "theta_T-",
  "theta_T+",
  "P(R=1)",
  "P(A=1)",
  "P(T=1)",
  "P(G=1)",
];

export const sampleQuantity = (name: string, mean: number): FitQuantity => ({
  name,
  mean,
  sd: 0.0040123456789,
  median: mean + 1e-5,
  lower: mean - 0.0078,
  upper: mean + 0.0078,
  mcse: 6.3e-5,
  essBulk: 3901.7,
  essTail: 2950.2,
  rhat: 1.00049,
  counted: { k: Math.round(10000 * mean), n: 10000 },
  nObserved: 10000,
  nMissing: 0,
});

const means = [0.2068, 0.4633, 0.0358, 0.4557, 0.6785, 0.2068, 0.3749, 0.3293, 0.5028];

export const sampleFit = (changes: Partial<Fit> = {}): Fit => ({
  source: "hotpotqa-hybrid-qwen3.5",
  network: "rat",
  engine: "wasm",
  adapter: null,
  fallback: null,
  sampler: "nuts",
  policy: "R=0&A=1:1, R=1&A=0&T=1:1",
  seed: 1,
  records: 10000,
  observed: { R: 10000, A: 10000, T: 10000 },
  implied: {},
  chains: 4,
  warmup: 1000,
  draws: 1000,
  level: 0.95,
  quantities: quantityNames.map((name, i) => sampleQuantity(name, means[i])),
  diagnostics: {
    divergences: 0,
    meanLeapfrogs: 4.37,
    stepSize: [0.81, 0.79, 0.83, 0.8],
    seconds: 0.0213,
    totalSeconds: 0.0641,
  },
  warnings: [],
  ...changes,
});

/** An exact answer on records that lack T: nothing of a Markov chain applies, and theta_T- and theta_T+ have no data. */
export const exactFit = (): Fit =>
  sampleFit({
    engine: "exact",
    sampler: null,
    chains: null,
    warmup: null,
    draws: null,
    seed: null,
    quantities: quantityNames.map((name, i) => {
      const base = { ...sampleQuantity(name, means[i]), mcse: null, essBulk: null, essTail: null, rhat: null };
      const unseen = { counted: null, nObserved: 0, nMissing: 10000, noData: true as const };
      const prior = { mean: 0.5, sd: Math.sqrt(1 / 12), median: 0.5, lower: 0.025, upper: 0.975 };
      return name.startsWith("theta_T") ? { ...base, ...prior, ...unseen } : base;
    }),
    diagnostics: { divergences: null, meanLeapfrogs: null, stepSize: null, seconds: 0.0004, totalSeconds: 0.001 },
    warnings: ["T is in none of the records"],
  });

export const defaultStrategies = ["all-joint", "half-joint-R", "half-joint-T", "all-R", "all-T"];

/** Records that a strategy's additional ones are worth, as a share, for P(G=1) and P(T=1): made up, but like the real. */
const worth: Record<string, readonly [number, number]> = {
  "all-joint": [1, 1],
  "half-joint-R": [0.87, 0.63],
  "half-joint-T": [0.74, 0.98],
  "all-R": [0.48, 0.07],
  "all-T": [0.19, 0.97],
};

interface SweepShape {
  readonly source?: string;
  readonly strategies?: readonly string[];
  readonly adds?: readonly number[];
  readonly quantities?: readonly string[];
  readonly replicates?: number;
  readonly scale?: number;
}

/** A sweep with the numbers of the base network's allocation experiment, errors falling with 1 / sqrt(records). */
export function sampleSweep(shape: SweepShape = {}): Sweep {
  const { source = "hotpotqa-hybrid-qwen3.5", strategies = defaultStrategies, adds = [60, 100, 200, 500] } = shape;
  const { quantities = ["P(G=1)", "P(T=1)"], replicates = 500, scale = 1 } = shape;
  const random = uniforms(source.length * 7919);
  const cell = (strategy: string, add: number, quantity: string): SweepCell => {
    const share = (worth[strategy] ?? [0.5, 0.4])[quantities.indexOf(quantity) % 2];
    const spread = (scale * (quantity === "P(T=1)" ? 0.33 : 0.39)) / Math.sqrt(100 + share * add);
    const noise = () => 1 + 0.05 * (random.next().value - 0.5);
    return {
      strategy,
      base: 100,
      add,
      replicates,
      quantity,
      mae: spread * noise(),
      maeSe: (spread * 0.75) / Math.sqrt(replicates),
      bias: -0.005 * random.next().value,
      biasSe: (spread * 1.2) / Math.sqrt(replicates),
      rmse: 1.25 * spread,
      width: 4.9 * spread * noise(),
      widthSe: 0.0001 + 0.0002 * random.next().value,
      coverage: 0.94 + 0.03 * random.next().value,
      coverageSe: 0.0095,
      maxRhat: 1.004 + 0.01 * random.next().value,
      minEss: 400 + 200 * random.next().value,
    };
  };
  const cells = [...quantities.map((quantity) => cell("base", 0, quantity))];
  for (const strategy of strategies) {
    for (const add of adds) for (const quantity of quantities) cells.push(cell(strategy, add, quantity));
  }
  return {
    source,
    network: "rat",
    engine: "wasm",
    adapter: null,
    sampler: "hmc",
    policy: "R=0&A=1:1, R=1&A=0&T=1:1",
    seed: 1,
    budget: "records",
    skipImplied: false,
    impliedShare: null,
    truth: Object.fromEntries(quantities.map((quantity, i) => [quantity, [0.5027199, 0.3292309][i % 2]])),
    cells,
    paired: pairs(cells),
    refits: replicates * (1 + strategies.length * adds.length),
    seconds: 12.345,
    refitsPerSecond: 850.5,
    workers: 8,
  };
}

function pairs(cells: readonly SweepCell[]): SweepPaired[] {
  const joint = cells.filter(({ strategy }) => strategy === "all-joint");
  return cells.flatMap((cell) => {
    const other = joint.find(({ add, quantity }) => add === cell.add && quantity === cell.quantity);
    if (other === undefined || other === cell) return [];
    return {
      strategy: cell.strategy,
      versus: "all-joint",
      add: cell.add,
      quantity: cell.quantity,
      maeDifference: (cell.mae ?? 0) - (other.mae ?? 0),
      maeDifferenceSe: 0.0005,
      widthDifference: (cell.width ?? 0) - (other.width ?? 0),
      widthDifferenceSe: 0.00015,
    };
  });
}
