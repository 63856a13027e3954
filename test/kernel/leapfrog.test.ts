import { describe, expect, it } from "vitest";
import { compileNetwork, rat } from "../../src/network/index.js";
import { relativeError } from "../support/accuracy.js";
import { GaussianTarget } from "../support/gaussian.js";
import { loadNetwork, openProbe, Scratch } from "../support/kernel.js";
import { Inputs } from "../support/random.js";

/** Points of one chain in the probe's memory, and steps from one to another. */
class Walker {
  private readonly span: number;
  private readonly points: number[];
  private readonly steps: number;

  /** @param scales of the metric; padding is 0 */
  constructor(
    private readonly scratch: Scratch,
    private readonly ofTable: 0 | 1,
    readonly scales: readonly number[],
  ) {
    this.span = 8 * 2 * Math.ceil(scales.length / 2);
    const { probe } = scratch;
    this.points = [0, 1].map(() => scratch.bytes(probe.pointSize(scales.length)));
    this.steps = scratch.bytes(this.span);
    for (const at of [...this.points, this.steps]) {
      new Uint8Array(probe.memory.buffer, at, at === this.steps ? this.span : probe.pointSize(scales.length)).fill(0);
    }
  }

  set(position: ArrayLike<number>, momentum: ArrayLike<number>): void {
    this.vector(this.points[0]).set(position);
    this.vector(this.points[0] + this.span).set(momentum);
    this.scratch.probe.pointFill(this.ofTable, this.points[0], this.scales.length);
  }

  /** Walks; negative step sizes walk backwards. Returns the energy after each step, as the kernel has it. */
  walk(stepSize: number, count: number): number[] {
    this.vector(this.steps).set(this.scales.map((scale) => stepSize * scale));
    const energies: number[] = [];
    for (let i = 0; i < count; i++) {
      const [from, to] = this.points;
      energies.push(-this.scratch.probe.step(this.ofTable, from, to, this.steps, this.scales.length));
      this.points.reverse();
    }
    return energies;
  }

  get position(): number[] {
    return [...this.vector(this.points[0])];
  }

  get momentum(): number[] {
    return [...this.vector(this.points[0] + this.span)];
  }

  get energy(): number {
    const [logDensity] = new Float64Array(this.scratch.probe.memory.buffer, this.points[0] + 3 * this.span, 1);
    return this.momentum.reduce((sum, r) => sum + 0.5 * r * r, -logDensity);
  }

  private vector(at: number): Float64Array {
    return new Float64Array(this.scratch.probe.memory.buffer, at, this.scales.length);
  }
}

const probe = openProbe();
const scratch = new Scratch(probe);
const gaussian = new GaussianTarget(scratch, [0.02, 1, 5]);
const network = compileNetwork(rat);
const counts = new Inputs(111).array(network.patterns.length, () => 40);

/** A target, its scales, and a usual point of it. */
const targets = [
  {
    name: "a Gaussian of scales 0.02, 1 and 5",
    open: () => {
      loadNetwork(probe, gaussian.network, []);
      gaussian.setup();
      return new Walker(scratch, 0, gaussian.scales);
    },
    position: [0.01, -1.2, 4],
  },
  {
    name: "the base network with ambiguous records",
    open: () => {
      loadNetwork(probe, network, counts);
      return new Walker(scratch, 1, [0.08, 0.1, 0.2, 0.12, 0.15]);
    },
    position: [-0.9, 0.2, -1.5, -0.3, 0.6],
  },
];

