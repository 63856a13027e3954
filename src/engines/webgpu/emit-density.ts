import type { CompiledNetwork } from "../../network/compiled.js";
import { upwardSweep } from "../../network/emit-sweep.js";
import { touchedNodes } from "../../network/shape.js";
import { neededNodes, quantityLines, valuedNodes } from "./emit-quantities.js";
import { range, sum } from "./emit-vectors.js";

/**
 * WGSL of a network's log density and its gradient at logits d = x - x^ from the reference x^, with E = exp(d):
 *
 *     theta = theta^ E / D,  1 - theta = (1 - theta^) / D,  D = 1 - theta^ + theta^ E
 *
 * Rows and families are unrolled, patterns are a loop: each is a row of weights on the touched nodes, so that with
 * M [patterns x nodes] a pattern's probability is M p and what it expects of the nodes p * M' (n / M p).
 *
 * The log density is relative to the reference and built from changes alone (as in assembly/centred.ts), since in f32 the
 * difference of two log densities of 10^8 records would be noise. So would be what its terms have of first order in d, which
 * cancels at the mode: that is one number a row, its slope, which the host finds, and the shader adds up only the terms'
 * bends, what is left of them without their first order. Of a node's probability it goes down the tree as the change does:
 *
 *     bend(child) = bend(parent) theta^ + change(parent) change(theta) + p^(parent) bend(theta)
 */
export function emitDensity(network: CompiledNetwork): string {
  const touched = touchedNodes(network);
  return `struct Patterns {
  first: u32, // word of \`records\`
  count: u32,
}

struct Evaluation {
  density: f32,
  kept: Kept,
}

/** Beyond so many logits from the reference there is nothing: f32 could not hold the powers. */
const FARTHEST = 80.0;

/**
 * Of a row at y = +-d along the logit of its less likely entry q: change of theta, bend of that, bend of log(1 - q) with its
 * sign turned. With E = exp(y) the new q is q E / (1 + u), u = q (E - 1).
 */
fn rowAt(s: vec4f, y: f32) -> vec3f {
  let q = s.x;
  let u = q * expMinus1(y);
  let share = u / (1.0 + u);
  let isNear = abs(y) < 0.5;
  let bend = expBend(select(0.0, y, isNear));
  return vec3f(
    s.w * (1.0 - q) * share,
    s.w * (1.0 - q) * select(share - q * y, q * (bend - y * u) / (1.0 + u), isNear),
    select(log1Plus(u) - q * y, log1PlusBend(u) + q * bend, isNear),
  );
}

fn gradient(d: Vector, patterns: Patterns) -> Vector {
${gradientLines(network, touched).join("\n")}
}

fn evaluate(d: Vector, patterns: Patterns) -> Evaluation {
${evaluationLines(network, touched).join("\n")}
}
`;
}

function gradientLines(network: CompiledNetwork, touched: readonly number[]): string[] {
  const { familyParent, familyRow, rowNames } = network;
  const K = range(rowNames.length);
  const needed = ancestorsOf(familyParent, touched);
  const lines = K.flatMap((k) => [`  let r${k} = rows[${2 * k}];`, ...entryLines(k)]);
  lines.push(...nodeLines("p", familyParent, familyRow, needed));
  const quads = quadsOf(touched);
  if (touched.length > 0) {
    lines.push(
      ...quadLines("p", quads),
      ...quads.map((_, i) => `  var e_${i} = vec4f(0.0);`),
      "  for (var i = 0u; i < patterns.count; i++) {",
      ...patternHead(quads.length),
      `    let share = bitcast<f32>(records[at + 1u]) / (${sum(quads.map((_, i) => `dot(m_${i}, p_${i})`))});`,
      ...quads.map((_, i) => `    e_${i} += share * m_${i};`),
      "  }",
    );
  }
  const spread = (node: number, i: number): string => `e_${i >> 2}.${"xyzw"[i & 3]} * p${node}`;
  const { sums, success, failure } = upwardSweep(network, touched, spread);
  lines.push(
    ...sums.map(({ node, terms }) => `  let e${node} = ${sum(terms)};`),
    `  return Vector(${K.map(
      (k) => `(${sum([`r${k}.z`, ...success[k]])}) * rest${k} - (${sum([`r${k}.w`, ...failure[k]])}) * theta${k}`,
    ).join(", ")});`,
  );
  return lines;
}

/** Both entries of row k, with all their digits however small they are. */
const entryLines = (k: number): string[] => [
  `  let o${k} = r${k}.x * exp(clamp(d.x${k}, -FARTHEST, FARTHEST));`,
  `  let i${k} = 1.0 / (r${k}.y + o${k});`,
  `  let theta${k} = o${k} * i${k};`,
  `  let rest${k} = r${k}.y * i${k};`,
];

