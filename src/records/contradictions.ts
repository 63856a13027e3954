import { dataError, type ErrorPlace, type RatError } from "../errors.js";
import type { CompiledNetwork } from "../network/compiled.js";
import type { Observation, Observations } from "./observation.js";

/** What to do with records that the model says can't happen: an abstention (A = 1) that is a success (T = 1). */
export type ContradictionRule = "refuse" | "drop" | "as-failure";

const mostLines = 5;

/** Records that contradict the model: how many, where, and what was done with them. */
export class Contradictions {
  records = 0;
  private rows = 0;
  private readonly lines: number[] = [];
  private first: Observation | null = null;
  private readAs = "";

  constructor(
    private readonly rule: ContradictionRule,
    private readonly network: Pick<CompiledNetwork, "variables">,
    private readonly observations: Observations,
    private readonly place: ErrorPlace,
  ) {}

  /** What to count the records as instead; null = not at all. */
  resolve(observation: Observation, line: number, records: number): Observation | null {
    const first = this.first ?? observation;
    this.first = first;
    this.records += records;
    this.rows++;
    if (this.lines.length < mostLines) this.lines.push(line);
    if (this.rule !== "as-failure") return null;
    const reading = this.observations.withoutLastConflict(observation);
    if (reading === null) {
      const conflict = this.observations.describeConflict(observation);
      throw dataError(`${conflict} contradicts the model, whichever label is left out`, { ...this.place, line });
    }
    if (observation === first) this.readAs = this.describeReading(reading);
    return reading.observation;
  }

  /** The refusal; null if there is nothing to refuse. */
  error(): RatError | null {
    if (this.first === null || this.rule !== "refuse") return null;
    const more = this.rows > this.lines.length ? ` and ${this.rows - this.lines.length} more` : "";
    const lines = `${this.rows === 1 ? "line" : "lines"} ${this.lines.join(", ")}${more}`;
    const message = `${this.conflict()}, which the model rules out: ${lines}`;
    const remedy = "correct the labels, or choose what to do with --abstained-success drop or as-failure";
    return dataError(`${message}; ${remedy}`, { ...this.place, line: this.lines[0] });
  }

  notice(): string | null {
    if (this.first === null || this.rule === "refuse") return null;
    const done = this.rule === "drop" ? "dropped" : this.readAs;
    return `${this.conflict()}, which the model rules out: ${done}`;
  }

  private conflict(): string {
    const labels = this.first === null ? "" : this.observations.describeConflict(this.first);
    return `${this.records} ${this.records === 1 ? "record has" : "records have"} ${labels}`;
  }

  private describeReading({ variable, observation }: { variable: number; observation: Observation }): string {
    const { name, levels } = this.network.variables[variable];
    if (observation.standing[variable] !== "implied") return `${name} read as not observed`;
    return `${name} read as ${levels[this.observations.impliedLevel(observation, variable)]}`;
  }
}
