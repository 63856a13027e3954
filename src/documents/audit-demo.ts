import type { ReliabilityBin } from "../audit/calibration/bins.js";
import type { DemoPanel } from "../audit/demo.js";
import type { Panel } from "../audit/variance.js";
import type { Whole } from "./whole.js";

/** What `rat audit demo --json` prints and audit-demo.json holds: an article's findings about judges, simulated. */
export interface AuditDemoDocument {
  readonly seed: Whole;
  /** Probability inside the intervals of estimates. */
  readonly level: number;
  /** When a finding counts as agreeing with the article. */
  readonly rule: string;
  readonly panels: readonly AuditDemoPanel[];
  /** Of findings that the article prints, or says, something of. */
  readonly compared: Whole;
  readonly agreeing: Whole;
  readonly curves: AuditDemoCurves;
}

export interface AuditDemoPanel extends DemoPanel {
  /** What was simulated, as `--out` writes it. */
  readonly files: readonly AuditDemoFile[];
}

export interface AuditDemoFile {
  readonly name: string;
  readonly rows: Whole;
  /** Audits the file, in its folder, and finds what the panel says. */
  readonly command: string;
}

/** What figures show beside the findings. */
export interface AuditDemoCurves {
  /** Panel C, as stated and after Platt's map of the same rows. */
  readonly reliability: { readonly raw: readonly ReliabilityBin[]; readonly platt: readonly ReliabilityBin[] };
  /** Panel D: the most queries for each number of judges, by the planted variances. */
  readonly panels: readonly Panel[];
  /** Panel E: in how many sets the fit labels so many more items right than the majority vote. */
  readonly differences: readonly { readonly items: number; readonly sets: Whole }[];
}
