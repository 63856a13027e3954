import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Approximator } from "../../../src/engines/wasm/approximator.js";
import { type Device, openDevice } from "../../../src/engines/webgpu/device.js";
import { layoutOf } from "../../../src/engines/webgpu/layout.js";
import { packMembers, packRecords } from "../../../src/engines/webgpu/record.js";
import { emitShaders } from "../../../src/engines/webgpu/shaders.js";
import { logDensity, nodeProbabilities, rowEntries } from "../../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, fold, isAmbiguous, rat, ratJudge } from "../../../src/network/index.js";
import { evaluateQuantity } from "../../../src/network/quantity.js";
import { Pace } from "../../../src/pace.js";
import { coin, fiveVariables, sharedRow, ternary } from "../../support/networks.js";
import { Inputs } from "../../support/random.js";
import { useSoftwareAdapter } from "../../support/software.js";
import { tied } from "../../support/tied.js";
import { computed } from "./support.js";

/*
 * What the shaders that are emitted for a network compute at given logits, against the plain oracle in f64. The reference
 * is the one that the shaders are given, a mode with its rows rounded to f32, so that only their own errors are seen.
 */

let device: Device;
beforeAll(async () => {
  useSoftwareAdapter();
  device = await openDevice();
});
afterAll(() => device.dispose());

/** Positions a refit, one a chain. */
const chains = 16;

const probe = `
@compute @workgroup_size(CHAINS)
fn probe(@builtin(local_invocation_index) index: u32, @builtin(workgroup_id) group: vec3u) {
  let refit = group.x;
  let record = refit * RECORD_WORDS;
  loadReference(record, refit * ADAPTED_WORDS, index);
  let patterns = Patterns(record + RECORD_PATTERNS, records[record + RECORD_COUNT]);
  let d = loadVector(stateAt(refit, STATE_POSITION, index));
  let found = evaluate(d, patterns);
  storeVector(stateAt(refit, STATE_PULL, index), gradient(d, patterns));
  storeKept(stateAt(refit, STATE_KEPT, index), found.kept);
  states[stateAt(refit, STATE_DENSITY, index)] = bitcast<u32>(found.density);
}`;

/** Arithmetic of every kind over the base network's probabilities. */
const arithmetic = [
  "2 * P(R=1) - 0.3",
  "P(G=1) * P(T=1)",
  "P(R=1) * P(A=1) * P(T=1) - P(G=1) * 0.125",
  "P(R=1 | T=1)",
  "P(R=1) / P(R=0)",
  "(P(A=1 | R=0) - P(A=1 | R=1)) / P(A=1)",
  "P(R=1) / (P(T=1) + 0.1) * P(A=1) - 1 / 3",
  "P(T=1 | A=0) * P(T=0 | A=0) / (P(G=1) / P(G=0))",
  "P(R=1) + P(R=0)",
  "0.25",
];

const skewed = { theta_R: [0.5, 9], "theta_A-": [40, 0.5], "theta_A+": [0.5, 0.5], "theta_T-": [0.25, 3] };

const five = compileNetwork(fiveVariables);
const networks: CompiledNetwork[] = [
  {
    ...compileNetwork(rat, { quantities: arithmetic.map((expression) => ({ name: expression, expression })) }),
    name: "rat, arithmetic",
  },
  { ...compileNetwork(rat, { priors: skewed }), name: "rat, skewed priors" },
  compileNetwork(ratJudge()),
  compileNetwork(ternary),
  // As many of its ambiguous patterns as the engine takes, and all others.
  { ...five, patterns: five.patterns.filter((pattern, m) => !isAmbiguous(pattern) || m % 5 < 2) },
  compileNetwork(sharedRow),
  compileNetwork(coin),
  tied,
];

/** Records of a pattern. */
interface Kind {
  readonly name: string;
  readonly count: (inputs: Inputs, ambiguous: boolean) => number;
  /** Chains go far from the mode. */
  readonly isVague?: true;
  /**
   * Nearly all records are ambiguous, so that the posterior is a thin, curved sheet and W points off it: the density falls
   * by thousands where W would have it fall by one half.
   */
  readonly isThin?: true;
}

const kinds: readonly Kind[] = [
  { name: "no records", count: () => 0, isVague: true },
  { name: "few records", count: (i) => i.below(3), isVague: true },
  { name: "up to 100 records", count: (i) => i.below(100), isVague: true },
  { name: "10^6 records a pattern", count: (i) => 1e6 - i.below(1000) },
  { name: "1 to 10^8 records a pattern", count: (i) => Math.floor(10 ** i.uniform(0, 8)) },
  { name: "10^8 records or few", count: (i, ambiguous) => (ambiguous ? 1 : [1e8, i.below(3)][i.below(2)]) },
  { name: "10^8 records a pattern", count: () => 1e8 },
  {
    name: "10^8 ambiguous records or none",
    count: (i, ambiguous) => (ambiguous ? [1e8, 0][i.below(2)] : i.below(100)),
    isThin: true,
  },
];

