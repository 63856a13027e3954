import type { ReproducedTable } from "../documents.js";
import type { ExperimentName } from "./experiments.js";
import type { Materials } from "./materials.js";

/** A table or figure of the paper. */
export interface Part {
  /** As `--only` names it. */
  readonly id: string;
  /** Other numbers that the paper gives the same table. */
  readonly aliases?: readonly string[];
  readonly needs: readonly ExperimentName[];
  readonly make: (
    materials: Materials,
    scale: Scale,
  ) => Promise<readonly ReproducedTable[]> | readonly ReproducedTable[];
}

/** Standard errors of printed averages, which the paper doesn't tell. */
export interface Scale {
  /** Share of the full run's replicates that this one has. */
  readonly share: number;
}

/** That of a printed average over as many replicates as a full run has. */
export const printedSe = (se: number | null, { share }: Scale): number => (se ?? 0) * Math.sqrt(share);
