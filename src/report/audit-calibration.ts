import type { CalibrationMap } from "../audit/calibration/maps.js";
import type { Recalibration } from "../audit/calibration/recalibration.js";
import type { CalibrationFigures } from "../audit/calibration.js";
import type { AuditCalibrationDocument } from "../documents.js";
import {
  type AuditTextOptions,
  auditText,
  estimateGrid,
  inClusters,
  intervalText,
  testGrid,
} from "./audit-estimates.js";
import { counted, fixed, whole } from "./format.js";
import { drawGrid, numberColumn, type Painter } from "./grid.js";

type Report = NonNullable<AuditCalibrationDocument["report"]>;
type Bin = CalibrationFigures["equalWidth"]["bins"][number];

/** Figures of confidences as they are and after maps, and the reliability diagram of the former as a table. */
export const calibrationText = (document: AuditCalibrationDocument, options: AuditTextOptions = {}): string =>
  auditText(document, options, (paint) => calibrationBlocks(document, paint));

function calibrationBlocks(document: AuditCalibrationDocument, paint: Painter): string[] {
  const { source, leftOut, clusters, report, saved, applied, level, seed } = document;
  const more = leftOut === 0 ? "" : ` (${whole(leftOut)} more without a value left out)`;
  const left = clusters === null ? more : `${more},${inClusters(clusters)}`;
  const blocks: string[] = [];
  if (report !== null) blocks.push(...reportBlocks(source, left, report, level, paint), `seed ${seed}`);
  if (applied !== null) {
    const { file, map, rows, raw, mapped, recalibration } = applied;
    blocks.push(paint.bold(`${source}: ${counted(whole(rows.length), "row")}${left}, ${map.kind} map of ${file}`));
    if (raw !== null) blocks.push(figuresBlock("confidences as they are", raw, level, paint));
    if (mapped !== null) blocks.push(figuresBlock("after the map", mapped, level, paint));
    if (recalibration !== null) blocks.push(recalibrationBlock(recalibration, level, paint));
    else blocks.push("no outcomes: nothing tells how good the map is here");
    blocks.push("the calibrated confidences are in the JSON document: --json or --out FOLDER");
  }
  if (saved !== null) blocks.push(`${saved.map.kind} map: ${saved.file}`);
  return blocks;
}

function reportBlocks(source: string, left: string, report: Report, level: number, paint: Painter): string[] {
  const { rows, positives, meanConfidence, frequency, raw, recalibration } = report;
  const title = paint.bold(`${source}: ${counted(whole(rows), "row")}${left}, ${whole(positives)} with outcome 1`);
  const maps = (["platt", "isotonic"] as const).map((name) => {
    const { fit, crossValidated, crossValidationNote } = report[name];
    const what = [...(fit.map === null ? [] : [mapText(fit.map)]), ...(fit.note === null ? [] : [fit.note])];
    if (crossValidated !== null) {
      const head = `${name} map, ${crossValidated.folds}-fold cross-validated`;
      return [figuresBlock(head, crossValidated, level, paint), ...what].join("\n");
    }
    const why = crossValidationNote === fit.note ? [] : [`no cross-validated figures: ${crossValidationNote}`];
    return [paint.bold(`${name} map`), "", ...what, ...why].join("\n");
  });
  return [
    `${title}\nmean confidence ${fixed(meanConfidence, 4)}, share of outcome 1 ${fixed(frequency, 4)}`,
    figuresBlock("confidences as they are", raw, level, paint),
    recalibrationBlock(recalibration, level, paint),
    binsBlock(raw.equalWidth.bins, paint),
    ...maps,
  ];
}

const mapText = (map: CalibrationMap): string =>
  map.kind === "platt"
    ? `logistic curve over the ${map.on}: intercept ${fixed(map.intercept, 4)}, slope ${fixed(map.slope, 4)}`
    : `steps through ${counted(whole(map.x.length), "point")}`;

function figuresBlock(title: string, figures: CalibrationFigures, level: number, paint: Painter): string {
  const { auc, brier, logLoss, equalWidth, equalMass } = figures;
  const grid = estimateGrid(
    [
      { name: "AUC", estimate: auc },
      { name: "Brier score", estimate: brier },
      { name: "log loss", estimate: logLoss },
      { name: "ECE, bins of equal width", estimate: equalWidth.ece },
      { name: "ECE, bins of equal mass", estimate: equalMass.ece },
    ],
    level,
    paint,
  );
  const noise =
    `greatest gap of a bin of equal width (MCE) ${fixed(equalWidth.mce, 4)}; ` +
    `calibrated confidences would have an ECE of about ${fixed(equalWidth.eceIfCalibrated, 4)}`;
  return [paint.bold(title), "", grid, noise].join("\n");
}

const recalibrationBlock = (found: Recalibration, level: number, paint: Painter): string =>
  [
    testGrid(
      [
        { name: "calibrated (slope 1, intercept 0)", test: found.test },
        { name: "as many outcomes of 1 as stated", test: found.interceptTest },
        { name: "neither over- nor under-confident (slope 1)", test: found.slopeTest },
      ],
      paint,
    ),
    "",
    estimateGrid(
      [
        { name: "slope of the log odds", estimate: found.slope },
        { name: "intercept", estimate: found.intercept },
      ],
      level,
      paint,
    ),
  ].join("\n");

const binColumns = [
  numberColumn<Bin>("bin", ({ lower, upper }) => `${fixed(lower, 2)} to ${fixed(upper, 2)}`),
  numberColumn<Bin>("rows", ({ rows }) => whole(rows)),
  numberColumn<Bin>("mean confidence", ({ meanConfidence }) => fixed(meanConfidence, 4)),
  numberColumn<Bin>("outcome 1", ({ frequency }) => fixed(frequency, 4)),
  numberColumn<Bin>("interval", ({ frequencyLower: lower, frequencyUpper: upper }) => intervalText({ lower, upper })),
];

const binsBlock = (bins: readonly Bin[], paint: Painter): string => drawGrid(binColumns, bins, paint);