describe.each(targets)("leapfrogs on $name", ({ open, position }) => {
  const momentum = position.map((_, k) => [0.8, -1.1, 0.4, 1.6, -0.5][k]);

  it("return the energy of the point that they reach, to 1e-13", () => {
    const walker = open();
    walker.set(position, momentum);
    for (let i = 0; i < 20; i++) {
      const [energy] = walker.walk(0.2, 1);
      expect(relativeError(energy, walker.energy)).toBeLessThan(1e-13);
    }
  });

  it("have an energy error of order 2: a fourth at half the step, within 2 %", () => {
    const walker = open();
    const worst = [0.1, 0.05, 0.025].map((stepSize) => {
      walker.set(position, momentum);
      const start = walker.energy;
      return Math.max(...walker.walk(stepSize, Math.round(3 / stepSize)).map((energy) => Math.abs(energy - start)));
    });
    expect(Math.abs(worst[0] / worst[1] / 4 - 1)).toBeLessThan(0.02);
    expect(Math.abs(worst[1] / worst[2] / 4 - 1)).toBeLessThan(0.02);
  });

  it("are reversible: 200 steps and back end where they began, to 1e-11, by negative steps and by turning around", () => {
    const walker = open();
    for (const turn of [false, true]) {
      walker.set(position, momentum);
      walker.walk(0.3, 200);
      if (turn)
        walker.set(
          walker.position,
          walker.momentum.map((r) => -r),
        );
      walker.walk(turn ? 0.3 : -0.3, 200);
      const back = walker.momentum.map((r) => (turn ? -r : r));
      for (const [k, x] of walker.position.entries()) expect(relativeError(x, position[k])).toBeLessThan(1e-11);
      for (const [k, r] of back.entries()) expect(relativeError(r, momentum[k])).toBeLessThan(1e-11);
    }
  });

  it("preserve volume: 5 steps have a Jacobian determinant of 1, by differences, to 1e-7", () => {
    const walker = open();
    const K = position.length;
    // Positions and momenta in units of the scales, so that all entries are of order 1.
    const map = (start: readonly number[]): number[] => {
      walker.set(
        start.slice(0, K).map((x, k) => x * walker.scales[k]),
        start.slice(K),
      );
      walker.walk(0.4, 5);
      return [...walker.position.map((x, k) => x / walker.scales[k]), ...walker.momentum];
    };
    const start = [...position.map((x, k) => x / walker.scales[k]), ...momentum];
    const columns = start.map((_, j) => {
      const [up, down] = [1e-5, -1e-5].map((h) => map(start.map((x, i) => (i === j ? x + h : x))));
      return up.map((x, i) => (x - down[i]) / 2e-5);
    });
    expect(Math.abs(determinant(columns) - 1)).toBeLessThan(1e-7);
  });
});

describe("leapfrogs on a Gaussian", () => {
  it("keep x^2 / s^2 (1 - h^2 / 4) + r^2 over 1000 steps, which is what they keep exactly, to 1e-11", () => {
    const walker = targets[0].open();
    const stepSize = 1.3;
    const kept = (): number[] =>
      walker.position.map((x, k) => (x / gaussian.scales[k]) ** 2 * (1 - stepSize ** 2 / 4) + walker.momentum[k] ** 2);
    walker.set([0.01, -1.2, 4], [0.8, -1.1, 0.4]);
    const before = kept();
    walker.walk(stepSize, 1000);
    for (const [k, value] of kept().entries()) expect(relativeError(value, before[k])).toBeLessThan(1e-11);
  });
});

/** By elimination with row exchanges. */
function determinant(matrix: number[][]): number {
  const a = matrix.map((row) => [...row]);
  let value = 1;
  for (let j = 0; j < a.length; j++) {
    const pivot = a.slice(j).reduce((best, row, i) => (Math.abs(row[j]) > Math.abs(a[best][j]) ? j + i : best), j);
    if (pivot !== j) {
      [a[j], a[pivot]] = [a[pivot], a[j]];
      value = -value;
    }
    value *= a[j][j];
    for (let i = j + 1; i < a.length; i++) {
      const factor = a[i][j] / a[j][j];
      for (let k = j; k < a.length; k++) a[i][k] -= factor * a[j][k];
    }
  }
  return value;
}
