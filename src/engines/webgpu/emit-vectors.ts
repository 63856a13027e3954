import type { Layout } from "./layout.js";

/**
 * WGSL for vectors of K numbers and of Q quantities, unrolled into structs of scalars: arrays that are indexed in a loop
 * would leave the registers.
 */
export function emitVectors({ ROWS, QUANTITIES }: Layout): string {
  const K = range(ROWS);
  const Q = range(QUANTITIES);
  const x = (k: number): string => `x${k}`;
  return `struct Vector {
${K.map((k) => `  x${k}: f32,`).join("\n")}
}

struct Kept {
${Q.map((q) => `  q${q}: f32,`).join("\n")}
}

/** a + size b */
fn moved(a: Vector, size: f32, b: Vector) -> Vector {
  return Vector(${K.map((k) => `a.${x(k)} + size * b.${x(k)}`).join(", ")});
}

fn squares(a: Vector) -> f32 {
  return ${K.map((k) => `a.${x(k)} * a.${x(k)}`).join(" + ")};
}

fn chosen(a: Vector, b: Vector, first: bool) -> Vector {
  return Vector(${K.map((k) => `select(b.${x(k)}, a.${x(k)}, first)`).join(", ")});
}

fn chosenKept(a: Kept, b: Kept, first: bool) -> Kept {
  return Kept(${Q.map((q) => `select(b.q${q}, a.q${q}, first)`).join(", ")});
}

fn normals(random: ptr<function, vec4u>) -> Vector {
${range(Math.ceil(ROWS / 2))
  .map((i) => `  let n${i} = normalPair(random);`)
  .join("\n")}
  return Vector(${K.map((k) => `n${k >> 1}.${k % 2 === 0 ? "x" : "y"}`).join(", ")});
}

/** W z: an upper triangle times a vector. */
fn logitsOf(z: Vector) -> Vector {
  return Vector(
${K.map((i) => `    ${sum(K.slice(i).map((j) => `root[${rootAt(ROWS, i, j)}] * z.${x(j)}`))},`).join("\n")}
  );
}

/** W' g */
fn directionsOf(g: Vector) -> Vector {
  return Vector(
${K.map((j) => `    ${sum(K.slice(0, j + 1).map((i) => `root[${rootAt(ROWS, i, j)}] * g.${x(i)}`))},`).join("\n")}
  );
}

fn stretched(a: Vector) -> Vector {
  return Vector(${K.map((k) => `a.${x(k)} * factors[${k}]`).join(", ")});
}

fn shrunk(a: Vector) -> Vector {
  return Vector(${K.map((k) => `a.${x(k)} / factors[${k}]`).join(", ")});
}

fn spill(a: Vector, chain: u32) {
${K.map((k) => `  tile[${k}u * CHAINS + chain] = a.${x(k)};`).join("\n")}
}

fn loadVector(at: u32) -> Vector {
  return Vector(${K.map((k) => `bitcast<f32>(states[at + ${k}u * CHAINS])`).join(", ")});
}

fn storeVector(at: u32, a: Vector) {
${K.map((k) => `  states[at + ${k}u * CHAINS] = bitcast<u32>(a.${x(k)});`).join("\n")}
}

fn loadKept(at: u32) -> Kept {
  return Kept(${Q.map((q) => `bitcast<f32>(states[at + ${q}u * CHAINS])`).join(", ")});
}

fn storeKept(at: u32, a: Kept) {
${Q.map((q) => `  states[at + ${q}u * CHAINS] = bitcast<u32>(a.q${q});`).join("\n")}
}

/** Writes a draw of every quantity, \`stride\` apart. */
fn keep(kept: Kept, at: u32, stride: u32) {
${Q.map((q) => `  draws[at + ${q}u * stride] = kept.q${q};`).join("\n")}
}
`;
}

export const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

export const sum = (terms: readonly string[]): string => terms.join(" + ");

const rootAt = (K: number, i: number, j: number): number => i * K - (i * (i + 1)) / 2 + j;
