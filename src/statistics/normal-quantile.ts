/*
 * Quantile function of the standard normal distribution: algorithm AS241, routine PPND16 (Wichura 1988, "The Percentage
 * Points of the Normal Distribution", Applied Statistics 37, 477-484). Three rational approximations of degree 7 in 7,
 * good to about one part in 10^16. The published coefficients are written as the doubles nearest to them.
 */

/** Half-width of the central region, in which |p - 1/2| is the argument. */
const centralHalfWidth = 0.425;
/** `centralHalfWidth` squared. */
const centralSquare = 0.180625;
/** Value of sqrt(-log(tail probability)) that separates the intermediate from the far tail (p about 1.4e-11). */
const farTail = 5;

/**
 * z with P(Z <= z) = `probability` for a standard normal Z.
 * 0 and 1 give -Infinity and Infinity; anything outside [0, 1] gives NaN.
 */
export function normalQuantile(probability: number): number {
  const offset = probability - 0.5;
  if (Math.abs(offset) <= centralHalfWidth) return offset * central(centralSquare - offset * offset);
  if (!(probability >= 0 && probability <= 1)) return Number.NaN;
  const tail = offset < 0 ? probability : 1 - probability;
  const depth = Math.sqrt(-Math.log(tail));
  const z = depth === Infinity ? Infinity : depth <= farTail ? intermediate(depth - 1.6) : far(depth - farTail);
  return offset < 0 ? -z : z;
}

function central(r: number): number {
  const top =
    ((((((2509.0809287301227 * r + 33430.57558358813) * r + 67265.7709270087) * r + 45921.95393154987) * r +
      13731.69376550946) *
      r +
      1971.5909503065513) *
      r +
      133.14166789178438) *
      r +
    3.3871328727963665;
  const bottom =
    ((((((5226.495278852854 * r + 28729.085735721943) * r + 39307.89580009271) * r + 21213.794301586597) * r +
      5394.196021424751) *
      r +
      687.1870074920579) *
      r +
      42.31333070160091) *
      r +
    1;
  return top / bottom;
}

function intermediate(r: number): number {
  const top =
    ((((((0.0007745450142783414 * r + 0.022723844989269184) * r + 0.2417807251774506) * r + 1.2704582524523684) * r +
      3.6478483247632045) *
      r +
      5.769497221460691) *
      r +
      4.630337846156546) *
      r +
    1.4234371107496835;
  const bottom =
    ((((((1.0507500716444169e-9 * r + 0.0005475938084995345) * r + 0.015198666563616457) * r + 0.14810397642748008) *
      r +
      0.6897673349851) *
      r +
      1.6763848301838038) *
      r +
      2.053191626637759) *
      r +
    1;
  return top / bottom;
}

function far(r: number): number {
  const top =
    ((((((2.0103343992922881e-7 * r + 0.000027115555687434876) * r + 0.0012426609473880784) * r +
      0.026532189526576124) *
      r +
      0.29656057182850487) *
      r +
      1.7848265399172913) *
      r +
      5.463784911164114) *
      r +
    6.657904643501103;
  const bottom =
    ((((((2.0442631033899397e-15 * r + 1.421511758316446e-7) * r + 0.000018463183175100548) * r +
      0.0007868691311456133) *
      r +
      0.014875361290850615) *
      r +
      0.1369298809227358) *
      r +
      0.599832206555888) *
      r +
    1;
  return top / bottom;
}
