import type { ReproducedClaim, Sweep } from "../../documents.js";
import { binaryEntropy } from "../../experiments/gain.js";
import { gainsOf, type Theta } from "../information.js";
import { type Materials, type Posterior, posteriorDraws } from "../materials.js";
import { byCount, byNegative, byProbability, type Claim, pairedDifference } from "./decide.js";

/** Sections 1 and 5.3 and appendix F: what bits say. */
export async function gainClaims(materials: Materials): Promise<ReproducedClaim[]> {
  const posteriors = await materials.posteriors();
  const gains = await materials.gains();
  const [qwen, apertus] = ["Qwen3.5", "Apertus"].map(
    (generator) =>
      posteriors.find(
        (one) => one.dataset === "HotpotQA" && one.retriever === "hybrid" && one.generator === generator,
      ) as Posterior,
  );
  const bits = new Map([qwen, apertus].map((one) => [one, drawsOf(one).map(gainsOf)] as const));
  const of = (one: Posterior, i: number) => bits.get(one)![i];
  const both = (isTrue: (gains: ReturnType<typeof gainsOf>) => boolean) => (i: number) =>
    isTrue(of(qwen, i)) && isTrue(of(apertus, i));
  const head = (id: string, claim: string, contradiction?: string, section = "F"): Claim => ({
    id,
    section,
    claim,
    ...(contradiction && { contradiction }),
  });
  const decide = (claim: Claim, decidedBy: string, isTrue: (draw: number) => boolean) =>
    byProbability(claim, decidedBy, posteriorDraws, isTrue);
  const cells =
    gains.find(
      ({ generator, retriever, dataset }) =>
        generator === "Qwen3.5" && retriever === "hybrid" && dataset === "HotpotQA",
    )?.cells ?? [];
  const known = cells.filter(({ G }) => G !== null).length;
  const bitsOf = (strategies: (typeof gains)[number]["strategies"], name: string) =>
    strategies.find(({ strategy }) => strategy === name)?.gain ?? Number.NaN;
  const taskFirst = gains.filter(({ strategies }) => bitsOf(strategies, "all-T") > bitsOf(strategies, "all-R"));
  const listed = taskFirst.map(({ dataset, retriever, generator }) => `${dataset} ${retriever} ${generator}`);
  return [
    byCount(
      head(
        "three-of-four",
        "Retrieval settles adherence in three of four combinations of retrieval and abstention.",
        undefined,
        "5.3",
      ),
      "combinations of R and A in which G is known",
      known,
      known === 3,
    ),
    decide(
      head(
        "r-more-bits",
        "Labels of R tell more bits about adherence than labels of T for Qwen3.5 and Apertus.",
        undefined,
        "5.3",
      ),
      "gain of all-R above that of all-T, both, HotpotQA with hybrid retrieval",
      both((gain) => gain["all-R"] > gain["all-T"]),
    ),
    byCount(
      head("r-always", "Labels of R are consistently the more informative ones for adherence.", "C5", "1, 5.3"),
      `systems of 27 in which labels of T bring more bits: ${listed.join(", ")}`,
      taskFirst.length,
      taskFirst.length === 0,
    ),
    ...simulated(materials, head),
    decide(
      head("r-majority", "All-R brings most of what all-joint brings.", undefined, "5.3"),
      "more than half of its bits, both systems",
      both((gain) => gain["all-R"] > 0.5 * gain["all-joint"]),
    ),
    decide(
      head("t-minority", "All-T brings far less.", undefined, "5.3"),
      "less than half of all-joint's bits, both systems",
      both((gain) => gain["all-T"] < 0.5 * gain["all-joint"]),
    ),
    decide(
      head("similar-base", "What is uncertain once abstention is seen is about the same for both systems."),
      "H(G | A) of the two within 0.05 bits (the margin is ours)",
      (i) => Math.abs(of(qwen, i)["all-joint"] - of(apertus, i)["all-joint"]) < 0.05,
    ),
    decide(
      head("balanced-answers", "Among Qwen3.5's answers G is evenly split.", "C14"),
      "P(G=1 | A=0) between 0.4 and 0.6 (the margin is ours)",
      (i) => {
        const { r, am, ap, tp } = thetaOf(qwen, i);
        const share = (r * (1 - ap) * tp) / (r * (1 - ap) + (1 - r) * (1 - am));
        return share > 0.4 && share < 0.6;
      },
    ),
    decide(
      head(
        "apertus-entropy",
        "Whether Apertus answers right with the right context is as uncertain as can be, more so than for Qwen3.5.",
      ),
      "entropy of theta_T+ above 0.99 bits, and above that of Qwen3.5",
      (i) => {
        const [own, other] = [apertus, qwen].map((one) => binaryEntropy(thetaOf(one, i).tp));
        return own > 0.99 && own > other;
      },
    ),
    decide(
      head("half-r-above-half-t", "Half-joint-R brings more bits than half-joint-T."),
      "both systems",
      both((gain) => gain["half-joint-R"] > gain["half-joint-T"]),
    ),
  ];
}

/** The same question put to a simulation of the systems where bits say that T tells more. */
function simulated(
  materials: Materials,
  head: (id: string, claim: string, contradiction?: string, section?: string) => Claim,
) {
  return materials.sweep("nq-dense").map((sweep: Sweep) => {
    const generator = sweep.source.endsWith("apertus") ? "Apertus" : "Gemma3";
    const add = Math.max(...sweep.cells.map((cell) => cell.add));
    const difference = pairedDifference(sweep, { a: "all-R", b: "all-T", add, quantity: "P(G=1)", measure: "width" });
    return byNegative(
      head(
        `r-simulated-${generator.toLowerCase()}`,
        `… also when simulated: ${generator} on NQ with dense retrieval.`,
        "C5",
        "1, 5.3",
      ),
      "simulation, 500 additional records",
      [{ ...difference, of: "width of P(G=1), all-R minus all-T" }],
    );
  });
}

function thetaOf({ draws }: Posterior, i: number): Theta {
  const [r, am, ap, tm, tp] = ["theta_R", "theta_A-", "theta_A+", "theta_T-", "theta_T+"].map(
    (name) => (draws.get(name) as Float64Array)[i],
  );
  return { r, am, ap, tm, tp };
}

const drawsOf = (posterior: Posterior): Theta[] =>
  Array.from({ length: posteriorDraws }, (_, i) => thetaOf(posterior, i));
