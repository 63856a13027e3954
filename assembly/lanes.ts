// Arithmetic on one chain (V = f64) or on two at once (V = v128, a chain a lane), so that each formula is written once.
// Values in memory take sizeof<V>() bytes; constants are stored twice, as [c, c].

@inline export function add<V>(a: V, b: V): V {
  if (isVector<V>()) return f64x2.add(a, b);
  else return <V>(a + b);
}

@inline export function sub<V>(a: V, b: V): V {
  if (isVector<V>()) return f64x2.sub(a, b);
  else return <V>(a - b);
}

@inline export function mul<V>(a: V, b: V): V {
  if (isVector<V>()) return f64x2.mul(a, b);
  else return <V>(a * b);
}

@inline export function div<V>(a: V, b: V): V {
  if (isVector<V>()) return f64x2.div(a, b);
  else return <V>(a / b);
}

@inline export function negate<V>(a: V): V {
  if (isVector<V>()) return f64x2.neg(a);
  else return <V>-a;
}

/** An f64 in memory, in every lane. */
@inline export function broadcast<V>(pointer: usize): V {
  if (isVector<V>()) return v128.load64_splat(pointer);
  else return <V>load<f64>(pointer);
}

@inline export function constant<V>(x: f64): V {
  if (isVector<V>()) return f64x2.splat(x);
  else return <V>x;
}

@inline export function low(a: v128): f64 {
  return f64x2.extract_lane(a, 0);
}

@inline export function high(a: v128): f64 {
  return f64x2.extract_lane(a, 1);
}

/** Copies whole vectors; for a few of them faster than the engine's own copy. */
@inline export function copy(to: usize, from: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 16) v128.store(to + k, v128.load(from + k));
}
