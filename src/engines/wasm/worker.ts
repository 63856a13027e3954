import { RatError } from "../../errors.js";
import { CHAIN_DIVERGENCES, CHAIN_LEAPFROGS } from "../../generated/layout.js";
import { Approximator } from "./approximator.js";
import type {
  ApproximationsResult,
  ApproximationsTask,
  ChainsResult,
  ChainsTask,
  RefitsResult,
  RefitsTask,
  Request,
  Response,
  Setup,
  Task,
  TaskResult,
  WireError,
} from "./protocol.js";
import { Sampler } from "./sampler.js";

type Post = (response: Response, transfer: ArrayBuffer[]) => void;

/** The worker's side of the protocol, in whatever thread: takes a request, posts the answer. */
export function requestHandler(post: Post): (request: Request) => void {
  const samplers = new Map<number, Sampler>();
  const approximators = new Map<number, Approximator>();
  const perform = (task: Task): [TaskResult, ArrayBuffer[]] => {
    switch (task.kind) {
      case "refits":
        return refits(known(samplers, task), task);
      case "chains":
        return chains(known(samplers, task), task);
      case "approximations":
        return approximations(known(approximators, task), task);
      default:
        return task satisfies never;
    }
  };
  const answer = (request: Request): void => {
    switch (request.kind) {
      case "setup": {
        const { setup, network, sampling }: Setup = request.setup;
        if (sampling === null) approximators.set(setup, new Approximator(network));
        else samplers.set(setup, new Sampler(network, sampling.options, sampling.chains, sampling.trace));
        post({ kind: "ready", setup }, []);
        return;
      }
      case "forget":
        samplers.delete(request.setup);
        approximators.delete(request.setup);
        return;
      case "task": {
        const [result, transfer] = perform(request.task);
        post({ kind: "done", number: request.number, result }, transfer);
        return;
      }
      default:
        request satisfies never;
    }
  };
  return (request) => {
    try {
      answer(request);
    } catch (thrown) {
      const error = toWire(thrown);
      if (request.kind === "setup") post({ kind: "unready", setup: request.setup.setup, error }, []);
      else if (request.kind === "task") post({ kind: "failed", number: request.number, error }, []);
    }
  };
}

function known<T>(ready: ReadonlyMap<number, T>, { setup, kind }: Task): T {
  const found = ready.get(setup);
  if (found === undefined) throw new Error(`worker was never told setup ${setup} for ${kind}`);
  return found;
}

function toWire(thrown: unknown): WireError {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { kind: thrown instanceof RatError ? thrown.kind : null, name, message, stack };
}

function refits(sampler: Sampler, { counts, ids, seed }: RefitsTask): [RefitsResult, ArrayBuffer[]] {
  const patterns = counts.length / ids.length;
  const divergences = new Float64Array(ids.length);
  const leapfrogs = new Float64Array(ids.length);
  let summaries = new Float64Array(0);
  sampler.seed = seed;
  for (let i = 0; i < ids.length; i++) {
    sampler.sample(counts.subarray(i * patterns, (i + 1) * patterns), ids[i]);
    divergences[i] = sampler.total(CHAIN_DIVERGENCES);
    leapfrogs[i] = sampler.total(CHAIN_LEAPFROGS);
    const summary = sampler.summarise();
    if (i === 0) summaries = new Float64Array(summary.length * ids.length);
    summaries.set(summary, i * summary.length);
  }
  return [
    { kind: "refits", summaries, divergences, leapfrogs },
    [summaries.buffer, divergences.buffer, leapfrogs.buffer],
  ];
}

function chains(sampler: Sampler, { counts, id, firstChain, seed }: ChainsTask): [ChainsResult, ArrayBuffer[]] {
  sampler.seed = seed;
  const begin = clock();
  sampler.sample(counts, id, firstChain);
  const end = clock();
  const values = Array.from({ length: sampler.quantities }, (_, q) => Float64Array.from(sampler.drawsOf(q)));
  const results = Float64Array.from(sampler.chainResults);
  const trace = sampler.trace === null ? null : Float64Array.from(sampler.trace);
  const buffers = [...values, results, ...(trace === null ? [] : [trace])].map((array) => array.buffer);
  return [{ kind: "chains", values, results, trace, begin, end }, buffers];
}

function approximations(
  approximator: Approximator,
  { counts }: ApproximationsTask,
): [ApproximationsResult, ArrayBuffer[]] {
  const result = approximator.approximate(counts);
  return [
    { kind: "approximations", approximations: result },
    [result.mode, result.root, result.success, result.failure].map((array) => array.buffer),
  ];
}

/** Milliseconds on a clock that all threads of the machine share. */
const clock = (): number => performance.timeOrigin + performance.now();
