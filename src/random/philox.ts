const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

/**
 * One block of Philox4x32-10 (Salmon et al. 2011), into `out`: four random words as a function of counter and key.
 * The twin of assembly/philox.ts.
 */
export function philox4x32(counter: Uint32Array, key: Uint32Array, out: Uint32Array): void {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const next0 = highProduct(M1, c2) ^ c1 ^ k0;
    const next2 = highProduct(M0, c0) ^ c3 ^ k1;
    c3 = Math.imul(M0, c0) >>> 0;
    c1 = Math.imul(M1, c2) >>> 0;
    c0 = next0 >>> 0;
    c2 = next2 >>> 0;
    k0 = (k0 + W0) >>> 0;
    k1 = (k1 + W1) >>> 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** High 32 bits of a product of two 32-bit words, by halves. */
function highProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}
