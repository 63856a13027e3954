/** The paper's claims as part of the reproduction's page. */
import type { ReproducedClaim } from "../documents.js";
import { badge, element, escapeHtml, paragraph, richText } from "./html.js";
import { measureText } from "./reproduce-cells.js";

export const verdictClass = { holds: "holds", "does not hold": "fails", undecided: "undecided" } as const;

const sectionNames: readonly (readonly [string, string])[] = [
  ["5.1", "Section 5.1, marginals"],
  ["5.2", "Section 5.2, conditionals"],
  ["5.3", "Section 5.3, which labels to buy"],
  ["1, 5.3", "Sections 1 and 5.3, are labels of R always worth more?"],
  ["5.4", "Section 5.4, the judge"],
  ["C", "Appendix C, partial retrieval"],
  ["E", "Appendix E, widths and coverage"],
  ["F", "Appendix F, bits"],
];

export function claimsSection(claims: readonly ReproducedClaim[]): string {
  const line = ({ id, claim, decidedBy, verdict, contradiction, ...rest }: ReproducedClaim): string => {
    const more = contradiction === null ? "" : ` ${element("a", { href: `#${contradiction}` }, contradiction)}`;
    const number = measureText({ id, claim, decidedBy, verdict, contradiction, ...rest });
    return element(
      "tr",
      { id: `claim-${id}` },
      [
        element("td", { class: "said" }, richText(claim)),
        element("td", { class: "verdict" }, badge(verdictClass[verdict], verdict) + more),
        element("td", { class: "number" }, escapeHtml(number)),
        element("td", { class: "how" }, richText(decidedBy)),
      ].join(""),
    );
  };
  const head =
    '<thead><tr><th class="text" scope="col">claim</th><th class="text" scope="col">verdict</th>' +
    '<th scope="col">number</th><th class="text" scope="col">what decides</th></tr></thead>';
  const groups = sectionNames.flatMap(([section, name]) => {
    const own = claims.filter((claim) => claim.section === section);
    if (own.length === 0) return [];
    const table = element("table", { class: "claims" }, `${head}<tbody>${own.map(line).join("\n")}</tbody>`);
    return [element("h3", {}, name), element("div", { class: "scroll" }, table)];
  });
  return [
    "<section>",
    element("h2", { id: "claims" }, "What the paper says in words"),
    paragraph(
      "Each claim in our words. P is the posterior probability that it is true of the systems' rates, given their records; " +
        "other numbers are differences, mostly of strategies on the same subsamples, with their standard errors. A claim holds " +
        "with 95% confidence, of several comparisons in the worst of them; it does not where the contrary has as much; " +
        "otherwise it is undecided. By chance, one claim in 20 that is just not true would be said to hold. Where the paper " +
        "says “closely” or “slightly”, the margin is ours and stated.",
    ),
    ...groups,
    "</section>",
  ].join("\n");
}
