import { beforeAll, describe, expect, it } from "vitest";
import {
  mergeSweeps,
  presetSource,
  type Row,
  type Source,
  type Sweep,
  type SweepDocument,
  type SweepOptions,
  type SweepPart,
  type SweepPlan,
  sweep,
} from "../../dist/index.js";

const quick = { seed: 5, warmup: 30, draws: 50, replicates: 7, base: 40, add: [10], strategies: "all-joint,all-T" };
const preset = presetSource("nq-sparse-gemma3");
const timeless = (one: Sweep): unknown => ({ ...one, seconds: 0, refitsPerSecond: 0, workers: 0 });

interface Kept {
  readonly plan: SweepPlan;
  readonly rows: readonly (readonly Row[])[];
  readonly sweep: Sweep;
}

async function run(options: SweepOptions = {}, source: Source = preset): Promise<Kept> {
  let plan: SweepPlan | undefined;
  const rows: (readonly Row[])[] = [];
  const { sweeps } = await sweep([source], {
    ...quick,
    ...options,
    onStart: (begun) => {
      plan = begun;
    },
    onRows: (some) => void rows.push(some),
  });
  return { plan: plan as SweepPlan, rows, sweep: sweeps[0] };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const partOf = ({ plan, rows, sweep: { seconds, workers } }: Kept, name?: string): SweepPart => ({
  plan,
  rows: each(rows),
  seconds,
  workers,
  ...(name !== undefined && { name }),
});

const shardOf = (index: number, options: SweepOptions = {}, source?: Source): Promise<Kept> =>
  run({ shard: { index, count: 3 }, ...options }, source);

let whole: Kept;
let shards: Kept[];
beforeAll(async () => {
  whole = await run();
  shards = await Promise.all([0, 1, 2].map((index) => shardOf(index)));
});

describe("mergeSweeps", () => {
  it.each([[[0, 1, 2]], [[2, 0, 1]], [[1, 2, 0]]])(
    "makes the whole sweep of shards in any order: %j",
    async (order) => {
      const merged = await mergeSweeps(order.map((index) => partOf(shards[index])));
      expect(timeless(merged)).toEqual(timeless(whole.sweep));
      expect(merged.seconds).toBeCloseTo(shards.reduce((sum, { sweep: { seconds } }) => sum + seconds, 0));
    },
  );

  it("takes a whole run for its only part", async () => {
    expect(timeless(await mergeSweeps([partOf(whole)]))).toEqual(timeless(whole.sweep));
  });

  it.each<[string, number[], RegExp]>([
    ["a missing one", [0, 2], /^shard 1\/3 is missing$/],
    ["a missing last one", [0, 1], /^shard 2\/3 is missing$/],
    ["a doubled one", [0, 0, 1, 2], /^shard 0\/3 is there more than once: folder 0, folder 0$/],
    ["none", [], /^there are no parts to merge$/],
  ])("refuses %s", async (_name, order, message) => {
    const parts = order.map((index) => partOf(shards[index], `folder ${index}`));
    await expect(mergeSweeps(parts)).rejects.toMatchObject({ kind: "usage", message: expect.stringMatching(message) });
  });

  it.each<[string, () => Promise<Kept>, RegExp]>([
    ["another seed", () => shardOf(1, { seed: 6 }), /seed is 6 in one and 5 in the other$/],
    ["other draws", () => shardOf(1, { draws: 51 }), /draws is 51 in one and 50/],
    ["another base", () => shardOf(1, { base: 41 }), /base is 41 in one and 40/],
    ["more replicates", () => shardOf(1, { replicates: 8 }), /replicates is 8 in one and 7/],
    ["other strategies", () => shardOf(1, { strategies: "all-joint,all-R" }), /cells is /],
    ["another source", () => shardOf(1, {}, presetSource("nq-sparse-apertus")), /source is "nq-sparse-apertus" in/],
    ["other priors", () => shardOf(1, { priors: { theta_R: [9, 1] } }), /the truth differs/],
    ["another split", () => run({ shard: { index: 1, count: 2 } }), /one is shard 1\/2, the other shard 0\/3$/],
  ])("refuses a shard with %s, by name and difference", async (_name, odd, message) => {
    const parts = [partOf(shards[0], "a"), partOf(await odd(), "b"), partOf(shards[2], "c")];
    const merged = mergeSweeps(parts);
    await expect(merged).rejects.toMatchObject({ kind: "usage", message: expect.stringMatching(message) });
    await expect(merged).rejects.toThrow(/^b and a are of different runs: /);
  });

  it("refuses a shard of other records, though name, number and truth are the same", async () => {
    const source = (answered: number, abstained: number): Source => ({
      name: "mine",
      records: [
        { R: 1, A: 0, T: 0, n: answered },
        { R: 1, A: 1, n: abstained },
        { R: 0, A: 0, T: 1, n: 30 },
        { R: 0, A: 1, n: 30 },
      ],
    });
    const [one, other] = await Promise.all([shardOf(0, {}, source(20, 21)), shardOf(1, {}, source(21, 20))]);
    const sameTruth = { ...other, plan: { ...other.plan, truth: one.plan.truth } };
    await expect(mergeSweeps([partOf(one), partOf(sameTruth), partOf(one)])).rejects.toMatchObject({
      kind: "usage",
      message: "parts[1] and parts[0] are of different runs: they were made from different records",
    });
  });

  it.each<[string, (rows: Kept["rows"]) => unknown[], RegExp]>([
    ["too few replicates", (rows) => rows.slice(0, -1), /^shard 1\/3 has 1 of 2 replicates; --resume adds/],
    ["too many replicates", (rows) => [...rows, rows[0]], /^there are more rows than the 6 of this run$/],
    ["replicates in another order", (rows) => [...rows].reverse(), /^expected refit 6 \(base, 0 more records\)/],
    ["rows in another order", ([one, ...rest]) => [[...one].reverse(), ...rest], /^expected refit 6 \(base/],
    ["a row too few", ([one, ...rest]) => [one.slice(1), ...rest], /^expected the 3 rows of a replicate/],
    ["a row without numbers", ([[row, ...more], ...rest]) => [[{ ...row, quantities: [] }, ...more], ...rest], /^exp/],
    ["rows that are none", ([one, ...rest]) => [one.map(() => null), ...rest], /^expected refit 6 /],
  ])("refuses %s as bad data, by the part's name", async (_name, change, message) => {
    const changed = { ...shards[1], rows: change(shards[1].rows) as Kept["rows"] };
    const parts = [partOf(shards[0]), partOf(changed, "second"), partOf(shards[2])];
    const error = { kind: "data", place: { file: "second" }, message: expect.stringMatching(message) };
    await expect(mergeSweeps(parts)).rejects.toMatchObject(error);
  });

  it.each([[undefined], [{}], [[{}]], [[null]], [[{ plan: {}, rows: [], seconds: 1 }]]])(
    "refuses %j as wrong usage",
    async (parts) => {
      const merged = mergeSweeps(parts as unknown as SweepPart[]);
      await expect(merged).rejects.toMatchObject({ kind: "usage", message: expect.stringMatching(/^parts/) });
    },
  );
});

describe("a shard", () => {
  it.each([
    [{ index: 2, count: 2 }],
    [{ index: -1, count: 2 }],
    [{ index: 0, count: 0 }],
    [{ index: 0.5, count: 2 }],
    [{}],
    ["0/2"],
    [null],
  ])("that is none is wrong usage: %j", async (shard) => {
    await expect(run({ shard: shard as unknown as { index: number; count: number } })).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^shard must be \{ index, count \} with index from 0 to count - 1, not /),
    });
  });

  it("needs the seed of the others; the only one of its kind doesn't", async () => {
    const options = { seed: undefined };
    const message = expect.stringMatching(/^--shard needs --seed, the same for every shard/);
    await expect(shardOf(0, options)).rejects.toMatchObject({ kind: "usage", message });
    expect((await run({ ...options, shard: { index: 0, count: 1 } })).sweep.refits).toBe(21);
  });
});

