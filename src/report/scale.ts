/** The value axes of figures: from where to where, and their ticks. */
import type { SweepCell } from "../documents.js";
import { textWidth } from "./svg.js";

/** Mean absolute error, or mean width of the interval. */
export type Measure = "mae" | "width";

export interface ValueScale {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
}

export const averageOf = (cell: SweepCell, measure: Measure): number | null => cell[measure];
export const errorOf = (cell: SweepCell, measure: Measure): number | null => cell[`${measure}Se`];

/**
 * A scale that holds the cells' averages and error bars. It need not begin at 0 as bars would, but begins at a tick, so
 * that nobody takes its foot for 0.
 */
export function valueScale(cells: readonly SweepCell[], measure: Measure): ValueScale {
  const reach = cells.flatMap((cell) => {
    const [value, error] = [averageOf(cell, measure), errorOf(cell, measure) ?? 0];
    return value === null ? [] : [value - error, value + error];
  });
  if (reach.length === 0) return { domain: [0, 1], ticks: [0, 0.5, 1] };
  const [least, most] = [Math.min(...reach), Math.max(...reach)];
  const span = most - least || most || 1;
  const step = roundStep(span / 6);
  const first = Math.max(0, Math.floor((least - 0.01 * span) / step));
  const end = most + (most > least ? 0.06 : 0.5) * span;
  const count = Math.floor(end / step) - first + 1;
  const ticks = multiples(step, first, count);
  return { domain: [ticks[0], end], ticks };
}

/** A scale from the least to the most of some values, with as many ticks as their labels have room for. */
export function tightScale(values: readonly number[], pixels: number, fontSize: number): ValueScale {
  const known = values.filter(Number.isFinite);
  if (known.length === 0) return { domain: [0, 1], ticks: [0, 0.5, 1] };
  let [least, most] = [Math.min(...known), Math.max(...known)];
  if (most === least) {
    const half = 0.05 * (Math.abs(least) || 1);
    [least, most] = [least - half, most + half];
  }
  const fitting = (gap: number): number[] => {
    for (let steps = 8; ; steps /= 1.1) {
      const step = roundStep((most - least) / steps);
      const first = Math.ceil(least / step - 1e-9);
      const ticks = multiples(step, first, Math.floor(most / step + 1e-9) - first + 1);
      const label = tickFormat(ticks);
      const room = (step / (most - least)) * pixels - gap;
      if (ticks.length < 2 || ticks.every((tick) => textWidth(label(tick), fontSize) <= room)) return ticks;
    }
  };
  const [loose, close] = [6, 2].map(fitting);
  return { domain: [least, most], ticks: loose.length < 2 ? close : loose };
}

/** Multiples of a step such as 0.005 carry rounding errors that would show in the ticks' text. */
const multiples = (step: number, first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));

/** The least of 1, 2, 2.5, 5 times a power of ten that is as large as asked. */
function roundStep(atLeast: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(atLeast));
  return ([1, 2, 2.5, 5].find((factor) => factor * magnitude >= atLeast) ?? 10) * magnitude;
}

/** As many decimals on every tick as the longest needs. */
export function tickFormat(ticks: readonly number[]): (value: number) => string {
  if (ticks.some((tick) => Math.abs(tick) >= 1e15)) return (value) => value.toExponential(1).replace(/-/g, "−");
  const decimals = Math.max(0, ...ticks.map((tick) => tick.toFixed(12).replace(/0+$/, "").split(".")[1].length));
  return (value) => value.toFixed(decimals).replace("-", "−");
}
