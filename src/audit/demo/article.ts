/** What the article on LLM judges as measuring instruments prints of its five panels, as far as a simulation can meet it. */
export interface ArticleFigure {
  /** As printed, or what is said in words. */
  readonly printed: string;
  /** What rounds to the printed number, or what the words allow; null where an end is open. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Said, not printed as a number: "falls", "above majority vote". */
  readonly inWords: boolean;
  readonly measures: string;
}

/** @param decimals to which the article prints numbers of this kind, where this one shows fewer */
function printed(text: string, measures: string, decimals = text.split(".")[1]?.length ?? 0): ArticleFigure {
  const half = 0.5 * 10 ** -decimals;
  const value = Number(text);
  return { printed: text, lower: value - half, upper: value + half, inWords: false, measures };
}

const said = (text: string, lower: number | null, upper: number | null, measures: string): ArticleFigure => ({
  printed: text,
  lower,
  upper,
  inWords: true,
  measures,
});

export const article = {
  observed: printed("0.703", "share of claims that the lenient judge says yes to"),
  prevalence: printed("0.648", "share of claims that are true"),
  corrected: printed("0.648", "Rogan-Gladen's correction, said to be exactly the truth"),
  inflation: printed("2.6", "variance of the correction over a share's, 1 / J^2"),
  rawA: printed("0.80", "system A as judged"),
  rawB: printed("0.74", "system B as judged"),
  correctedA: printed("0.70", "system A corrected"),
  correctedB: printed("0.79", "system B corrected"),
  reversal: said("B ahead", 0, null, "system B less system A, corrected"),
  ac1Even: printed("0.70", "AC1 of the first table"),
  ac1Rare: printed("0.81", "AC1 of the second table"),
  kappaFalls: said("collapses", null, 0, "kappa of the second table less that of the first"),
  ac1Stays: said("stays", 0, null, "AC1 of the second table less that of the first"),
  auc: printed("0.998", "AUC of the confidences"),
  eceRaw: printed("0.154", "ECE of the confidences"),
  ecePlatt: printed("0.003", "ECE after Platt's map"),
  eceIsotonic: printed("0", "ECE after an isotonic map", 3),
  aucUntouched: said("untouched", 0, 0, "AUC after a map less that before it"),
  queryVariance: printed("0.0102", "variance of queries"),
  judgeVariance: printed("0.0048", "variance of judges"),
  errorVariance: printed("0.0134", "variance of error"),
  icc: printed("0.36", "ICC(2,1)"),
  panelError: printed("0.036", "standard error of the mean, 5 judges and 40 queries"),
  oneJudgeError: printed("0.070", "standard error of the mean, 1 judge and 200 queries"),
  slotBias: printed("0.070", "slot bias of the lenient judge"),
  slotLog10P: printed("-105", "log10 of the swap test's p"),
  controlBias: printed("0", "slot bias of a judge without one", 3),
  controlP: printed("1.0", "p of that judge's swap test"),
  rateError: printed("0.06", "greatest error of a judge's rate"),
  fitted: printed("0.975", "share of items that the latent-class fit labels right"),
  majority: printed("0.972", "share of items that the majority vote labels right"),
  // Each of the two numbers is rounded.
  difference: { printed: "0.003", lower: 0.002, upper: 0.004, inWords: false, measures: "0.975 less 0.972" },
  beatsMajority: said("above", 0, null, "the fit's share less the majority vote's"),
} as const satisfies Record<string, ArticleFigure>;
