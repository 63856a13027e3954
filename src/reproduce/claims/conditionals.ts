import type { ReproducedClaim } from "../../documents.js";
import { fractionOf, type Materials, meanOf, posteriorDraws } from "../materials.js";
import { byCount, byProbability, type Claim } from "./decide.js";
import { generators, reader, settings } from "./marginals.js";

/** Section 5.2. */
export async function conditionalClaims(materials: Materials): Promise<ReproducedClaim[]> {
  const posteriors = await materials.posteriors();
  const read = reader(posteriors);
  const decide = (
    id: string,
    claim: string,
    decidedBy: string,
    isTrue: (draw: number) => boolean,
    contradiction?: string,
  ) => {
    const head: Claim = { id, section: "5.2", claim, ...(contradiction && { contradiction }) };
    return byProbability(head, decidedBy, posteriorDraws, isTrue);
  };
  const systems = settings.flatMap(([dataset, retriever]) =>
    generators.map((generator) => [dataset, retriever, generator] as const),
  );
  const values = (quantity: string, i: number, dataset: (name: string) => boolean = () => true): number[] =>
    systems.flatMap(([d, retriever, generator]) => (dataset(d) ? [read(d, retriever, generator, quantity)[i]] : []));
  const nq = (quantity: string, i: number) =>
    generators.map((generator) => read("NQ", "dense", generator, quantity)[i]);
  const fromCounts = Math.max(
    ...posteriors.flatMap((one) =>
      ["P(R=1)", "P(A=1)", "P(T=1)", "P(G=1)"].map((name) =>
        Math.abs((meanOf(one, name) ?? Number.NaN) - (fractionOf(one, name) ?? Number.NaN)),
      ),
    ),
  );
  return [
    byCount(
      { id: "model-meets-counts", section: "5.2", claim: "The model's marginals are those of the counts." },
      "largest difference between a posterior mean and a fraction of records, in 27 systems; below 0.0005",
      fromCounts,
      fromCounts < 0.0005,
    ),
    decide(
      "clearer-distinction",
      "Gemma3 and Qwen3.5 tell failed retrieval from successful retrieval more clearly than Apertus.",
      "rise of P(A=1) where retrieval fails larger than that of Apertus, both, in all nine settings",
      (i) =>
        settings.every(([dataset, retriever]) => {
          const [apertus, ...others] = generators.map((generator) => read(dataset, retriever, generator, "gap_A")[i]);
          return others.every((other) => other > apertus);
        }),
    ),
    decide(
      "abstain-on-failure",
      "Systems abstain more often when retrieval fails than when it succeeds.",
      "theta_A- above theta_A+ in all 27 systems",
      (i) => values("gap_A", i).every((gap) => gap > 0),
    ),
    decide(
      "needless-abstention",
      "Needless abstention is rare everywhere.",
      "theta_A+ below 0.1 in all 27 systems (the margin is ours)",
      (i) => values("theta_A+", i).every((rate) => rate < 0.1),
    ),
    decide(
      "retrieval-helps",
      "An answer is right more often when retrieval succeeded.",
      "theta_T+ above theta_T- in all 27 systems",
      (i) => values("gap_T", i).every((gap) => gap > 0),
    ),
    decide(
      "fever-unsupported",
      "On FEVER answers are mostly right even without the right context.",
      "theta_T- above 0.75 in all nine systems (the margin is ours)",
      (i) => values("theta_T-", i, (dataset) => dataset === "FEVER").every((rate) => rate > 0.75),
      "C13",
    ),
    decide(
      "gap-elsewhere",
      "Retrieval helps answers far more on HotpotQA and NQ than on FEVER.",
      "smallest theta_T+ minus theta_T- there above the largest on FEVER",
      (i) =>
        Math.min(...values("gap_T", i, (dataset) => dataset !== "FEVER")) >
        Math.max(...values("gap_T", i, (dataset) => dataset === "FEVER")),
    ),
    decide(
      "nq-equal-success",
      "On NQ with dense retrieval the three generators solve almost equally many tasks.",
      "P(T=1) of the three within 0.02 of one another (the margin is ours)",
      (i) => Math.max(...nq("P(T=1)", i)) - Math.min(...nq("P(T=1)", i)) < 0.02,
    ),
    decide(
      "nq-adherence",
      "There, they differ sharply in adherence.",
      "P(G=1): Gemma3 at least 0.1 above Apertus, and Qwen3.5 above Gemma3",
      (i) => {
        const [apertus, gemma, qwen] = nq("P(G=1)", i);
        return gemma > apertus + 0.1 && qwen > gemma;
      },
    ),
    decide(
      "abstention-drives",
      "Those differences come from when the systems abstain, rather than from how well they answer.",
      "share of Qwen3.5's lead over Apertus that rightful abstention makes, above one half",
      (i) => {
        const [apertus, , qwen] = nq("P(G=1)", i);
        const [least, , most] = nq("theta_A-", i);
        const failed = 1 - read("NQ", "dense", "Apertus", "P(R=1)")[i];
        return failed * (most - least) > 0.5 * (qwen - apertus);
      },
    ),
    decide(
      "no-proportional-gain",
      "Better retrieval doesn't make a system better in proportion.",
      "HotpotQA, dense to hybrid: P(R=1) rises, P(G=1) of Gemma3 and Qwen3.5 falls",
      (i) => {
        const rise = (generator: string, quantity: string) =>
          read("HotpotQA", "hybrid", generator, quantity)[i] - read("HotpotQA", "dense", generator, quantity)[i];
        return ["Gemma3", "Qwen3.5"].every((one) => rise(one, "P(R=1)") > 0 && rise(one, "P(G=1)") < 0);
      },
    ),
  ];
}

/** Appendix C. */
export async function partialClaims(materials: Materials): Promise<ReproducedClaim[]> {
  const systems = await materials.ternary();
  const rises = (rows: readonly string[], sign: 1 | -1) => (i: number) =>
    systems.every(({ draws }) => {
      const [fail, partial, success] = rows.map((row) => (draws.get(row) as Float64Array)[i]);
      return sign * (partial - fail) > 0 && sign * (success - partial) > 0;
    });
  return [
    byProbability(
      { id: "abstention-falls", section: "C", claim: "The better retrieval was, the less systems abstain." },
      "theta_A- > theta_A~ > theta_A+ in all nine systems",
      posteriorDraws,
      rises(["theta_A-", "theta_A~", "theta_A+"], -1),
    ),
    byProbability(
      { id: "success-rises", section: "C", claim: "The better retrieval was, the more often answers are right." },
      "theta_T- < theta_T~ < theta_T+ in all nine systems",
      posteriorDraws,
      rises(["theta_T-", "theta_T~", "theta_T+"], 1),
    ),
  ];
}
