import type { SweepOptions } from "../sweep.js";
import { allocated, presetOf, printedNumbers } from "./printed.js";

/** A simulation that tables and claims are made from: a sweep of some presets. */
export interface Experiment {
  readonly name: ExperimentName;
  readonly about: string;
  readonly presets: readonly string[];
  readonly network: "rat" | "rat-judge";
  readonly base: number;
  readonly add: readonly number[];
  readonly strategies: string;
  readonly judge: Required<Pick<SweepOptions, "judgeRates">> & Pick<SweepOptions, "judgeRate">;
  readonly fullReplicates: number;
  readonly quickReplicates: number;
  /** Added to the run's seed: different experiments are independent, those of the same sum have the same subsamples. */
  readonly seed: number;
}

export type ExperimentName = "allocation" | "judge-learnt" | "judge-fixed" | "nq-dense";

const { table4a, table4b } = printedNumbers;
const retrievalJudge = table4a.find(({ retriever }) => retriever === "hybrid")!;
const taskJudge = table4b.find(({ generator }) => generator === "Apertus")!;

/** Rates of the judge as Table 4 prints them for HotpotQA with hybrid retrieval and Apertus. */
const printedRates = {
  TPR_R: Number(retrievalJudge.TPR),
  FPR_R: Number(retrievalJudge.FPR),
  TPR_T: Number(taskJudge.TPR),
  FPR_T: Number(taskJudge.FPR),
};

const judged = {
  presets: ["hotpotqa-hybrid-apertus"],
  network: "rat-judge",
  base: 200,
  add: [500, 5000],
  strategies: "judge",
  // The paper doesn't say how many there were.
  fullReplicates: 150,
  quickReplicates: 50,
  seed: 1000,
} as const;

const learnt = { judgeRates: undefined } as const;

export const experiments: readonly Experiment[] = [
  {
    name: "allocation",
    about:
      "HotpotQA, hybrid retrieval: 100 fully labelled records and 60 to 500 more, labelled by each of five strategies",
    presets: allocated.map(presetOf),
    network: "rat",
    base: 100,
    add: [60, 100, 200, 500],
    strategies: "all-joint,half-joint-R,half-joint-T,all-R,all-T",
    judge: learnt,
    fullReplicates: 500,
    quickReplicates: 100,
    seed: 0,
  },
  {
    ...judged,
    name: "judge-learnt",
    about: "200 fully labelled records and up to 5,000 that only a judge has labelled, its rates learnt from the 200",
    judge: learnt,
  },
  {
    ...judged,
    name: "judge-fixed",
    about: "the same, with the judge's rates held at those of Table 4",
    judge: { judgeRates: "fixed", judgeRate: printedRates },
  },
  {
    name: "nq-dense",
    about: "NQ, dense retrieval: 100 fully labelled records and 500 more with labels of R, or of T",
    presets: ["nq-dense-apertus", "nq-dense-gemma3"],
    network: "rat",
    base: 100,
    add: [500],
    strategies: "all-R,all-T",
    judge: learnt,
    fullReplicates: 500,
    quickReplicates: 100,
    seed: 2000,
  },
];