/** The probabilities of nodes, from the rows' entries. */
function nodeLines(
  name: string,
  familyParent: Int32Array,
  familyRow: Int32Array,
  needed: ReadonlySet<number>,
): string[] {
  return Array.from(familyParent).flatMap((parent, f) =>
    ["rest", "theta"].flatMap((entry, e) => {
      const node = 2 * f + 1 + e;
      if (!needed.has(node)) return [];
      return [`  let ${name}${node} = ${parent === 0 ? "" : `${name}${parent} * `}${entry}${familyRow[f]};`];
    }),
  );
}

function evaluationLines(network: CompiledNetwork, touched: readonly number[]): string[] {
  const { familyParent, familyRow, rowNames } = network;
  const K = range(rowNames.length);
  const bent = ancestorsOf(familyParent, touched);
  const needed = ancestorsOf(familyParent, [...touched, ...neededNodes(network)]);
  // By the less likely entry q of each row (s: its quad): where q is tiny, the other's logarithm would have no digits left.
  const lines = K.flatMap((k) => [
    `  let r${k} = rows[${2 * k}];`,
    `  let s${k} = rows[${2 * k + 1}];`,
    `  let y${k} = clamp(s${k}.w * d.x${k}, -FARTHEST, FARTHEST);`,
    `  let row${k} = rowAt(s${k}, y${k});`,
    `  let change${k} = row${k}.x;`,
    `  let bend${k} = row${k}.y;`,
  ]);
  lines.push(`  var density = ${sum(K.map((k) => `(s${k}.y * y${k} - s${k}.z * row${k}.z)`))};`);
  familyParent.forEach((parent, f) => {
    const k = familyRow[f];
    [`r${k}.y`, `r${k}.x`].forEach((entry, e) => {
      const node = 2 * f + 1 + e;
      if (!needed.has(node)) return;
      const sign = e === 0 ? "-" : "";
      const plus = e === 0 ? "-" : "+";
      const bends = bent.has(node);
      if (parent === 0) {
        lines.push(`  let p${node} = ${entry};`, `  let c${node} = ${sign}change${k};`);
        if (bends) lines.push(`  let b${node} = ${sign}bend${k};`);
      } else {
        // The product rule: (p + c) (entry + change) - p entry.
        lines.push(
          `  let p${node} = p${parent} * ${entry};`,
          `  let c${node} = c${parent} * (${entry} ${plus} change${k}) ${plus} p${parent} * change${k};`,
        );
        const bend = `b${parent} * ${entry} ${plus} (c${parent} * change${k} + p${parent} * bend${k})`;
        if (bends) lines.push(`  let b${node} = ${bend};`);
      }
    });
  });
  const quads = quadsOf(touched);
  if (touched.length > 0) {
    lines.push(
      ...quadLines("c", quads),
      ...quadLines("b", quads),
      "  for (var i = 0u; i < patterns.count; i++) {",
      ...patternHead(quads.length),
      "    let scale = bitcast<f32>(records[at + 2u]);",
      `    let change = scale * (${sum(quads.map((_, i) => `dot(m_${i}, c_${i})`))});`,
      `    let bend = scale * (${sum(quads.map((_, i) => `dot(m_${i}, b_${i})`))});`,
      "    density += bitcast<f32>(records[at + 1u]) * (bend + log1PlusBend(max(change, -0.9999999)));",
      "  }",
    );
  }
  const valued = valuedNodes(network);
  if (valued !== null) {
    lines.push(...K.flatMap(entryLines), ...nodeLines("v", familyParent, familyRow, ancestorsOf(familyParent, valued)));
  }
  const farthest = K.reduce((far, k) => (k === 0 ? "abs(d.x0)" : `max(${far}, abs(d.x${k}))`), "");
  lines.push(
    `  density = select(-3e38, density, ${farthest} <= FARTHEST);`,
    ...quantityLines(network),
    `  return Evaluation(density, Kept(${network.quantities.map((_, q) => `quantity${q}`).join(", ")}));`,
  );
  return lines;
}

/** The touched nodes' values of one name, four by four. */
const quadLines = (name: string, quads: readonly (readonly number[])[]): string[] =>
  quads.map(
    (quad, i) => `  let ${name}_${i} = vec4f(${quad.map((node) => (node < 0 ? "0.0" : `${name}${node}`)).join(", ")});`,
  );

const patternHead = (quads: number): string[] => [
  "    let at = patterns.first + 3u * i;",
  "    let member = records[at] * TOUCHED_QUADS;",
  ...range(quads).map((i) => `    let m_${i} = members[member + ${i}u];`),
];

/** The touched nodes four by four, filled up with -1. */
function quadsOf(touched: readonly number[]): number[][] {
  return range(Math.ceil(touched.length / 4)).map((i) => range(4).map((j) => touched[4 * i + j] ?? -1));
}

/** Nodes and all that are above them, the root left out. */
function ancestorsOf(familyParent: Int32Array, nodes: readonly number[]): Set<number> {
  const all = new Set<number>();
  for (let node of nodes) for (; node > 0 && !all.has(node); node = familyParent[(node - 1) >> 1]) all.add(node);
  return all;
}
