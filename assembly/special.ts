// exp, log and the logistic functions. Constants stand in memory, stored for two lanes: engines rebuild a splatted
// constant on every use, which costs more than the load.
import { add, div, mul, negate, sub } from "./lanes";

/** A constant of the tables below, in every lane. */
@inline function c<V>(table: usize, index: usize): V {
  return load<V>(table + (index << 4));
}

// Cody and Waite's reduction x = k ln 2 + r, then a degree 11 polynomial near minimax on |r| <= ln 2 / 2 (relative error
// 2e-17 before rounding). 2^52 * 1.5 brings k into the low bits.
const expTable = memory.data<f64>([
  -700.0, -700.0, 700.0, 700.0, 1.4426950408889634, 1.4426950408889634, 6755399441055744.0, 6755399441055744.0,
  0.6931471803691238, 0.6931471803691238, 1.9082149292705877e-10, 1.9082149292705877e-10, 1.0, 1.0,
  0.5000000000000001, 0.5000000000000001, 0.16666666666666669, 0.16666666666666669, 0.04166666666662413,
  0.04166666666662413, 0.008333333333330062, 0.008333333333330062, 0.0013888888917213717, 0.0013888888917213717,
  0.00019841269863053618, 0.00019841269863053618, 2.4801521295954376e-5, 2.4801521295954376e-5,
  2.7557268459997064e-6, 2.7557268459997064e-6, 2.7620088445409746e-7, 2.7620088445409746e-7,
  2.510038549551032e-8, 2.510038549551032e-8,
], 16);

/** exp(x) for x in [-700, 700], clamped outside; relative error below 5e-16. NaN gives no number that means anything. */
@inline export function exp<V>(x: V): V {
  const clamped = clamp<V>(x, c<V>(expTable, 0), c<V>(expTable, 1));
  const shifted = add<V>(mul<V>(clamped, c<V>(expTable, 2)), c<V>(expTable, 3));
  const k = sub<V>(shifted, c<V>(expTable, 3));
  const r = sub<V>(sub<V>(clamped, mul<V>(k, c<V>(expTable, 4))), mul<V>(k, c<V>(expTable, 5)));
  const r2 = mul<V>(r, r);
  const r4 = mul<V>(r2, r2);
  // Estrin's scheme: 1 + r + r2 (c2 + c3 r) + r4 ((c4 + c5 r) + r2 (c6 + c7 r) + r4 ((c8 + c9 r) + r2 (c10 + c11 r)))
  const a = add<V>(c<V>(expTable, 6), r);
  const b = add<V>(c<V>(expTable, 7), mul<V>(r, c<V>(expTable, 8)));
  const d = add<V>(c<V>(expTable, 9), mul<V>(r, c<V>(expTable, 10)));
  const e = add<V>(c<V>(expTable, 11), mul<V>(r, c<V>(expTable, 12)));
  const f = add<V>(c<V>(expTable, 13), mul<V>(r, c<V>(expTable, 14)));
  const g = add<V>(c<V>(expTable, 15), mul<V>(r, c<V>(expTable, 16)));
  const low = add<V>(a, mul<V>(r2, b));
  const middle = add<V>(d, mul<V>(r2, e));
  const high = add<V>(f, mul<V>(r2, g));
  return scale<V>(add<V>(low, mul<V>(r4, add<V>(middle, mul<V>(r4, high)))), shifted);
}

@inline function clamp<V>(x: V, least: V, most: V): V {
  if (isVector<V>()) return f64x2.pmax(least, f64x2.pmin(most, x));
  else return x < least ? least : x > most ? most : x;
}

/** x * 2^k, k in the low bits of `shifted`. */
@inline function scale<V>(x: V, shifted: V): V {
  if (isVector<V>()) return i64x2.add(x, i64x2.shl(shifted, 52));
  else return <V>reinterpret<f64>(reinterpret<u64>(x) + (reinterpret<u64>(shifted) << 52));
}

// x = 2^e m with m in [sqrt(1/2), sqrt 2); log m = 2 artanh s, s = (m - 1) / (m + 1): odd polynomial near minimax.
const logTable = memory.data<f64>([
  4503599627371519.0, 4503599627371519.0, 1.0, 1.0, 0.6931471805599453, 0.6931471805599453,
  0.666666666666667, 0.666666666666667, 0.39999999999899444, 0.39999999999899444, 0.2857142862600327,
  0.2857142862600327, 0.22222211130259878, 0.22222211130259878, 0.18182889455674947, 0.18182889455674947,
  0.15331710618210773, 0.15331710618210773, 0.14616585424888623, 0.14616585424888623,
], 16);
const ROOT_HALF_BITS: u64 = 0x3fe6a09e667f3bcd;
const ONE_BITS: u64 = 0x3ff0000000000000;
const logBits = memory.data<u64>([
  0x3fe6a09e667f3bcd - 0x3ff0000000000000, 0x3fe6a09e667f3bcd - 0x3ff0000000000000,
  0x4330000000000000, 0x4330000000000000, 0x3fe6a09e667f3bcd - 0x3ff0000000000000,
  0x3fe6a09e667f3bcd - 0x3ff0000000000000,
], 16);

