import { beforeEach, describe, expect, it } from "vitest";
import { createEngine } from "../../dist/index.js";
import { Server } from "../../dist/serve/server.js";
import type { ServeAnswer, ServeRefits } from "../../src/serve/protocol.js";

const backend = await createEngine({ workers: 0 });
let answers: ServeAnswer[] = [];
let server: Server;

function serve(queue = 64): Server {
  answers = [];
  server = new Server({ backend, queue, answer: async (answer: ServeAnswer) => void answers.push(answer) });
  return server;
}

async function exchange(...requests: unknown[]): Promise<ServeAnswer[]> {
  for (const request of requests) await server.take(typeof request === "string" ? request : JSON.stringify(request));
  await server.drained();
  return answers;
}

const records = [
  { R: 1, A: 0, T: 1 },
  { R: 0, A: 1 },
  { A: 0, T: 0 },
];
const refits = { observations: records, counts: [[10, 5, 3]], quantities: ["P(G=1)"], seed: 1, draws: 100 };

describe("a server", () => {
  beforeEach(() => void serve());

  it("answers each request under its id with the same numbers for the same seed", async () => {
    const request = { method: "fit", params: { records, seed: 3, draws: 100 } };
    await exchange({ id: "a", ...request }, { id: 7, ...request });
    const results = new Map(answers.map((answer) => [answer.id, "result" in answer ? answer.result : null]));
    const quantities = (id: string | number) => (results.get(id) as { quantities: unknown }).quantities;
    expect(quantities("a")).toEqual(quantities(7));
    expect(quantities(7)).toHaveLength(9);
  });

  it("gives one row a refit and one number a quantity", async () => {
    const [answer] = await exchange({
      id: 1,
      method: "refits",
      params: {
        ...refits,
        counts: [
          [10, 5, 3],
          [1, 2, 3],
        ],
      },
    });
    const result = (answer as { result: ServeRefits }).result;
    expect(result.quantities).toEqual(["P(G=1)"]);
    for (const field of ["mean", "sd", "median", "lower", "upper", "rhat", "ess"] as const) {
      expect(result[field]).toHaveLength(2);
      expect(result[field].every(([value]) => Number.isFinite(value))).toBe(true);
    }
  });

  it("cuts a batch anywhere without a change, given firstId", async () => {
    const counts = [
      [10, 5, 3],
      [1, 2, 3],
      [4, 4, 4],
    ];
    await exchange(
      { id: 1, method: "refits", params: { ...refits, counts } },
      { id: 2, method: "refits", params: { ...refits, counts: counts.slice(1), firstId: 1 } },
    );
    const means = (id: number) => (answers.find((answer) => answer.id === id) as { result: ServeRefits }).result.mean;
    expect(means(2)).toEqual(means(1).slice(1));
  });

  it("weighs adherence as the policy of the request says", async () => {
    const policy = "A=1:1, A=0:0.5";
    const params = { ...refits, counts: [[10, 5, 3]], quantities: ["P(G=1)", "P(A=1)"], policy };
    const [answer] = await exchange({ id: 1, method: "refits", params });
    const [adherence, abstention] = (answer as { result: ServeRefits }).result.mean[0] as number[];
    expect(adherence).toBeCloseTo(0.5 + 0.5 * abstention, 12);
  });

  it("sends progress where it is asked for", async () => {
    await exchange({ id: 1, method: "refits", params: { ...refits, progress: true } });
    expect(answers[0]).toEqual({ id: 1, progress: { finished: 1, total: 1 } });
  });

  it.each([
    ["no JSON", "{oops", null, "data"],
    ["no object", "[1]", null, "data"],
    ["no id", { method: "info" }, null, "usage"],
    ["no method", { id: 1 }, 1, "usage"],
    ["an unknown method", { id: 1, method: "guess" }, 1, "usage"],
    ["the name of an inherited property as method", { id: 1, method: "constructor" }, 1, "usage"],
    ["an unknown parameter", { id: 1, method: "fit", params: { records, sead: 1 } }, 1, "usage"],
    ["a bad label", { id: 1, method: "fit", params: { records: [{ R: 2 }] } }, 1, "data"],
    [
      "a contradiction",
      { id: 1, method: "refits", params: { ...refits, observations: [{ A: 1, T: 1 }], counts: [[1]] } },
      1,
      "usage",
    ],
    ["an id that JSON rounds to infinity", '{"id": 1e400, "method": "info"}', null, "usage"],
    ["an id that JSON rounds to another", '{"id": 9007199254740993, "method": "info"}', null, "usage"],
    ["a policy that can't be read", { id: 1, method: "fit", params: { records, policy: "R=0" } }, 1, "usage"],
    ["an id of no kind", { id: [1], method: "info" }, null, "usage"],
    ["a parameter of info", { id: 1, method: "info", params: { all: true } }, 1, "usage"],
    ["a cancel without an id", { id: 1, method: "cancel", params: {} }, 1, "usage"],
    ["a cancel with more", { id: 1, method: "cancel", params: { id: 2, all: true } }, 1, "usage"],
    ["priors that are a number", { id: 1, method: "fit", params: { records, priors: 5 } }, 1, "usage"],
    ["a prior in text", { id: 1, method: "fit", params: { records, priors: { theta_R: "1,9" } } }, 1, "usage"],
    [
      "a prior in text for refits",
      { id: 1, method: "refits", params: { ...refits, priors: { theta_R: "1" } } },
      1,
      "usage",
    ],
    ["a source that is no name", { id: 1, method: "fit", params: { records, source: {} } }, 1, "usage"],
    ["a rule that is none", { id: 1, method: "fit", params: { records, abstainedSuccess: 5 } }, 1, "usage"],
    ["a network that is no name", { id: 1, method: "fit", params: { records, network: { name: "rat" } } }, 1, "usage"],
    ["a quantity that is a number", { id: 1, method: "refits", params: { ...refits, quantities: [5] } }, 1, "usage"],
    ["an expression that is one", { id: 1, method: "refits", params: { ...refits, quantities: { x: 5 } } }, 1, "usage"],
    ["progress in text", { id: 1, method: "refits", params: { ...refits, progress: "yes" } }, 1, "usage"],
    ["ids beyond 2^53", { id: 1, method: "refits", params: { ...refits, firstId: 2 ** 53 } }, 1, "usage"],
    ["counts beyond 2^53", { id: 1, method: "refits", params: { ...refits, counts: [[1, 2, 1e16]] } }, 1, "usage"],
    ["a fraction of a record", { id: 1, method: "refits", params: { ...refits, counts: [[1, 0.5, 1]] } }, 1, "usage"],
    ["a row too short", { id: 1, method: "refits", params: { ...refits, counts: [[1]] } }, 1, "usage"],
    ["a malformed quantity", { id: 1, method: "refits", params: { ...refits, quantities: ["P(G=1"] } }, 1, "usage"],
    ["an unknown network", { id: 1, method: "fit", params: { records, network: "toString" } }, 1, "usage"],
  ])("answers %s with an error as a value", async (_name, request, id, kind) => {
    expect(await exchange(request)).toEqual([
      { id, error: { kind, code: expect.any(Number), message: expect.any(String) } },
    ]);
  });

  const samePattern = { ...refits, observations: [{ A: 1 }, { A: 1, T: 0 }] };
  it.each<[string, unknown[]]>([
    ["below 0", [-5, 10]],
    ["with fractions", [0.5, 0.5]],
    ["in text", [1, "2"]],
  ])("refuses counts %s, though they add up to one that is good", async (_name, counts) => {
    await exchange({ id: 1, method: "refits", params: { ...samePattern, counts: [[1, 1], counts] } });
    const message = expect.stringMatching(/^counts\[1\]\[[01]\] is .+, not a whole number from 0 to 2\^53$/);
    expect(answers).toEqual([{ id: 1, error: { kind: "usage", code: 64, message } }]);
  });

  it("adds up the counts of observations that are one pattern, up to 2^53", async () => {
    const common = { ...samePattern, quantities: ["P(A=1)"] };
    await exchange(
      { id: 1, method: "refits", params: { ...common, counts: [[2, 3]] } },
      { id: 2, method: "refits", params: { ...common, counts: [[5, 0]] } },
      { id: 3, method: "refits", params: { ...common, counts: [[2 ** 53, 0]] } },
    );
    const means = [1, 2, 3].map((id) => (answers.find((one) => one.id === id) as { result: ServeRefits }).result.mean);
    expect(means[0]).toEqual(means[1]);
    expect(means[2][0][0]).toBeGreaterThan(0.999);
  });

  it("takes every quantity by the name that it is answered under", async () => {
    const params = { ...refits, quantities: undefined };
    await exchange({ id: 1, method: "refits", params });
    const all = (answers[0] as { result: ServeRefits }).result;
    expect(all.quantities).toHaveLength(9);
    await exchange({ id: 2, method: "refits", params: { ...params, quantities: all.quantities } });
    expect(answers[1]).toEqual({ id: 2, result: all });
  });

  it("refuses an id that is still under way", async () => {
    await exchange({ id: 1, method: "fit", params: { records, seed: 1 } }, { id: 1, method: "info" });
    expect(answers.map((answer) => "error" in answer)).toEqual([true, false]);
  });
});

it("answers busy beyond the queue, and takes requests again afterwards", async () => {
  serve(2);
  const request = { method: "fit", params: { records, seed: 1, draws: 100 } };
  await exchange(...[1, 2, 3].map((id) => ({ id, ...request })));
  const busy = answers.find((answer) => answer.id === 3) as { error: { kind: string; code: number } };
  expect(busy.error).toMatchObject({ kind: "busy", code: 75 });
  answers.length = 0;
  await exchange({ id: 3, ...request });
  expect(answers[0]).toHaveProperty("result");
});

it("cancels what is under way, and says so where nothing is", async () => {
  serve();
  const many = Array.from({ length: 2000 }, () => [10, 5, 3]);
  await server.take(JSON.stringify({ id: 1, method: "refits", params: { ...refits, counts: many, draws: 1000 } }));
  await exchange({ id: 2, method: "cancel", params: { id: 1 } }, { id: 3, method: "cancel", params: { id: "none" } });
  expect(answers).toContainEqual({ id: 2, result: { cancelled: true } });
  expect(answers).toContainEqual({ id: 3, result: { cancelled: false } });
  expect(answers.find((answer) => answer.id === 1)).toMatchObject({ error: { kind: "interrupted", code: 130 } });
});
