/** The reproduction as one HTML page, for somebody who hasn't seen the paper. */
import type { ReproduceDocument, ReproducedTable } from "../documents.js";
import { counted, duration, whole } from "./format.js";
import { badge, element, escapeHtml, htmlDocument, inlineSvg, paragraph, richText } from "./html.js";
import {
  countOf,
  evidenceWords,
  type Figures,
  isOfSystems,
  runText,
  systemsAbout,
  systemsTitle,
  tallyOf,
  tallyText,
  verdicts,
} from "./reproduce-cells.js";
import { claimsSection, verdictClass } from "./reproduce-claims.js";
import { tableHtml } from "./reproduce-tables.js";

const title = "“The RAT” recomputed";

/** @param figures SVG texts */
export function reproduceHtml(document: ReproduceDocument, figures: Figures): string {
  const { tables, claims } = document;
  const body = [
    headHtml(document),
    modelHtml(),
    readingHtml(),
    ...tables.flatMap((table) => [
      table === tables.find(isOfSystems) ? systemsSection(figures) : "",
      tableSection(table, document, figures),
    ]),
    ...(claims.length > 0 ? [claimsSection(claims)] : []),
    contradictionSection(document),
    runSection(document),
  ];
  return htmlDocument(title, body.join("\n"));
}

const evidenceBadge = ({ evidence }: ReproducedTable): string => badge(evidence, evidenceWords[evidence]);

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

function systemsSection({ systems }: Figures): string {
  if (systems === undefined) return "";
  return [
    '<section aria-labelledby="systems">',
    element("h2", { id: "systems" }, systemsTitle),
    paragraph(systemsAbout),
    element("figure", { class: "column" }, inlineSvg(systems)),
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
