import type { SamplerName } from "../../src/engines/engine.js";
import { drawsByName, openSampler } from "../support/kernel.js";
import { type DrawsOf, testPosteriors } from "../support/posteriors.js";

const chains = 4;

const drawsWith =
  (sampler: SamplerName): DrawsOf =>
  (network, counts) => {
    const opened = openSampler(network, { sampler, chains, warmup: 500, draws: 10_000, seed: 181 });
    opened.sample(counts, 1);
    return drawsByName(opened, network);
  };

testPosteriors(
  chains,
  (["nuts", "hmc"] as const).map((sampler) => [sampler, drawsWith(sampler)]),
);
