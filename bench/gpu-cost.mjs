// What the shaders of a network compute and move, counted in the text of the functions that are emitted for it.
import { emitDensity } from "../dist/engines/webgpu/emit-density.js";
import { emitVectors } from "../dist/engines/webgpu/emit-vectors.js";
import { layoutOf } from "../dist/engines/webgpu/layout.js";
import { isAmbiguous } from "../dist/network/fold.js";

/** Operations inside the functions of shaders/special.wgsl and shaders/random.wgsl, counted there by hand. */
const calls = {
  ...{ expMinus1: 20, log1Plus: 18, expBend: 16, log1PlusBend: 32, rowAt: 100 },
  ...{ exp: 8, dot: 7, clamp: 2, select: 1, max: 1, abs: 0 },
};
/** Of a normal: half of a pair's generator (2 x 12), logarithm, root and circle. */
const normal = 40;

/** Operators and calls of a piece of WGSL; a vec4f counts four times where it is added up. */
function operations(text) {
  const operators = text.replace(/\/\*.*?\*\//gs, "").match(/ [-+*/] | [+]= /g)?.length ?? 0;
  const called = Object.entries(calls).map(
    ([name, cost]) => cost * (text.match(new RegExp(`\\b${name}\\(`, "g")) ?? []).length,
  );
  return operators + called.reduce((a, b) => a + b, 0);
}

/** The text of a function, in front of its pattern loop, in it and behind it. */
function bodyOf(source, name) {
  const start = source.indexOf(`fn ${name}(`);
  const body = source.slice(start, source.indexOf("\n}\n", start));
  const [before, rest] = body.split(/\n {2}for [^\n]*\n/);
  if (rest === undefined) return [body, "", ""];
  const end = rest.indexOf("\n  }\n");
  return [before, rest.slice(0, end), rest.slice(end)];
}

/**
 * @param leapfrogs of all chains while they draw
 * @returns floating-point operations of one leapfrog of one chain and of one refit; bytes of one refit
 */
export function costOf(network, counts, { chains, warmup, draws }, leapfrogs) {
  const layout = layoutOf(network, chains);
  const source = `${emitVectors(layout)}${emitDensity(network)}`;
  const patterns = network.patterns.filter((pattern, m) => isAmbiguous(pattern) && counts[m] > 0).length;
  const cost = (name) => {
    const [before, loop, after] = bodyOf(source, name);
    return operations(before) + patterns * operations(loop) + operations(after);
  };
  const leapfrog = 2 * cost("moved") + cost("logitsOf") + cost("directionsOf") + cost("gradient");
  const iteration = normal * layout.ROWS + 2 * cost("squares") + cost("evaluate") + 20;
  const iterations = chains * (warmup + draws);
  const refit = iterations * iteration + ((leapfrogs * (warmup + draws)) / draws) * leapfrog;
  // Draws are written once and read by five passes of the summary; states are read and written a few times.
  const bytes = 4 * (layout.RECORD_WORDS + 6 * layout.QUANTITIES * chains * draws + 4 * layout.STATE_WORDS * chains);
  return { leapfrog, refit, bytes };
}
