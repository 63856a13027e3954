import { dataError, type RatError } from "../errors.js";
import { show } from "../values.js";

const mostShown = 5;

interface Problem {
  readonly line: number;
  readonly field: string;
  readonly value: unknown;
  /** What the value is not, e.g. "a 0/1 label". */
  readonly expected: string;
}

/** Collects cells that can't be read, so that a user sees several of them at once. */
export class Problems {
  private readonly shown: Problem[] = [];
  private readonly hints = new Set<string>();
  private count = 0;

  constructor(private readonly file: string | undefined) {}

  /** @param hint said once at the end, however many cells it is about. */
  add(problem: Problem, hint?: string): void {
    this.count++;
    if (this.shown.length < mostShown) this.shown.push(problem);
    if (hint !== undefined) this.hints.add(hint);
  }

  /** One error for all of them; null if there were none. */
  error(): RatError | null {
    const [first] = this.shown;
    if (first === undefined) return null;
    const more = this.count - this.shown.length;
    const lines = [
      this.count === 1 ? sentence(first) : `${this.count} cells can't be read:`,
      ...(this.count === 1 ? [] : this.shown.map((problem) => `  line ${problem.line}: ${sentence(problem)}`)),
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...this.hints,
    ];
    const { line, field, value } = first;
    const file = this.file === undefined ? {} : { file: this.file };
    return dataError(lines.join("\n"), { ...file, line, field, value: show(value) });
  }
}

const sentence = ({ field, value, expected }: Problem): string => `${field} is ${show(value)}, not ${expected}`;
