/** A progress bar on stderr for people who wait: label, finished of total, refits a second, time left. */
import { SingleBar } from "cli-progress";
import { brief, duration } from "./format.js";

export interface ProgressOptions {
  readonly quiet?: boolean;
  /** Default stderr: stdout is for results. */
  readonly stream?: NodeJS.WriteStream;
}

/** Draws nothing when quiet or when the stream is no terminal. Call `stop` whatever happens: it ends the line. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #quiet: boolean;
  readonly #stopAtExit = () => this.stop();
  #bar: SingleBar | null = null;
  #startTime = 0;

  constructor({ quiet = false, stream = process.stderr }: ProgressOptions = {}) {
    this.#stream = stream;
    this.#quiet = quiet;
  }

  /** `unit`: what is counted, for the rate. */
  start(total: number, label: string, unit = "refits"): void {
    this.stop();
    if (this.#quiet || this.#stream.isTTY !== true) return;
    this.#startTime = performance.now();
    this.#bar = new SingleBar({
      stream: this.#stream,
      format: (_options, { value, maxWidth }) => this.#line({ finished: value, total, label, unit }, maxWidth),
      // Switching line wrapping off would leave the terminal so if the process were killed; the line is cut instead.
      linewrap: true,
    });
    this.#bar.start(total, 0);
    process.once("exit", this.#stopAtExit);
  }

  /** `finished` counts from the start, not from the last update. */
  update(finished: number): void {
    this.#bar?.update(finished);
  }

  /** Leaves the bar as it is, finished or not, and ends its line. */
  stop(): void {
    if (this.#bar === null) return;
    process.removeListener("exit", this.#stopAtExit);
    this.#bar.stop();
    this.#bar = null;
  }

  #line(state: Omit<ProgressState, "seconds" | "columns">, columns = 80): string {
    const seconds = (performance.now() - this.#startTime) / 1000;
    return progressLine({ ...state, seconds, columns });
  }
}

interface ProgressState {
  readonly label: string;
  readonly finished: number;
  readonly total: number;
  readonly unit: string;
  /** Since the start. */
  readonly seconds: number;
  /** Of the terminal. */
  readonly columns: number;
}

/** The bar's line, shorter than the terminal is wide so that it never wraps and leaves its rest behind. */
export function progressLine({ label, finished, total, unit, seconds, columns }: ProgressState): string {
  const share = total > 0 ? Math.min(1, finished / total) : 1;
  const rate = finished > 0 && seconds > 0 ? finished / seconds : null;
  const counts = `${finished.toLocaleString("en-US")}/${total.toLocaleString("en-US")}`;
  const speed = rate === null ? "" : `  ${brief(rate)} ${unit}/s`;
  const left = rate === null || finished >= total ? "" : `  ${timeLeft((total - finished) / rate)} left`;
  const tail = ` ${counts}${speed}${left}`;
  const room = columns - 1 - label.length - 1 - tail.length;
  if (room < 5) return `${label}${tail}`.slice(0, columns - 1);
  const cells = Math.min(30, room);
  const full = Math.round(share * cells);
  return `${label} ${"█".repeat(full)}${"░".repeat(cells - full)}${tail}`;
}

/** Whole seconds, rounded up: a promise that is rather kept than precise. */
function timeLeft(seconds: number): string {
  return seconds < 59.5 ? `${Math.ceil(seconds)} s` : duration(seconds);
}