/** log(x) for normal x > 0; relative error below 6e-16. Anything else gives no number that means anything. */
@inline export function log<V>(x: V): V {
  const e = exponent<V>(x);
  const m = mantissa<V>(x);
  const s = div<V>(sub<V>(m, c<V>(logTable, 1)), add<V>(m, c<V>(logTable, 1)));
  const z = mul<V>(s, s);
  const z2 = mul<V>(z, z);
  const a = add<V>(c<V>(logTable, 3), mul<V>(z, c<V>(logTable, 4)));
  const b = add<V>(c<V>(logTable, 5), mul<V>(z, c<V>(logTable, 6)));
  const d = add<V>(c<V>(logTable, 7), mul<V>(z, c<V>(logTable, 8)));
  const tail = add<V>(a, mul<V>(z2, add<V>(b, mul<V>(z2, add<V>(d, mul<V>(z2, c<V>(logTable, 9)))))));
  return add<V>(mul<V>(e, c<V>(logTable, 2)), add<V>(add<V>(s, s), mul<V>(mul<V>(s, z), tail)));
}

@inline function exponent<V>(x: V): V {
  if (isVector<V>()) {
    const biased = i64x2.shr_u(i64x2.sub(x, v128.load(logBits)), 52);
    return f64x2.sub(v128.or(biased, v128.load(logBits, 16)), v128.load(logTable));
  } else {
    return <V>(<f64>(<i64>((reinterpret<u64>(x) - (ROOT_HALF_BITS - ONE_BITS)) >> 52) - 1023));
  }
}

@inline function mantissa<V>(x: V): V {
  if (isVector<V>()) {
    const biased = i64x2.shr_u(i64x2.sub(x, v128.load(logBits)), 52);
    return i64x2.add(i64x2.sub(x, i64x2.shl(biased, 52)), i64x2.splat(ONE_BITS));
  } else {
    const biased = (reinterpret<u64>(x) - (ROOT_HALF_BITS - ONE_BITS)) >> 52;
    return <V>reinterpret<f64>(reinterpret<u64>(x) - (biased << 52) + ONE_BITS);
  }
}

// (softplus, sigmoid) of -|x| by Taylor series about the centres -i / 16, i = 0 ... 384: degree 6, one row of 128 bytes a
// centre, coefficient by coefficient as a pair. No exp, no log, no division.
const CENTRES: usize = 385;
const TERMS: usize = 7;
const ROW_BYTES: usize = 128;
const logisticTable = memory.data(<i32>(ROW_BYTES * CENTRES), 16);
const REACH: f64 = 24.0;

/** Fills the table by the recurrences y' = y - y^2 of the sigmoid and softplus' = y. */
export function prepareLogistic(): void {
  for (let i: usize = 0; i < CENTRES; i++) {
    const row = logisticTable + i * ROW_BYTES;
    const u = Math.exp(<f64>i * -0.0625);
    store<f64>(row, Math.log1p(u));
    store<f64>(row, u / (1.0 + u), 8);
    for (let k: usize = 0; k + 1 < TERMS; k++) {
      let next = load<f64>(row + 16 * k, 8);
      store<f64>(row + 16 * (k + 1), next / <f64>(k + 1));
      for (let j: usize = 0; j <= k; j++) next -= load<f64>(row + 16 * j, 8) * load<f64>(row + 16 * (k - j), 8);
      store<f64>(row + 16 * (k + 1), next / <f64>(k + 1), 8);
    }
  }
}

/** [softplus(-a), sigmoid(-a)] for a >= 0: relative error below 2e-14 within reach, exact functions beyond. */
@inline export function logisticBelow(a: f64): v128 {
  if (!(a < REACH)) return logisticFar(a);
  const shifted = a * 16.0 + 6755399441055744.0;
  const row = logisticTable + (<usize>(reinterpret<u64>(shifted) & 511) << 7);
  const d = (shifted - 6755399441055744.0) * 0.0625 - a;
  const d1 = f64x2.splat(d);
  const d2 = f64x2.splat(d * d);
  const c01 = f64x2.add(v128.load(row), f64x2.mul(d1, v128.load(row, 16)));
  const c23 = f64x2.add(v128.load(row, 32), f64x2.mul(d1, v128.load(row, 48)));
  const c45 = f64x2.add(v128.load(row, 64), f64x2.mul(d1, v128.load(row, 80)));
  return f64x2.add(c01, f64x2.mul(d2, f64x2.add(c23, f64x2.mul(d2, f64x2.add(c45, f64x2.mul(d2, v128.load(row, 96)))))));
}

function logisticFar(a: f64): v128 {
  const u = Math.exp(-a);
  return f64x2(Math.log1p(u), u / (1.0 + u));
}

/**
 * theta = 1 / (1 + exp(-x)) and 1 - theta = exp(-x) / (1 + exp(-x)) of two lanes, as [1 - theta, theta], clamped at
 * x = +-700; relative error of both below 8e-16.
 */
@inline export function storeLogistic(x: v128, entries: usize): void {
  const one = v128.load(expTable + 96);
  const u = exp<v128>(negate<v128>(x));
  const theta = f64x2.div(one, f64x2.add(one, u));
  v128.store(entries, f64x2.mul(u, theta));
  v128.store(entries, theta, 16);
}