describe("finished rows", () => {
  const resumed = async (rows: readonly unknown[]): Promise<SweepDocument> =>
    sweep([preset], { ...quick, finished: () => each(rows as Kept["rows"]) });

  it("are not run again, and give the same sweep", async () => {
    for (const count of [0, 3, 7]) {
      const { sweeps } = await resumed(whole.rows.slice(0, count));
      expect(timeless(sweeps[0])).toEqual(timeless(whole.sweep));
    }
  });

  it.each<[string, (rows: Kept["rows"]) => unknown[], RegExp]>([
    ["one replicate too many", (rows) => [...rows, rows[6]], /^there are more rows than the 21 of this run$/],
    ["another order", (rows) => [rows[1], rows[0]], /^expected refit 0 \(base, 0 more records\)/],
    ["no rows", () => [5], /^expected the 3 rows of a replicate, not 5$/],
  ])("are refused with %s", async (_name, change, message) => {
    await expect(resumed(change(whole.rows))).rejects.toMatchObject({
      kind: "data",
      place: { file: "nq-sparse-gemma3" },
      message: expect.stringMatching(message),
    });
  });

  it("that aren't iterable are wrong usage", async () => {
    const finished = (() => 5) as unknown as NonNullable<SweepOptions["finished"]>;
    await expect(run({ finished })).rejects.toMatchObject({ kind: "usage" });
  });
});

it("more refits than there are streams are wrong usage", async () => {
  await expect(run({ replicates: 2 ** 53 - 1, shard: { index: 1, count: 2 ** 52 } })).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringMatching(/^--replicates 9007199254740991 of 3 cells are more than 2\^53 - 1 refits$/),
  });
});
