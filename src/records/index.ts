export type { ColumnOptions } from "./columns.js";
export type { ContradictionRule } from "./contradictions.js";
export { type CountedRecords, type CountOptions, countRecords, RecordCounter, type RecordCounts } from "./counts.js";
export { presetCounts, presetNames } from "./presets.js";
export { formatOfName, type ReadOptions, type RecordFormat, readRows } from "./read.js";
export type { RawRow } from "./row.js";
export type { VariableCounts } from "./tally.js";
