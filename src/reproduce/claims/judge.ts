import type { ReproducedClaim, Sweep } from "../../documents.js";
import { type Materials, posteriorDraws } from "../materials.js";
import { byMargin, byProbability, cellOf, plainDifference } from "./decide.js";

/** Section 5.4. */
export async function judgeClaims(materials: Materials): Promise<ReproducedClaim[]> {
  const judged = await materials.judged();
  const all = (isTrue: (value: (name: string) => number) => boolean) => (i: number) =>
    judged.every(({ draws }) => isTrue((name) => (draws.get(name) as Float64Array)[i]));
  const section = "5.4";
  const variants = [
    ["learnt", materials.sweep("judge-learnt")[0]],
    ["held", materials.sweep("judge-fixed")[0]],
  ] as const;
  return [
    byProbability(
      { id: "judge-generous", section, claim: "The judge says yes too often, of retrieval and of answers." },
      "P(R_J=1) above P(R=1) and P(T_J=1) above P(T=1), three generators; by construction",
      posteriorDraws,
      all((value) => value("P(R_J=1)") > value("P(R=1)") && value("P(T_J=1)") > value("P(T=1)")),
    ),
    byProbability(
      { id: "judge-sensitive", section, claim: "It sees most of what is right, and accepts much of what is wrong." },
      "true positive rates above 0.7 and false positive rates above 0.1, three generators (the margins are ours); by construction",
      posteriorDraws,
      all((value) => value("TPR_R") > 0.7 && value("TPR_T") > 0.7 && value("FPR_R") > 0.1 && value("FPR_T") > 0.1),
    ),
    ...variants.flatMap(([variant, sweep]) => [
      narrowing(sweep, variant, "P(G=1)"),
      unchangedError(sweep, variant),
      narrowing(sweep, variant, "P(T=1)"),
    ]),
  ];
}

const most = 5000;

/** 5,000 verdicts make intervals a little narrower. */
function narrowing(sweep: Sweep, variant: string, quantity: string): ReproducedClaim {
  const base = cellOf(sweep, "base", 0, quantity);
  const width = base.width ?? Number.NaN;
  const thing = quantity === "P(G=1)" ? "adherence" : "task success";
  return byMargin(
    {
      id: `judge-marginal-${quantity === "P(G=1)" ? "g" : "t"}-${variant}`,
      section: "5.4",
      claim: `5,000 verdicts narrow the interval of ${thing} only a little (rates ${variant}).`,
      ...(variant === "held" && { contradiction: "C9" }),
    },
    "by less than a quarter (the margin is ours)",
    [{ ...plainDifference(sweep, base, cellOf(sweep, "judge", most, quantity), "width"), margin: 0.25 * width }],
    { paired: false, oneSided: true },
  );
}

function unchangedError(sweep: Sweep, variant: string): ReproducedClaim {
  const base = cellOf(sweep, "base", 0, "P(G=1)");
  return byMargin(
    {
      id: `judge-error-${variant}`,
      section: "5.4",
      claim: `… and leave its error as it is (rates ${variant}).`,
      contradiction: variant === "held" ? "C9" : "C10",
    },
    "error of P(G=1) within 10% of that without (the margin is ours)",
    [
      {
        ...plainDifference(sweep, base, cellOf(sweep, "judge", most, "P(G=1)"), "mae"),
        margin: 0.1 * (base.mae ?? Number.NaN),
      },
    ],
    { paired: false },
  );
}
