/*
 * Working memory that is kept between calls: the quantities of one fit have one size, and allocating (and clearing)
 * megabytes for each of them costs more than some of the statistics. Nothing here is ever handed to a caller of the
 * package. Everything that uses it is synchronous and never calls itself, so that one buffer a purpose is enough.
 */

/** Hands out one growing buffer; what the last user left in it is still there. */
export class FloatScratch {
  #buffer = new Float64Array(0);

  take(length: number): Float64Array {
    if (this.#buffer.length < length) this.#buffer = new Float64Array(length);
    return this.#buffer.length === length ? this.#buffer : this.#buffer.subarray(0, length);
  }
}

/** The same for unsigned 32-bit integers. */
export class IntegerScratch {
  #buffer = new Uint32Array(0);

  take(length: number): Uint32Array {
    if (this.#buffer.length < length) this.#buffer = new Uint32Array(length);
    return this.#buffer.length === length ? this.#buffer : this.#buffer.subarray(0, length);
  }
}
