import { describe, expect, it } from "vitest";
import { logDensity } from "../../src/network/density.js";
import { compileNetwork, fold, rat } from "../../src/network/index.js";
import { loadNetwork, openProbe, Scratch } from "../support/kernel.js";
import { examples } from "../support/networks.js";
import { Inputs } from "../support/random.js";
import { tied } from "../support/tied.js";

const probe = openProbe();
const scratch = new Scratch(probe);
const workspace = scratch.bytes(1 << 18);
const [mode, x, pair, out] = [32, 32, 64, 2].map((count) => scratch.floats(count));
const networks = [...examples.map((definition) => compileNetwork(definition)), tied];

/** The centred log density at a position, one chain. */
function centred(position: ArrayLike<number>): number {
  x.array.set(position);
  return probe.centredDensity(x.at);
}

describe("the density for very many records", () => {
  it.each(networks)("of $name is the oracle's less that at the mode, to 1e-13 of the oracle's size", (network) => {
    const inputs = new Inputs(101);
    const K = network.rowNames.length;
    for (const most of [1, 100, 1e6]) {
      const counts = inputs.array(network.patterns.length, () => inputs.below(most + 1));
      const folded = fold(network, counts);
      loadNetwork(probe, network, counts);
      probe.centre(workspace, mode.at);
      const reference = logDensity(network, folded, mode.array.subarray(0, K)).value;
      for (const width of [1e-3, 0.1, 3]) {
        const position = inputs.array(K, (k) => mode.array[k] + inputs.uniform(-width, width));
        const expected = logDensity(network, folded, position).value;
        const size = Math.abs(expected) + Math.abs(reference);
        expect(Math.abs(centred(position) - (expected - reference))).toBeLessThan(1e-13 * size);
      }
    }
  });

  it("has the same bits in either of two lanes as in one chain", () => {
    const network = compileNetwork(rat);
    const inputs = new Inputs(102);
    loadNetwork(
      probe,
      network,
      inputs.array(18, () => inputs.below(1000)),
    );
    probe.centre(workspace, mode.at);
    const [a, b] = [0, 1].map(() => inputs.array(5, () => inputs.uniform(-3, 3)));
    for (let k = 0; k < 5; k++) pair.array.set([a[k], b[k]], 2 * k);
    probe.centredPair(pair.at, out.at);
    expect([...out.array]).toEqual([centred(a), centred(b)]);
  });

  it.each(networks)(
    "of $name at 2^53 records is smooth to 1e-6 within three standard deviations of the mode",
    (network) => {
      // There the density is a parabola to one part in 10^7. Along a line through the reference, second differences of
      // values on a grid are one constant; rounding as that of the plain density, +-1 and more, would be all that shows.
      const inputs = new Inputs(103);
      const each = Math.floor(2 ** 53 / network.patterns.length);
      const counts = new Float64Array(network.patterns.length).fill(each);
      const folded = fold(network, counts);
      loadNetwork(probe, network, counts);
      probe.centre(workspace, mode.at);
      const K = network.rowNames.length;
      const scale = Array.from({ length: K }, (_, k) => Math.sqrt(1 / folded.success[k] + 1 / folded.failure[k]));
      for (let repeat = 0; repeat < 5; repeat++) {
        const direction = inputs.array(K, (k) => (scale[k] / Math.sqrt(K)) * inputs.normal());
        const positions = [-2, -1, 0, 1, 2].map((t) => direction.map((step, k) => mode.array[k] + t * step));
        const values = positions.map(centred);
        expect(values[2]).toBe(0);
        const second = [1, 2, 3].map((i) => values[i - 1] - 2 * values[i] + values[i + 1]);
        expect(second.every((value) => value < 0)).toBe(true);
        expect(Math.abs(second[0] - second[1])).toBeLessThan(1e-6);
        expect(Math.abs(second[2] - second[1])).toBeLessThan(1e-6);
      }
    },
  );
});
