/** The reproduction as one HTML page, for somebody who hasn't seen the paper. */
import type { ReproduceDocument, ReproducedClaim, ReproducedTable } from "../documents.js";
import { counted, duration, whole } from "./format.js";
import { element, escapeHtml, htmlDocument, inlineSvg, richText } from "./html.js";
import { countOf, evidenceWords, measureText, runText, tallyOf, tallyText, verdicts } from "./reproduce-cells.js";
import { tableHtml } from "./reproduce-tables.js";

/** SVG texts of the figures that the document's tables name. */
export type Figures = Readonly<Partial<Record<"network" | "mae" | "width", string>>>;

const title = "“The RAT” recomputed";

export function reproduceHtml(document: ReproduceDocument, figures: Figures): string {
  const { tables, claims } = document;
  const body = [
    headHtml(document),
    modelHtml(),
    readingHtml(),
    ...tables.map((table) => tableSection(table, document, figures)),
    ...(claims.length > 0 ? [claimsSection(claims)] : []),
    contradictionSection(document),
    runSection(document),
  ];
  return htmlDocument(title, body.join("\n"));
}

const paragraph = (html: string, className: string | null = null): string => element("p", { class: className }, html);

const badge = (className: string, text: string): string => element("span", { class: `badge ${className}` }, text);

const evidenceBadge = ({ evidence }: ReproducedTable): string => badge(evidence, evidenceWords[evidence]);

const verdictClass = { holds: "holds", "does not hold": "fails", undecided: "undecided" } as const;

function headHtml(document: ReproduceDocument): string {
  const { tables, claims, quick, experiments } = document;
  const shown = tables.filter(({ rows }) => rows.some(({ printed }) => printed !== null));
  const rows = shown.map((table) =>
    element(
      "tr",
      {},
      [
        element("th", { scope: "row" }, element("a", { href: `#${table.id}` }, richText(table.title))),
        element("td", { class: "text" }, evidenceBadge(table)),
        element("td", { class: "text" }, escapeHtml(tallyText(tallyOf(table)))),
        element(
          "td",
          { class: "text" },
          table.contradictions.map((id) => element("a", { href: `#${id}` }, id)).join(", "),
        ),
      ].join(""),
    ),
  );
  const verdictsHtml = verdicts
    .map((verdict) => `${countOf(claims, verdict)} ${badge(verdictClass[verdict], verdict)}`)
    .join(" &#160; ");
  const replicates = experiments.map(({ name, replicates }) => `${name} ${whole(replicates)}`).join(", ");
  return [
    "<header>",
    element("h1", {}, title),
    paragraph(
      "Every table and figure of “The RAT: A Unified Bayesian Model for RAG Evaluation”, recomputed from counts that were " +
        "reconstructed from its printed digits, each printed number beside ours.",
      "lead",
    ),
    paragraph(escapeHtml(runText(document)), "soft small"),
    quick
      ? paragraph(
          `A quick run: ${escapeHtml(replicates)} replicates, fewer than the paper has. Simulated numbers have larger standard ` +
            "errors than in a full run, and claims that need small ones may stay undecided.",
          "notice",
        )
      : "",
    "</header>",
    element("h2", { id: "short" }, "In short"),
    paragraph(
      "What was recomputed proves different things. The counts were solved from some of the tables, so that those agree " +
        `${badge("construction", evidenceWords.construction)}. Nothing of the others went into them: where these agree, it is ` +
        `an ${badge("independent", evidenceWords.independent)} of the model, the counts and this software. Some printed numbers ` +
        "contradict others, and nobody can meet them all; the last column says where.",
    ),
    rows.length === 0
      ? ""
      : element(
          "div",
          { class: "scroll" },
          element(
            "table",
            {},
            `<thead><tr><th class="text" scope="col">table or figure</th><th class="text" scope="col">evidence</th>` +
              `<th class="text" scope="col">printed numbers</th><th class="text" scope="col">contradictions</th></tr></thead><tbody>${rows.join("\n")}</tbody>`,
          ),
        ),
    claims.length > 0
      ? paragraph(
          `What the paper says in words: ${element("a", { href: "#claims" }, counted(String(claims.length), "claim"))}, ${verdictsHtml}.`,
        )
      : "",
  ].join("\n");
}

