import { usageError } from "../../errors.js";
import { check, fields, isIterable, isObject, list, number, type Shape, show, text } from "../../values.js";
import type { AgreementOptions } from "../agreement.js";
import type { Clusters } from "../cluster.js";
import { checkLevel } from "../estimate.js";
import type { Scale } from "./labels.js";
import { defaultReplicates, mostReplicates } from "./replicates.js";

const scales: readonly Scale[] = ["nominal", "ordinal", "interval"];

const category: Shape = (value, place) =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)
    ? null
    : `${place} must be text, a finite number, true or false, not ${show(value)}`;

const shapes: Readonly<Record<keyof AgreementOptions, Shape>> = {
  judges: list(text, "the judges' names"),
  categories: list(category, "categories"),
  scale: text,
  level: number,
  replicates: number,
  seed: number,
  clusters: (value, place) =>
    value === null || isClusters(value) ? null : `${place} must be what clustersOf(keys) returns, not ${show(value)}`,
};

const { judges: judgesShape, ...optionalShapes } = shapes;
const optionsShape = fields({ judges: judgesShape }, optionalShapes);

const isClusters = (value: unknown): value is Clusters =>
  isObject(value) &&
  (Array.isArray(value.of) || ArrayBuffer.isView(value.of)) &&
  Number.isSafeInteger(value.count) &&
  Number(value.count) >= 0;

export type Settings = {
  readonly [Name in Exclude<keyof AgreementOptions, "categories">]-?: Exclude<AgreementOptions[Name], undefined>;
} & Pick<AgreementOptions, "categories">;

/** @throws RatError (usage) for items that are no list, and for options that can't be */
export function settingsOf(items: unknown, options: AgreementOptions): Settings {
  if (!isIterable(items)) throw usageError(`items must be a list of labelled items, not ${show(items)}`);
  check(optionsShape, options, "options");
  const unknown = Object.keys(options).find((name) => !(name in shapes));
  if (unknown !== undefined) {
    throw usageError(`there is no option ${show(unknown)}: options are ${Object.keys(shapes).join(", ")}`);
  }
  const { judges, categories, scale = "nominal", level = 0.95, replicates = defaultReplicates, seed } = options;
  const { clusters = null } = options;
  if (judges.length < 2) throw usageError(`agreement is of two judges or more, not ${judges.length}`);
  if (new Set(judges).size < judges.length) throw usageError(`judges must have different names, not ${show(judges)}`);
  if (!scales.includes(scale)) throw usageError(`scale must be nominal, ordinal or interval, not ${show(scale)}`);
  checkLevel(level);
  if (!(Number.isSafeInteger(replicates) && replicates >= 0 && replicates <= mostReplicates)) {
    throw usageError(`replicates must be a whole number from 0 to ${mostReplicates}, not ${show(replicates)}`);
  }
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    throw usageError(`seed must be a whole number from 0, not ${show(seed)}`);
  }
  return { judges, categories, scale, level, replicates, seed, clusters };
}
