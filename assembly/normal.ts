// Standard normals by the ziggurat of Marsaglia and Tsang (2000) with 256 layers, from 64 bits a draw: 8 bits choose the
// layer, 53 others the place in it (sharing bits between the two correlates them, Doornik 2005).
import { Stream } from "./philox";

const LAYERS: usize = 256;
const TAIL: f64 = 3.6541528853610088; // where the lowest layer's tail begins
const AREA: f64 = 0.00492867323399; // of each layer

const edges = memory.data(<i32>(8 * (LAYERS + 1)), 16); // x of each layer, decreasing; edges[0] = AREA / f(TAIL)
const ratios = memory.data(<i32>(8 * LAYERS), 16); // edges[i + 1] / edges[i]

@inline function density(x: f64): f64 {
  return Math.exp(-0.5 * x * x);
}

export function prepareNormals(): void {
  store<f64>(edges, AREA / density(TAIL));
  store<f64>(edges, TAIL, 8);
  for (let i: usize = 2; i < LAYERS; i++) {
    const x = load<f64>(edges + 8 * (i - 1));
    store<f64>(edges + 8 * i, Math.sqrt(-2.0 * Math.log(AREA / x + density(x))));
  }
  store<f64>(edges + 8 * LAYERS, 0.0);
  for (let i: usize = 0; i < LAYERS; i++) {
    store<f64>(ratios + 8 * i, load<f64>(edges + 8 * i, 8) / load<f64>(edges + 8 * i));
  }
}

@inline export function normal(stream: Stream): f64 {
  const bits = stream.next();
  const layer = <usize>(bits & 255) << 3;
  const u = <f64>(<i64>bits >> 11) * 2.220446049250313e-16; // (-1, 1)
  if (Math.abs(u) < load<f64>(ratios + layer)) return u * load<f64>(edges + layer);
  return outside(stream, layer, u);
}

/** The 1.2 % of draws that fall outside a layer's inner rectangle. */
function outside(stream: Stream, firstLayer: usize, firstU: f64): f64 {
  let layer = firstLayer;
  let u = firstU;
  while (true) {
    if (layer == 0) return tail(stream, u < 0.0);
    const x = u * load<f64>(edges + layer);
    const outer = density(load<f64>(edges + layer));
    const inner = density(load<f64>(edges + layer, 8));
    if (outer + stream.uniform() * (inner - outer) < density(x)) return x;
    const bits = stream.next();
    layer = <usize>(bits & 255) << 3;
    u = <f64>(<i64>bits >> 11) * 2.220446049250313e-16;
    if (Math.abs(u) < load<f64>(ratios + layer)) return u * load<f64>(edges + layer);
  }
}

/** Marsaglia's (1964) exact tail beyond TAIL. */
function tail(stream: Stream, negative: bool): f64 {
  let x: f64, y: f64;
  do {
    x = -Math.log(1.0 - stream.uniform()) / TAIL;
    y = -Math.log(1.0 - stream.uniform());
  } while (y + y < x * x);
  return negative ? -(TAIL + x) : TAIL + x;
}
