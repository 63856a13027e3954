/** Youden's J, sensitivity + specificity - 1 (Youden 1950, "Index for rating diagnostic tests", Cancer 3, 32-35). */
export const youden = (sensitivity: number, specificity: number): number => {
  const j = sensitivity - (1 - specificity);
  // What is 0 but for rounding, as .7 + .3 - 1, must not be divided by.
  return Math.abs(j) < rounding ? 0 : j;
};

/** What is 0 but for the rounding of shares. */
export const rounding = 1e-12;
