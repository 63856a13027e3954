/**
 * The JSON documents: what `--json` prints, `--out` writes and the library returns. Their field names are a contract: add to
 * them, but change or drop none. Numbers are finite, or null where they don't apply. The JSON Schemas in schemas/ are made
 * from these types (npm run generate).
 */
export type * from "./documents/audit-agreement.js";
export type * from "./documents/audit-calibration.js";
export type * from "./documents/audit-demo.js";
export type * from "./documents/audit-latent-class.js";
export type * from "./documents/audit-prevalence.js";
export type * from "./documents/audit-swap.js";
export type * from "./documents/audit-variance.js";
export type * from "./documents/compare.js";
export type * from "./documents/doctor.js";
export type * from "./documents/fit.js";
export type * from "./documents/gain.js";
export type * from "./documents/judge.js";
export type * from "./documents/quantity.js";
export type * from "./documents/reproduce.js";
export type * from "./documents/sensitivity.js";
export type * from "./documents/sweep.js";
export type * from "./documents/whole.js";