const valuesAt = (network: CompiledNetwork, logits: Float64Array): number[] => {
  const entries = rowEntries(logits);
  const values = [...nodeProbabilities(network, entries), ...entries];
  return network.quantities.map((quantity) => evaluateQuantity(quantity, values));
};

/** What the shaders and the oracle find at one position. */
interface Found {
  readonly kind: Kind;
  /** Log density less that at the reference. */
  readonly density: number;
  readonly expectedDensity: number;
  readonly gradient: readonly number[];
  readonly expectedGradient: readonly number[];
  /** Changes of the quantities from the reference. */
  readonly changes: readonly number[];
  readonly expectedChanges: readonly number[];
  readonly references: readonly number[];
  /** Of each quantity, to first order. */
  readonly sds: readonly number[];
  /** W' v. */
  readonly whitened: (v: readonly number[]) => number[];
}

type Place = (inputs: Inputs, root: (z: ArrayLike<number>) => number[], dimensions: number) => number[];

/** So many sd from the mode, in any direction. */
const within =
  (sds: number): Place =>
  (inputs, root, dimensions) => {
    const z = Array.from({ length: dimensions }, () => inputs.normal());
    return root(z.map((x) => (sds * x) / Math.hypot(...z)));
  };

const places = {
  "6 sd": within(6),
  "1 sd": within(1),
  reference: (_inputs, _root, dimensions) => Array(dimensions).fill(0),
  far: (inputs, _root, dimensions) => Array.from({ length: dimensions }, () => inputs.uniform(-20, 20)),
  beyond: (_inputs, _root, dimensions) => Array.from({ length: dimensions }, (_, k) => (k % 2 === 0 ? 81 : -1000)),
} as const satisfies Record<string, Place>;

type Everywhere = Record<keyof typeof places, Found[]>;

/** All kinds of records at all places at once, each a refit. */
async function findAll(network: CompiledNetwork): Promise<Everywhere> {
  const layout = layoutOf(network, chains);
  const { ROWS: K, ROOT, QUANTITIES } = layout;
  const patterns = network.patterns.length;
  const inputs = new Inputs(53);
  const refits = Object.values(places).flatMap((place) => kinds.map((kind) => ({ place, kind })));
  const counts = Float64Array.from(
    refits.flatMap(({ kind: { count } }) => network.patterns.map((pattern) => count(inputs, isAmbiguous(pattern)))),
  );
  const approximations = new Approximator(network).approximate(counts);
  const part = { counts, ids: new Float64Array(refits.length) };
  const { words, references } = await packRecords(network, layout, part, approximations, new Pace());
  const wordAt = (refit: number, field: number, chain: number): number =>
    (refit * layout.STATE_WORDS + field) * chains + chain;
  const states = new Float32Array(refits.length * layout.STATE_WORDS * chains);
  const roots = refits.map((_, refit) => {
    let next = refit * ROOT;
    return Array.from({ length: K }, (_, i) =>
      Array.from({ length: K }, (_, j) => (j < i ? 0 : approximations.root[next++])),
    );
  });
  roots.forEach((W, refit) => {
    const root = (z: ArrayLike<number>): number[] =>
      W.map((row) => row.reduce((sum, entry, j) => sum + entry * z[j], 0));
    for (let chain = 0; chain < chains; chain++) {
      refits[refit].place(inputs, root, K).forEach((d, k) => {
        states[wordAt(refit, layout.STATE_POSITION + k, chain)] = d;
      });
    }
  });
  const bindings = [
    { binding: 0, type: "read-only-storage", contents: words },
    { binding: 1, type: "read-only-storage", contents: packMembers(network, layout) },
    { binding: 2, type: "storage", contents: states },
    { binding: 3, type: "storage", contents: new Float32Array(refits.length * layout.ADAPTED_WORDS).fill(1) },
  ] as const;
  const code = emitShaders(network, layout).advance + probe;
  const after = new Float32Array((await computed(device, code, "probe", bindings, refits.length))[2]);
  const floats = new Float32Array(words.buffer);
  const all = refits.map(({ kind }, refit) => {
    const folded = fold(network, counts.subarray(refit * patterns, (refit + 1) * patterns));
    // The smaller entry of each row as packed, and whether it is theta (1) or its complement (-1).
    const reference = Float64Array.from({ length: K }, (_, k) => {
      const row = refit * layout.RECORD_WORDS + layout.RECORD_ROWS + 8 * k;
      return floats[row + 7] * Math.log(floats[row + 4] / (1 - floats[row + 4]));
    });
    const start = logDensity(network, folded, reference).value;
    const known = valuesAt(network, reference);
    const step = 1e-4;
    const slopes = roots[refit].map((_, j) => {
      const moved = valuesAt(
        network,
        reference.map((x, i) => x + step * roots[refit][i][j]),
      );
      return moved.map((value, q) => (value - known[q]) / step);
    });
    return Array.from({ length: chains }, (_, chain): Found => {
      const read = (field: number, length: number): number[] =>
        Array.from({ length }, (_, i) => after[wordAt(refit, field + i, chain)]);
      const logits = reference.map((x, k) => x + after[wordAt(refit, layout.STATE_POSITION + k, chain)]);
      const { value, gradient } = logDensity(network, folded, logits);
      return {
        kind,
        density: read(layout.STATE_DENSITY, 1)[0],
        expectedDensity: value - start,
        gradient: read(layout.STATE_PULL, K),
        expectedGradient: [...gradient],
        changes: read(layout.STATE_KEPT, QUANTITIES),
        expectedChanges: valuesAt(network, logits).map((value, q) => value - known[q]),
        references: [...references.subarray(refit * QUANTITIES, (refit + 1) * QUANTITIES)],
        sds: known.map((_, q) => Math.hypot(...slopes.map((slope) => slope[q]))),
        whitened: (v) => v.map((_, j) => roots[refit].reduce((sum, row, i) => sum + row[j] * v[i], 0)),
      };
    });
  });
  const at = (place: number): Found[] => all.slice(place * kinds.length, (place + 1) * kinds.length).flat();
  return Object.fromEntries(Object.keys(places).map((name, place) => [name, at(place)])) as Everywhere;
}

