// Random numbers. Philox4x32-10 (Salmon et al. 2011) finds the stream of a (seed, refit, chain) without running the others;
// it seeds xoshiro128++ (Blackman and Vigna 2021), which is cheap enough for the hot loop.

fn highWords(a: vec2u, b: vec2u) -> vec2u {
  let aLow = a & vec2u(0xffffu);
  let aHigh = a >> vec2u(16u);
  let bLow = b & vec2u(0xffffu);
  let bHigh = b >> vec2u(16u);
  let middle = aHigh * bLow + ((aLow * bLow) >> vec2u(16u));
  let carry = aLow * bHigh + (middle & vec2u(0xffffu));
  return aHigh * bHigh + (middle >> vec2u(16u)) + (carry >> vec2u(16u));
}

fn philox(counter: vec4u, seed: vec2u) -> vec4u {
  let multipliers = vec2u(0xd2511f53u, 0xcd9e8d57u);
  var c = counter;
  var key = seed;
  for (var round = 0u; round < 10u; round++) {
    let words = vec2u(c.x, c.z);
    let high = highWords(multipliers, words);
    let low = multipliers * words;
    c = vec4u(high.y ^ c.y ^ key.x, low.y, high.x ^ c.w ^ key.y, low.x);
    key += vec2u(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}

fn rotated(x: u32, by: u32) -> u32 {
  return (x << by) | (x >> (32u - by));
}

fn next(state: ptr<function, vec4u>) -> u32 {
  let s = *state;
  let z = s.z ^ s.x;
  let w = s.w ^ s.y;
  *state = vec4u(s.x ^ w, s.y ^ z, z ^ (s.y << 9u), rotated(w, 11u));
  return rotated(s.x + s.w, 7u) + s.x;
}

/** Uniform on (0, 1), neither end included: 23 bits, as a half more would be rounded with 24. */
fn uniform01(state: ptr<function, vec4u>) -> f32 {
  return (f32(next(state) >> 9u) + 0.5) * 1.1920928955078125e-7;
}

/** Two independent standard normals (Box and Muller 1958). */
fn normalPair(state: ptr<function, vec4u>) -> vec2f {
  let radius = sqrt(-2.0 * logarithm(uniform01(state)));
  return radius * unitCircle(uniform01(state));
}
