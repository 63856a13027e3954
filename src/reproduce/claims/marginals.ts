import type { ReproducedClaim } from "../../documents.js";
import { type Materials, type Posterior, posteriorDraws } from "../materials.js";
import { byProbability, type Claim } from "./decide.js";

const retrievers = ["dense", "hybrid", "sparse"];
export const generators = ["Apertus", "Gemma3", "Qwen3.5"];
export const datasets = ["FEVER", "HotpotQA", "NQ"];

/** Draws of a quantity of one system. */
export type Read = (dataset: string, retriever: string, generator: string, quantity: string) => Float64Array;

export function reader(posteriors: readonly Posterior[]): Read {
  const byName = new Map(
    posteriors.map((one) => [`${one.dataset} ${one.retriever} ${one.generator}`, one.draws] as const),
  );
  return (dataset, retriever, generator, quantity) =>
    byName.get(`${dataset} ${retriever} ${generator}`)!.get(quantity) as Float64Array;
}

/** Every pair of a data set and a retriever. */
export const settings = datasets.flatMap((dataset) => retrievers.map((retriever) => [dataset, retriever] as const));

/** Section 5.1. */
export async function marginalClaims(materials: Materials): Promise<ReproducedClaim[]> {
  const read = reader(await materials.posteriors());
  const decide = (
    id: string,
    claim: string,
    decidedBy: string,
    isTrue: (draw: number) => boolean,
    contradiction?: string,
  ) => {
    const head: Claim = { id, section: "5.1", claim, ...(contradiction && { contradiction }) };
    return byProbability(head, decidedBy, posteriorDraws, isTrue);
  };
  // The three generators share their retrieval: one of them stands for all.
  const retrieval = (dataset: string, retriever: string, i: number) => read(dataset, retriever, "Apertus", "P(R=1)")[i];
  const isBest = (dataset: string, best: string, i: number): boolean =>
    retrievers.every((other) => other === best || retrieval(dataset, best, i) > retrieval(dataset, other, i));
  const of = (dataset: string, retriever: string, quantity: string, i: number) =>
    generators.map((generator) => read(dataset, retriever, generator, quantity)[i]);
  const range = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
  const all = (quantity: string, generator: string, i: number): number[] =>
    settings.map(([dataset, retriever]) => read(dataset, retriever, generator, quantity)[i]);
  return [
    ...[
      ["FEVER", "hybrid"],
      ["NQ", "hybrid"],
      ["HotpotQA", "sparse"],
    ].map(([dataset, best]) =>
      decide(
        `best-retriever-${dataset.toLowerCase()}`,
        `On ${dataset} ${best} retrieval finds what is needed most often.`,
        `P(R=1) of ${best} retrieval above that of both others`,
        (i) => isBest(dataset, best, i),
      ),
    ),
    decide(
      "fever-retrieval",
      "Retrieval succeeds far more often on FEVER than on the other data sets.",
      "with each retriever, P(R=1) on FEVER at least 0.1 above the others",
      (i) =>
        retrievers.every((retriever) =>
          ["HotpotQA", "NQ"].every((other) => retrieval("FEVER", retriever, i) > retrieval(other, retriever, i) + 0.1),
        ),
      "C11",
    ),
    decide(
      "apertus-abstains-least",
      "Apertus abstains least of the three generators, everywhere.",
      "P(A=1) lowest in all nine settings",
      (i) =>
        settings.every(([dataset, retriever]) => {
          const [apertus, ...others] = of(dataset, retriever, "P(A=1)", i);
          return others.every((other) => other > apertus);
        }),
    ),
    decide(
      "apertus-most",
      "Apertus abstains most on FEVER with dense retrieval.",
      "P(A=1) there above all its other eight",
      (i) => {
        const [first, ...others] = all("P(A=1)", "Apertus", i);
        return others.every((other) => other < first);
      },
    ),
    decide(
      "qwen-most",
      "The most abstaining system of all is Qwen3.5 on HotpotQA with dense retrieval.",
      "P(A=1) there above that of all 26 others",
      (i) => {
        const top = read("HotpotQA", "dense", "Qwen3.5", "P(A=1)")[i];
        return generators.every((generator) => all("P(A=1)", generator, i).every((value) => value <= top));
      },
    ),
    decide(
      "fever-easiest",
      "Tasks are solved most often on FEVER.",
      "lowest P(T=1) on FEVER above the highest elsewhere",
      (i) => {
        const values = (dataset: string) => retrievers.flatMap((retriever) => of(dataset, retriever, "P(T=1)", i));
        return Math.min(...values("FEVER")) > Math.max(...values("HotpotQA"), ...values("NQ"));
      },
    ),
    decide(
      "similar-success",
      "In each setting the three generators solve about equally many tasks.",
      "P(T=1) of the three within 0.1 of one another in all nine settings (the margin is ours)",
      (i) => settings.every(([dataset, retriever]) => range(of(dataset, retriever, "P(T=1)", i)) < 0.1),
    ),
    decide(
      "adherence-differs-more",
      "They differ more in adherence than in tasks solved.",
      "range of P(G=1) above that of P(T=1) in all nine settings",
      (i) =>
        settings.every(
          ([dataset, retriever]) =>
            range(of(dataset, retriever, "P(G=1)", i)) > range(of(dataset, retriever, "P(T=1)", i)),
        ),
    ),
    ...datasets.map((dataset) =>
      decide(
        `qwen-adheres-${dataset.toLowerCase()}`,
        `Qwen3.5 is the most adherent generator on ${dataset}.`,
        "P(G=1) highest of the three with every retriever",
        (i) =>
          retrievers.every((retriever) => {
            const [apertus, gemma, qwen] = of(dataset, retriever, "P(G=1)", i);
            return qwen > apertus && qwen > gemma;
          }),
      ),
    ),
    decide("apertus-lags", "Apertus is the least adherent, everywhere.", "P(G=1) lowest in all nine settings", (i) =>
      settings.every(([dataset, retriever]) => {
        const [apertus, ...others] = of(dataset, retriever, "P(G=1)", i);
        return others.every((other) => other > apertus);
      }),
    ),
  ];
}
