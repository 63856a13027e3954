/** A whole number, at most 2^53. @asType integer @minimum 0 */
export type Whole = number;