function modelHtml(): string {
  const terms = [
    ["R", "retrieval success: the documents hold all that is needed to answer"],
    ["A", "abstention: the system says that it doesn't know"],
    ["T", "task success: the answer is right; an abstention never is"],
    ["G", "adherence: it abstains where retrieval failed, and answers correctly where it succeeded"],
    ["theta_A-, theta_A+", "how often it abstains where retrieval failed, and where it succeeded"],
    ["theta_T-, theta_T+", "how often an answer is right without, and with, the right context"],
    ["R_J, T_J", "what a language model says of R and T that judges in people's place"],
  ];
  return [
    element("h2", { id: "model" }, "The model in a minute"),
    paragraph(
      "A system that answers questions from retrieved documents can fail in more than one way. Each question has three labels, " +
        "yes or no, of which any may be missing; a Bayesian network ties them together, and whether the system behaved as it " +
        "should follows from them.",
    ),
    element(
      "dl",
      { class: "terms" },
      terms.map(([term, words]) => element("dt", {}, richText(term)) + element("dd", {}, richText(words))).join("\n"),
    ),
    paragraph(
      "The paper looks at 27 systems (three data sets, three retrievers, three generators) of 10,000 questions each, and asks " +
        "which labels are worth buying. A strategy says what additional records are labelled with: both R and T (all-joint), " +
        "R alone (all-R), T alone (all-T), or half of them both and half R or T (half-joint-R, half-joint-T). Abstention is " +
        "always seen.",
    ),
  ].join("\n");
}

function readingHtml(): string {
  const met = '<span class="met">✓</span>';
  const missed = '<span class="missed">✗</span>';
  return [
    element("h2", { id: "reading" }, "How to read the tables"),
    "<ul>",
    `<li>The printed number stands first; ours and, in brackets, ours minus printed stand under or beside it.</li>`,
    `<li>${met} met, ${missed} not met. An exact number is met if the printed one is ours, rounded. An estimated one comes with ` +
      "its standard error (±) and is met if the printed one is within three standard errors, counting the paper's own, of a " +
      "number that rounds to it: by chance alone one in 370 is not.</li>",
    '<li><span class="best">Bold</span> is the highest and <span class="worst">italic</span> the lowest of a column (in Tables 1 ' +
      "and 2 of each data set), as in the paper.</li>",
    "<li>Numbers without ± are exact: fractions, closed forms, entropies.</li>",
    "</ul>",
  ].join("\n");
}

function tableSection(table: ReproducedTable, document: ReproduceDocument, figures: Figures): string {
  const { id, title, about, basis, figure, notes, contradictions } = table;
  const svg = figure === null ? undefined : figures[figure];
  const told = document.contradictions.filter((one) => contradictions.includes(one.id));
  return [
    element(
      "section",
      { "aria-labelledby": id },
      [
        element("h2", { id }, `${richText(title)} ${evidenceBadge(table)}`),
        paragraph(richText(about)),
        paragraph(richText(basis), "soft"),
        svg === undefined ? "" : element("figure", {}, inlineSvg(svg)),
        tableHtml(table),
        ...notes.map((note) => paragraph(richText(note))),
        ...told.map(({ id: own, text }) =>
          element(
            "div",
            { class: "contradiction" },
            paragraph(`${element("a", { href: `#${own}` }, own)}: ${richText(text)}`, "small"),
          ),
        ),
      ].join("\n"),
    ),
  ].join("\n");
}

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

function claimsSection(claims: readonly ReproducedClaim[]): string {
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

function contradictionSection({ contradictions }: ReproduceDocument): string {
  const items = contradictions.map(({ id, where, text }) =>
    element(
      "div",
      { class: "contradiction", id },
      paragraph(`${element("strong", {}, `${id}. ${richText(where)}.`)} ${richText(text)}`),
    ),
  );
  return [
    "<section>",
    element("h2", { id: "contradictions" }, "Where the paper contradicts itself"),
    paragraph(
      "What can't be met by any counts, or does not go together. It is told beside the tables and claims where it shows.",
    ),
    ...items,
    "</section>",
  ].join("\n");
}

function runSection({ experiments, seconds }: ReproduceDocument): string {
  const rows = experiments.map(({ name, about, replicates, fullReplicates, sweeps }) => {
    const refits = sweeps.reduce((sum, one) => sum + one.refits, 0);
    const time = sweeps.reduce((sum, one) => sum + one.seconds, 0);
    const of = replicates < fullReplicates ? ` of ${whole(fullReplicates)}` : "";
    const cells = [`${whole(replicates)}${of}`, whole(refits), duration(time)].map(
      (text) => `<td>${escapeHtml(text)}</td>`,
    );
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, escapeHtml(name)) +
        element("td", { class: "text" }, escapeHtml(about)) +
        cells.join(""),
    );
  });
  const table =
    '<table><thead><tr><th class="text" scope="col">experiment</th><th class="text" scope="col">what is done</th>' +
    '<th scope="col">replicates</th><th scope="col">refits</th><th scope="col">time</th></tr></thead>' +
    `<tbody>${rows.join("\n")}</tbody></table>`;
  return [
    "<section>",
    element("h2", { id: "run" }, "How this was made"),
    paragraph(
      "Posteriors of whole systems are closed forms. The others come from refits: random subsamples of the shipped records, " +
        `each fitted anew. All of it took ${escapeHtml(duration(seconds))}.`,
    ),
    rows.length === 0 ? "" : element("div", { class: "scroll" }, table),
    paragraph(
      "The counts are not the authors' records. They are whole numbers, found by search, that give back the printed digits; " +
        "others nearby would as well. The judge's labels were made from the printed rates.",
      "soft",
    ),
    "</section>",
  ].join("\n");
}