const lengthOfError = ({ whitened, gradient, expectedGradient }: Found): number =>
  Math.hypot(...whitened(gradient.map((g, k) => g - expectedGradient[k])));

describe.each(networks)("the shaders of $name", (network) => {
  let all: Everywhere;
  beforeAll(async () => {
    all = await findAll(network);
  });

  it.each(["6 sd", "1 sd"] as const)(
    "have the oracle's log density, relative to the mode, to 2e-4, however many records, %s from it",
    (place) => {
      for (const { kind, density, expectedDensity } of all[place]) {
        const most = kind.isThin ? 1e-6 * Math.abs(expectedDensity) + (place === "1 sd" ? 0.4 : 4) : 2e-4;
        expect.soft(Math.abs(density - expectedDensity), kind.name).toBeLessThan(most);
      }
    },
  );

  it.each(["6 sd", "1 sd", "reference"] as const)(
    "have the oracle's gradient, to a small part of the pull at one sd, which is 1: %s",
    (place) => {
      for (const one of all[place]) {
        if (!one.kind.isThin) expect.soft(lengthOfError(one), one.kind.name).toBeLessThan(0.05);
      }
    },
  );

  it.each(["6 sd", "1 sd"] as const)("have the changes of all quantities, to 1e-4 sd, %s from the mode", (place) => {
    for (const { kind, changes, expectedChanges, sds } of all[place]) {
      changes.forEach((change, q) => {
        const most = 1e-4 * sds[q] + 1e-5 * Math.abs(expectedChanges[q]) + 1e-14;
        const { name } = network.quantities[q];
        expect.soft(Math.abs(change - expectedChanges[q]), `${name}, ${kind.name}`).toBeLessThan(most);
      });
    }
  });

  it("have log density and changes 0 at the reference itself", () => {
    for (const { density, changes } of all.reference) {
      expect([density, ...changes].map(Math.abs)).toEqual([0, ...changes.map(() => 0)]);
    }
  });

  it("up to 20 logits away, where few records let chains go: all to 1e-5, but for what counts as impossible", () => {
    for (const one of all.far.filter(({ kind }) => kind.isVague)) {
      const { kind, density, expectedDensity, expectedGradient, changes, expectedChanges, references } = one;
      const pull = Math.hypot(...one.whitened([...expectedGradient]));
      expect.soft(lengthOfError(one) / pull, kind.name).toBeLessThan(1e-5);
      // A pattern's probability counts as at least 1e-7 of that at the mode: e^-16 is where no chain goes.
      const most = kind.name === "no records" ? 1e-5 * Math.abs(expectedDensity) : 0.5 * Math.abs(expectedDensity);
      expect.soft(Math.abs(density - expectedDensity), kind.name).toBeLessThan(most);
      changes.forEach((change, q) => {
        const size = Math.abs(references[q]) + Math.abs(references[q] + expectedChanges[q]);
        const { name } = network.quantities[q];
        expect.soft(Math.abs(change - expectedChanges[q]), `${name}, ${kind.name}`).toBeLessThan(1e-5 * size + 2e-7);
      });
    }
  });

  it("have nothing beyond 80 logits", () => {
    for (const { density } of all.beyond) expect(density).toBeLessThan(-1e38);
  });
});
