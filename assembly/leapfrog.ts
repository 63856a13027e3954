// Phase points and one leapfrog step of one chain.
//
// A phase point is position, momentum (in units of the metric) and gradient, each f64 [padded], then the log density.
// `padded` is the dimension rounded up to even; the padding holds zeros, so that vectors of two need no special case.
import { add, high, low, mul } from "./lanes";

@inline export function paddedBytes(dimensions: usize): usize {
  return ((dimensions + 1) & ~1) << 3;
}

/** Bytes of a phase point whose vectors have `span` bytes. */
@inline export function pointBytes(span: usize): usize {
  return 3 * span + 16;
}

@inline export function logDensityOf(point: usize, span: usize): f64 {
  return load<f64>(point + 3 * span);
}

/**
 * One step from a point to another: half kick, drift, half kick. `step` holds step size * scale, negative backwards.
 * Returns minus the energy of the new point: its log density minus its kinetic energy.
 */
@inline export function leapfrog<D>(density: D, from: usize, to: usize, step: usize, span: usize): f64 {
  const half = f64x2.splat(0.5);
  const momentum = span;
  const gradient = 2 * span;
  for (let k: usize = 0; k < span; k += 16) {
    const s = v128.load(step + k);
    const r = add<v128>(v128.load(from + momentum + k), mul<v128>(mul<v128>(half, s), v128.load(from + gradient + k)));
    v128.store(to + momentum + k, r);
    v128.store(to + k, add<v128>(v128.load(from + k), mul<v128>(s, r)));
  }
  density.gradient<f64>(to, to + gradient);
  const logDensity = density.logDensity<f64>(to);
  store<f64>(to + 3 * span, logDensity);
  let squares = f64x2.splat(0.0);
  for (let k: usize = 0; k < span; k += 16) {
    const s = v128.load(step + k);
    const r = add<v128>(v128.load(to + momentum + k), mul<v128>(mul<v128>(half, s), v128.load(to + gradient + k)));
    v128.store(to + momentum + k, r);
    squares = add<v128>(squares, mul<v128>(r, r));
  }
  return logDensity - 0.5 * (low(squares) + high(squares));
}
