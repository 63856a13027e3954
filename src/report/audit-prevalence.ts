import type { AuditSample } from "../audit/prevalence.js";
import type { AuditPrevalenceDocument, AuditPrevalenceSystem } from "../documents.js";
import { type AuditTextOptions, auditText, estimateGrid, pText } from "./audit-estimates.js";
import { absent, bounded, counted, fixed, whole } from "./format.js";
import { drawGrid, numberColumn, type Painter, textColumn } from "./grid.js";

/** What the estimates take for granted. */
export const prevalenceNotes = (sample: AuditSample, clustered: boolean): string[] => [
  "Rogan-Gladen takes it that sensitivity and specificity carry over: the judge errs on all judged records as often as it did " +
    "on the audited ones; another domain, prompt or model needs its own audit",
  sample === "random"
    ? "prediction-powered inference, and the Bayesian estimate, need an audit of records drawn at random from the judged " +
      "ones; where they were chosen by verdict or by hand, use --sample separate"
    : "the audit isn't a random sample of the judged records, so nothing but the judge's rates is taken from it",
  clustered
    ? "clusters are taken for independent, records of one not; the mean over clusters takes the judge to err as often in " +
      "small ones as in large ones"
    : "records are taken for independent; where some err together, as claims of one answer do, use --cluster",
  "gold labels are taken for the truth: their own errors aren't seen",
];

/** Every system's estimates; of more than one, how they are ordered as judged and corrected. */
export function prevalenceText(document: AuditPrevalenceDocument, options: AuditTextOptions = {}): string {
  const { systems, order, level, seed } = document;
  return auditText(document, options, (paint) => [
    ...systems.map((system) => systemBlock(system, level, paint)),
    ...(order === null ? [] : orderBlocks(order, paint)),
    `seed ${seed}`,
  ]);
}

function systemBlock(system: AuditPrevalenceSystem, level: number, paint: Painter): string {
  const { audit, unaudited, roganGladen, predictionPowered, bayesian, fieller, overClusters } = system;
  const grid = estimateGrid(
    [
      { name: "judge says yes", estimate: system.observed },
      { name: "sensitivity", estimate: system.sensitivity },
      { name: "specificity", estimate: system.specificity },
      { name: "Youden's J", estimate: system.j },
      { name: "prevalence, Rogan-Gladen", estimate: roganGladen },
      ...(fieller === null ? [] : [{ name: "prevalence, Fieller", estimate: { ...fieller, value: null } }]),
      { name: "prevalence, Bayesian", estimate: bayesian },
      { name: "prevalence, prediction-powered", estimate: predictionPowered },
      ...(overClusters === null
        ? []
        : [
            { name: "judge says yes, mean over clusters", estimate: overClusters.observed },
            { name: "Rogan-Gladen, mean over clusters", estimate: overClusters.roganGladen },
          ]),
    ],
    level,
    paint,
  );
  return [paint.bold(titleOf(system, audit, unaudited)), "", grid, ...linesBelow(system)].join("\n");
}

function linesBelow({ roganGladen, predictionPowered, bayesian, bias }: AuditPrevalenceSystem): string[] {
  const { raw, clipped, inflation, errorKnownRates } = roganGladen;
  const { gain, lambda } = predictionPowered;
  const { sampling } = bayesian;
  const lines = [];
  if (clipped) lines.push(`Rogan-Gladen's value is ${fixed(raw, 4)} before it is brought into 0 to 1`);
  if (inflation !== null && errorKnownRates !== null) {
    lines.push(
      `with known rates Rogan-Gladen's error would be ${fixed(errorKnownRates, 4)}; its variance is 1/J^2 = ` +
        `${fixed(inflation, 2)} times that of a share`,
    );
  }
  if (predictionPowered.clipped) {
    lines.push(`the prediction-powered value is ${fixed(predictionPowered.raw, 4)} before it is brought into 0 to 1`);
  }
  if (gain !== null) {
    lines.push(
      `prediction-powered is as sure as ${fixed(gain, 2)} times as many gold labels alone (lambda ${fixed(lambda, 3)})`,
    );
  }
  if (sampling !== null) {
    lines.push(
      `Bayesian: ${sampling.chains} chains of ${whole(sampling.draws)} draws, R-hat at most ${fixed(sampling.maxRhat, 3)}, ` +
        `effective draws at least ${whole(Math.floor(sampling.minEss ?? 0))}`,
    );
  }
  lines.push(
    bias.p === null
      ? `the judge says yes as often as there is truth: no test, ${bias.reason}`
      : `the judge says yes as often as there is truth: p ${pText(bias)} (${bias.test})`,
  );
  return lines;
}

function titleOf(
  { system, clusters }: AuditPrevalenceSystem,
  audit: AuditPrevalenceSystem["audit"],
  unaudited: AuditPrevalenceSystem["unaudited"],
): string {
  if (audit === null || unaudited === null) return `${system}: prevalence of what a judge says yes to`;
  const audited = audit.truePositives + audit.falseNegatives + audit.falsePositives + audit.trueNegatives;
  const judged = unaudited.positives + unaudited.negatives;
  const within = clusters === null ? "" : `; ${counted(whole(clusters), "cluster")}`;
  return `${system}: ${counted(whole(audited), "audited record")}, ${whole(judged)} that the judge alone has seen${within}`;
}

type Order = NonNullable<AuditPrevalenceDocument["order"]>;
type Pair = Order["pairs"][number];

const pairColumns = [
  textColumn<Pair>("first", ({ first }) => first),
  textColumn<Pair>("second", ({ second }) => second),
  numberColumn<Pair>("P(first > second), raw", ({ pRaw }) => bounded(pRaw, 3)),
  numberColumn<Pair>("corrected", ({ pCorrected }) => bounded(pCorrected, 3)),
];

function orderBlocks(order: Order, paint: Painter): string[] {
  const { raw, corrected, estimator, reason, leftOut, orders, pairs, reversals } = order;
  const places = raw.map((judged, i) => ({ place: i + 1, judged, truly: corrected.at(i) }));
  type Place = (typeof places)[number];
  const columns = [
    numberColumn<Place>("place", ({ place }) => `${place}`),
    textColumn<Place>("raw", ({ judged }) => judged.system),
    numberColumn<Place>("rate", ({ judged }) => fixed(judged.value, 4)),
    textColumn<Place>("corrected", ({ truly }) => truly?.system ?? absent),
    numberColumn<Place>("rate", ({ truly }) => fixed(truly?.value, 4)),
  ];
  const [first] = orders;
  return [
    paint.bold(`order of systems, raw${estimator === null ? "" : ` and corrected (${estimator})`}`),
    drawGrid(columns, places, paint),
    ...(reason === null
      ? leftOut.map((out) => `not in the corrected order: ${out.system}: ${out.reason}`)
      : [`no corrected order: ${reason}`]),
    drawGrid(pairColumns, pairs, paint),
    ...(first === undefined
      ? []
      : [`most probable order: ${first.systems.join(" > ")}, probability ${bounded(first.probability, 3)}`]),
    ...reversals.map((reversal) => paint.warn(`reversed: ${reversal}`)),
  ];
}
