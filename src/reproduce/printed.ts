import { printedNumbersJson } from "../generated/printed-numbers.js";

/** One of the paper's 27 systems. */
export interface Configuration {
  readonly dataset: string;
  readonly retriever: string;
  readonly generator: string;
}

type Digits = Readonly<Record<string, string>>;

/** All numbers that the paper prints, digits as they are there. */
export interface PrintedNumbers {
  readonly table1: readonly (Configuration & Digits)[];
  readonly table2: readonly (Configuration & Digits)[];
  readonly table3a: readonly Digits[];
  readonly table3b: readonly Digits[];
  readonly table4a: readonly Digits[];
  readonly table4b: readonly Digits[];
  readonly table5: readonly (Readonly<Record<string, string>> & { readonly add: number })[];
  readonly table6: readonly Digits[];
  readonly table7: readonly Digits[];
  readonly table8: readonly Digits[];
  readonly table9: readonly (Configuration & Digits)[];
  readonly appendixF: Readonly<Record<string, Digits>>;
  readonly figure3Widths: readonly {
    readonly generator: string;
    readonly quantity: string;
    readonly strategy: string;
    readonly add: number;
    readonly width: string;
  }[];
}

export const printedNumbers = JSON.parse(printedNumbersJson) as PrintedNumbers;

export const presetOf = ({ dataset, retriever, generator }: Configuration): string =>
  `${dataset}-${retriever}-${generator}`.toLowerCase();

/** In the order of the paper's tables. */
export const configurations: readonly Configuration[] = printedNumbers.table1.map(
  ({ dataset, retriever, generator }) => ({ dataset, retriever, generator }),
);

/** The systems of the allocation experiment, in the paper's order. */
export const allocated = ["Qwen3.5", "Apertus"].map((generator) => ({
  dataset: "HotpotQA",
  retriever: "hybrid",
  generator,
}));
