// Elementary functions with errors of an ulp or two everywhere. WGSL's own are far less accurate than f32 where a density
// relative to its mode needs them (log near 1, exp - 1 near 0), and sin and cos may be wrong by 2^-11.

/** exp(x) - 1 for |x| <= 80, accurate near 0. */
fn expMinus1(x: f32) -> f32 {
  let k = round(x * 1.44269504);
  let r = fma(k, -1.42860677e-6, fma(k, -0.693145752, x)); // x - k ln 2, ln 2 in two parts
  let p = r * (1.0 + r * (0.5 + r * (0.16666667 + r * (0.041666668 + r * (0.008333334 + r * (0.0013888889 + r * 0.0001984127))))));
  let scale = bitcast<f32>((i32(k) + 127) << 23u);
  return scale * p + (scale - 1.0);
}

/** exp(x) - 1 - x for |x| <= 1/2, accurate near 0. */
fn expBend(x: f32) -> f32 {
  return x * x * (0.5 + x * (0.16666667 + x * (0.041666668 + x * (0.008333334 + x * (0.0013888889 + x * (0.0001984127 + x * 2.4801587e-5))))));
}

/** log(2^e (1 + v)), 1 + v in [sqrt(1/2), sqrt 2): log(1 + v) = 2 artanh(v / (2 + v)). */
fn logOfParts(e: i32, v: f32) -> f32 {
  let s = v / (2.0 + v);
  let z = s * s;
  return f32(e) * 0.69314718 + 2.0 * s * (1.0 + z * (0.33333334 + z * (0.2 + z * (0.14285715 + z * 0.11388812))));
}

/** The e of x = 2^e m, m in [sqrt(1/2), sqrt 2), for a normal x > 0. */
fn exponentOf(x: f32) -> i32 {
  return (bitcast<i32>(x) - 0x3f3504f3) >> 23u;
}

fn powerOf2(e: i32) -> f32 {
  return bitcast<f32>((127 + e) << 23u);
}

/** log(1 + u), u > -1, accurate near 0. */
fn log1Plus(u: f32) -> f32 {
  let e = exponentOf(1.0 + u);
  let scale = powerOf2(-e);
  return logOfParts(e, u * scale + (scale - 1.0));
}

/** log(1 + u) - u, u > -1, accurate near 0. */
fn log1PlusBend(u: f32) -> f32 {
  let s = u / (2.0 + u);
  let z = s * s;
  let near = s * (z * (0.6666667 + z * (0.4 + z * (0.2857143 + z * 0.22777624))) - u);
  return select(log1Plus(u) - u, near, abs(u) < 0.25);
}

/** log(x), x in [2^-126, 2^126]. */
fn logarithm(x: f32) -> f32 {
  let e = exponentOf(x);
  return logOfParts(e, x * powerOf2(-e) - 1.0);
}

/** (cos, sin) of a share of a full turn in [0, 1]. */
fn unitCircle(turn: f32) -> vec2f {
  let quarter = round(4.0 * turn);
  let x = 6.2831853 * (turn - 0.25 * quarter); // in [-pi/4, pi/4]
  let z = x * x;
  let sine = x * (1.0 + z * (-0.16666655 + z * (0.0083321609 + z * -0.00019515296)));
  let cosine = 1.0 + z * (-0.5 + z * (0.041666646 + z * (-0.0013887316 + z * 2.4433157e-5)));
  let q = u32(quarter);
  let turned = select(vec2f(cosine, sine), vec2f(-sine, cosine), (q & 1u) == 1u);
  return select(turned, -turned, (q & 2u) == 2u);
}

/** Never by comparing with itself: compilers may take for granted that there is no NaN. */
fn isSound(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}
