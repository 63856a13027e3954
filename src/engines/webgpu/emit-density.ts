import type { CompiledNetwork } from "../../network/compiled.js";
import { touchedNodes } from "../../network/shape.js";
import { neededNodes, quantityLines } from "./emit-quantities.js";
import { range, sum } from "./emit-vectors.js";

/**
 * WGSL of a network's log density and its gradient at logits d = x - x^ from the reference x^, with E = exp(d):
 *
 *     theta = theta^ E / D,  1 - theta = (1 - theta^) / D,  D = 1 - theta^ + theta^ E
 *
 * Rows and families are unrolled, patterns are a loop: each is a row of weights on the touched nodes, so that with
 * M [patterns x nodes] a pattern's probability is M p and what it expects of the nodes p * M' (n / M p).
 *
 * The log density is relative to the reference and built from changes alone (the same as assembly/centred.ts), since in
 * f32 the difference of two log densities of 10^8 records would be noise.
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

fn gradient(d: Vector, patterns: Patterns) -> Vector {
${gradientLines(network, touched).join("\n")}
}

fn evaluate(d: Vector, patterns: Patterns) -> Evaluation {
${evaluationLines(network, touched).join("\n")}
}
`;
}

function gradientLines({ familyParent, familyRow, rowNames }: CompiledNetwork, touched: readonly number[]): string[] {
  const K = range(rowNames.length);
  const needed = ancestorsOf(familyParent, touched);
  const lines = K.flatMap((k) => [
    `  let r${k} = rows[${2 * k}];`,
    `  let u${k} = r${k}.x * exp(clamp(d.x${k}, -FARTHEST, FARTHEST));`,
    `  let i${k} = 1.0 / (r${k}.y + u${k});`,
    `  let theta${k} = u${k} * i${k};`,
    `  let rest${k} = r${k}.y * i${k};`,
  ]);
  familyParent.forEach((parent, f) => {
    ["rest", "theta"].forEach((entry, e) => {
      const node = 2 * f + 1 + e;
      if (!needed.has(node)) return;
      lines.push(`  let p${node} = ${parent === 0 ? "" : `p${parent} * `}${entry}${familyRow[f]};`);
    });
  });
  const quads = quadsOf(touched);
  if (touched.length > 0) {
    lines.push(
      ...quads.map(
        (quad, i) => `  let p_${i} = vec4f(${quad.map((node) => (node < 0 ? "0.0" : `p${node}`)).join(", ")});`,
      ),
      ...quads.map((_, i) => `  var e_${i} = vec4f(0.0);`),
      "  for (var i = 0u; i < patterns.count; i++) {",
      ...patternHead(quads.length),
      `    let share = bitcast<f32>(records[at + 1u]) / (${sum(quads.map((_, i) => `dot(m_${i}, p_${i})`))});`,
      ...quads.map((_, i) => `    e_${i} += share * m_${i};`),
      "  }",
    );
  }
  const success: string[][] = K.map(() => []);
  const failure: string[][] = K.map(() => []);
  lines.push(...upLines(familyParent, familyRow, touched, success, failure));
  lines.push(
    `  return Vector(${K.map(
      (k) => `(${sum([`r${k}.z`, ...success[k]])}) * rest${k} - (${sum([`r${k}.w`, ...failure[k]])}) * theta${k}`,
    ).join(", ")});`,
  );
  return lines;
}

/** Expected records from the touched nodes upwards; fills in, by row, the names of what its two entries expect. */
function upLines(
  familyParent: Int32Array,
  familyRow: Int32Array,
  touched: readonly number[],
  success: string[][],
  failure: string[][],
): string[] {
  const parts = new Map(touched.map((node, i) => [node, [`e_${i >> 2}.${"xyzw"[i & 3]} * p${node}`]]));
  const lines: string[] = [];
  for (let f = familyParent.length - 1; f >= 0; f--) {
    for (const [child, entry] of [
      [2 * f + 1, failure],
      [2 * f + 2, success],
    ] as const) {
      const terms = parts.get(child);
      if (terms === undefined) continue;
      lines.push(`  let e${child} = ${sum(terms)};`);
      entry[familyRow[f]].push(`e${child}`);
      if (familyParent[f] > 0) parts.set(familyParent[f], [...(parts.get(familyParent[f]) ?? []), `e${child}`]);
    }
  }
  return lines;
}

function evaluationLines(network: CompiledNetwork, touched: readonly number[]): string[] {
  const { familyParent, familyRow, rowNames } = network;
  const K = range(rowNames.length);
  const needed = ancestorsOf(familyParent, [...touched, ...neededNodes(network)]);
  // By the less likely entry q of each row (s: its quad): where q is tiny, the other's logarithm would have no digits left.
  const lines = K.flatMap((k) => [
    `  let r${k} = rows[${2 * k}];`,
    `  let s${k} = rows[${2 * k + 1}];`,
    `  let y${k} = s${k}.w * d.x${k};`,
    `  let u${k} = s${k}.x * expMinus1(clamp(y${k}, -FARTHEST, FARTHEST));`,
    `  let change${k} = s${k}.w * u${k} * (1.0 - s${k}.x) / (1.0 + u${k});`,
  ]);
  lines.push(`  var density = ${sum(K.map((k) => `(s${k}.y * y${k} - s${k}.z * log1Plus(u${k}))`))};`);
  familyParent.forEach((parent, f) => {
    const k = familyRow[f];
    [`r${k}.y`, `r${k}.x`].forEach((entry, e) => {
      const node = 2 * f + 1 + e;
      if (!needed.has(node)) return;
      const sign = e === 0 ? "-" : "";
      const plus = e === 0 ? "-" : "+";
      if (parent === 0) {
        lines.push(`  let p${node} = ${entry};`, `  let c${node} = ${sign}change${k};`);
      } else {
        // The product rule: (p + c) (entry + change) - p entry.
        lines.push(
          `  let p${node} = p${parent} * ${entry};`,
          `  let c${node} = c${parent} * (${entry} ${plus} change${k}) ${plus} p${parent} * change${k};`,
        );
      }
    });
  });
  const quads = quadsOf(touched);
  if (touched.length > 0) {
    lines.push(
      ...quads.map(
        (quad, i) => `  let c_${i} = vec4f(${quad.map((node) => (node < 0 ? "0.0" : `c${node}`)).join(", ")});`,
      ),
      "  for (var i = 0u; i < patterns.count; i++) {",
      ...patternHead(quads.length),
      `    let change = bitcast<f32>(records[at + 2u]) * (${sum(quads.map((_, i) => `dot(m_${i}, c_${i})`))});`,
      "    density += bitcast<f32>(records[at + 1u]) * log1Plus(max(change, -0.9999999));",
      "  }",
    );
  }
  const farthest = K.reduce((far, k) => (k === 0 ? "abs(d.x0)" : `max(${far}, abs(d.x${k}))`), "");
  lines.push(
    `  density = select(-3e38, density, ${farthest} <= FARTHEST);`,
    ...quantityLines(network),
    `  return Evaluation(density, Kept(${network.quantities.map((_, q) => `quantity${q}`).join(", ")}));`,
  );
  return lines;
}

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
