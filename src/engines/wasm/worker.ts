import { CHAIN_DIVERGENCES, CHAIN_FIELDS, CHAIN_LEAPFROGS } from "../../generated/layout.js";
import type { ChainsResult, ChainsTask, RefitsResult, RefitsTask, Request, Response, Setup } from "./protocol.js";
import { Sampler } from "./sampler.js";

type Post = (response: Response, transfer: ArrayBuffer[]) => void;

/** The worker's side of the protocol, in whatever thread: takes a request, posts the answer. */
export function requestHandler(post: Post): (request: Request) => void {
  const samplers = new Map<number, Sampler>();
  const answer = (request: Request): void => {
    switch (request.kind) {
      case "setup": {
        const { setup, network, options, chains }: Setup = request.setup;
        samplers.set(setup, new Sampler(network, options, chains));
        post({ kind: "ready", setup }, []);
        return;
      }
      case "forget":
        samplers.delete(request.setup);
        return;
      case "task": {
        const { task, number } = request;
        const sampler = samplers.get(task.setup);
        if (sampler === undefined) throw new Error(`worker was never told setup ${task.setup}`);
        const [result, transfer] = task.kind === "refits" ? refits(sampler, task) : chains(sampler, task);
        post({ kind: "done", number, result }, transfer);
        return;
      }
      default:
        request satisfies never;
    }
  };
  return (request) => {
    try {
      answer(request);
    } catch (error) {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      post(
        { kind: "failed", number: request.kind === "task" ? request.number : null, error: { name, message, stack } },
        [],
      );
    }
  };
}

function refits(sampler: Sampler, { counts, ids }: RefitsTask): [RefitsResult, ArrayBuffer[]] {
  const patterns = counts.length / ids.length;
  const divergences = new Float64Array(ids.length);
  const leapfrogs = new Float64Array(ids.length);
  let summaries = new Float64Array(0);
  for (let i = 0; i < ids.length; i++) {
    sampler.sample(counts.subarray(i * patterns, (i + 1) * patterns), ids[i]);
    divergences[i] = sumOver(sampler, CHAIN_DIVERGENCES);
    leapfrogs[i] = sumOver(sampler, CHAIN_LEAPFROGS);
    const summary = sampler.summarise();
    if (i === 0) summaries = new Float64Array(summary.length * ids.length);
    summaries.set(summary, i * summary.length);
  }
  return [
    { kind: "refits", summaries, divergences, leapfrogs },
    [summaries.buffer, divergences.buffer, leapfrogs.buffer],
  ];
}

function chains(sampler: Sampler, { counts, id, firstChain }: ChainsTask): [ChainsResult, ArrayBuffer[]] {
  const begin = clock();
  sampler.sample(counts, id, firstChain);
  const end = clock();
  const values = Array.from({ length: sampler.quantities }, (_, q) => Float64Array.from(sampler.drawsOf(q)));
  const results = Float64Array.from(sampler.chainResults);
  return [{ kind: "chains", values, results, begin, end }, [...values.map((v) => v.buffer), results.buffer]];
}

function sumOver(sampler: Sampler, field: number): number {
  let sum = 0;
  for (let at = field; at < sampler.chainResults.length; at += CHAIN_FIELDS) sum += sampler.chainResults[at];
  return sum;
}

/** Milliseconds on a clock that all threads of the machine share. */
const clock = (): number => performance.timeOrigin + performance.now();
