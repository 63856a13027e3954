import type { JudgeMarginals, PairAgreement } from "../audit/agreement.js";
import type { Estimate } from "../audit/estimate.js";
import type { AuditAgreementDocument } from "../documents.js";
import { type AuditTextOptions, auditText, estimateGrid, intervalText, type NamedEstimate } from "./audit-estimates.js";
import { absent, counted, fixed, whole } from "./format.js";
import { drawGrid, numberColumn, type Painter, textColumn } from "./grid.js";

/** @param cluster column of the clusters */
export const agreementNotes = (cluster: string | undefined): readonly string[] => [
  "Agreement isn't accuracy: judges that share a bias agree in it. Accuracy needs labels of people.",
  "Kappa, pi and alpha fall where one label is rare, at the same raw agreement, and AC1 rises: read none of them without " +
    "the judges' shares.",
  cluster === undefined
    ? "Items are taken for independent (--cluster says which aren't), and labels for missing at random."
    : `Items of one ${JSON.stringify(cluster)} may err together, those of different ones not; labels are taken for missing at random.`,
];

const mostShares = 12;

/** What all judges have together, each two of them, and how often each gives each label. */
export const agreementText = (document: AuditAgreementDocument, options: AuditTextOptions = {}): string =>
  auditText(document, options, (paint) => agreementBlocks(document, paint));

function agreementBlocks(document: AuditAgreementDocument, paint: Painter): string[] {
  const { source, judges, categories, items, comparable, clusters, all, pairs, level } = document;
  const shown = categories.slice(0, mostShares);
  const marginalColumns = [
    textColumn<JudgeMarginals>("judge", ({ judge }) => judge),
    numberColumn<JudgeMarginals>("labels", ({ n }) => whole(n)),
    ...shown.map((category, k) =>
      numberColumn<JudgeMarginals>(category, ({ shares }) => (shares === null ? absent : fixed(shares[k], 3))),
    ),
  ];
  const more = categories.length - shown.length;
  const blocks = [
    paint.bold(
      `${source}: ${counted(whole(items), "item")}, ${whole(comparable)} with labels of two judges or more; ` +
        `${whole(judges.length)} judges, ${whole(categories.length)} ${document.scale} ` +
        (categories.length === 1 ? "category" : "categories") +
        (clusters === null ? "" : `; ${counted(whole(clusters), "cluster")}`),
    ),
    drawGrid(marginalColumns, judges, paint) +
      (more > 0 ? `\n… and ${more} more ${more === 1 ? "category" : "categories"}` : ""),
    estimateGrid(allRows(document), level, paint),
  ];
  if (all.weighted.length > 0) blocks.push(estimateGrid(weightedRows(document), level, paint));
  if (pairs.length > 1) blocks.push(drawGrid(pairColumns, pairs, paint), ...pairReasons(pairs));
  blocks.push(`seed ${document.seed}, ${counted(whole(document.replicates), "bootstrap sample")} of alpha`);
  return blocks;
}

function allRows({ all, pairs }: AuditAgreementDocument): NamedEstimate[] {
  const { nominal, ordinal, interval } = all.alpha;
  return [
    { name: "raw agreement", estimate: all.raw },
    ...(pairs.length === 1 ? [{ name: "Cohen's kappa", estimate: pairs[0].cohenKappa }] : []),
    { name: pairs.length === 1 ? "Scott's pi" : "Fleiss' kappa", estimate: all.fleissKappa },
    { name: "Gwet's AC1", estimate: all.ac1 },
    { name: "Krippendorff's alpha", estimate: nominal },
    ...(ordinal === null ? [] : [{ name: "alpha, ordinal", estimate: ordinal }]),
    ...(interval === null ? [] : [{ name: "alpha, interval", estimate: interval }]),
  ];
}

function weightedRows({ all, pairs }: AuditAgreementDocument): NamedEstimate[] {
  return all.weighted.flatMap(({ weights, raw, fleissKappa, ac2 }, w) => [
    { name: `agreement, ${weights} weights`, estimate: raw },
    ...(pairs.length === 1
      ? [{ name: `Cohen's kappa, ${weights}`, estimate: pairs[0].weighted[w].cohenKappa }]
      : [{ name: `Fleiss' kappa, ${weights}`, estimate: fleissKappa }]),
    { name: `Gwet's AC2, ${weights}`, estimate: ac2 },
  ]);
}

const withInterval = (estimate: Estimate): string =>
  estimate.value === null ? absent : `${fixed(estimate.value, 4)} ${intervalText(estimate)}`;

const pairColumns = [
  textColumn<PairAgreement>("judge", ({ first }) => first),
  textColumn<PairAgreement>("and", ({ second }) => second),
  numberColumn<PairAgreement>("items", ({ n }) => whole(n)),
  numberColumn<PairAgreement>("raw agreement", ({ raw }) => fixed(raw.value, 4)),
  numberColumn<PairAgreement>("Cohen's kappa", ({ cohenKappa }) => withInterval(cohenKappa)),
  numberColumn<PairAgreement>("Gwet's AC1", ({ ac1 }) => withInterval(ac1)),
];

/** Why pairs have no kappa. */
function pairReasons(pairs: readonly PairAgreement[]): string[] {
  const lines = pairs.flatMap(({ first, second, cohenKappa }) =>
    cohenKappa.reason === null ? [] : [`Cohen's kappa of ${first} and ${second}: ${cohenKappa.reason}`],
  );
  return lines.length === 0 ? [] : [lines.join("\n")];
}
