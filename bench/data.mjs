// The data and the sampling of all benchmarks.
import { compileNetwork, patternIndex, rat, ratJudge } from "../dist/network/index.js";

/** 100 fully labelled and 500 T-only records of the paper's Qwen3.5 system (HotpotQA, hybrid retrieval), as RAT. */
const base = { "000": 22, "001": 20, "010": 32, 100: 9, 101: 16, 110: 1, "?00": 163, "?01": 150, "?1?": 187 };

/** 100 records with all labels and 500 with the judge's alone, as R A T R_J T_J. */
const judge = {
  "00000": 14,
  "00001": 8,
  "00101": 12,
  "00111": 8,
  "01000": 24,
  "01001": 8,
  10010: 4,
  10011: 5,
  10111: 16,
  11000: 1,
  "?0?00": 98,
  "?0?01": 104,
  "?0?10": 27,
  "?0?11": 84,
  "?1?00": 120,
  "?1?01": 40,
  "?1?10": 20,
  "?1?11": 7,
};

/** Counts a pattern, from records by their labels in the order of the variables; ? = not seen. */
export function countsOf(network, records) {
  const indexOf = patternIndex(network);
  const counts = new Float64Array(network.patterns.length);
  for (const [key, n] of Object.entries(records)) {
    counts[indexOf([...key].map((c) => (c === "?" ? -1 : Number(c))))] += n;
  }
  return counts;
}

/** Records that show the counts, as CSV; a label that is not seen is left blank. */
export function csvOf(network, counts) {
  const names = network.variables.map(({ name }) => name);
  const rows = network.patterns.flatMap(({ levels }, i) =>
    Array(counts[i]).fill(levels.map((value) => (value < 0 ? "" : value)).join(",")),
  );
  return [names.join(","), ...rows, ""].join("\n");
}

export const pick = (definition, ...names) =>
  names.flatMap((name) => definition.quantities.filter((quantity) => quantity.name === name));

export const full = compileNetwork(rat);
export const swept = compileNetwork(rat, { quantities: pick(rat, "P(G=1)", "P(T=1)") });
export const judged = compileNetwork(ratJudge(), { quantities: pick(ratJudge(), "P(G=1)", "P(T=1)") });
export const counts = countsOf(full, base);
export const judgeCounts = countsOf(judged, judge);

export const sampling = (sampler, chains, warmup, draws) => ({ sampler, chains, warmup, draws, seed: 1, level: 0.95 });

/** A batch of the same counts again and again, each with a random stream of its own. */
export function batchOf(network, one, refits) {
  const all = new Float64Array(refits * one.length);
  for (let i = 0; i < refits; i++) all.set(one, i * one.length);
  return { network, counts: all, ids: Float64Array.from({ length: refits }, (_, i) => i) };
}
