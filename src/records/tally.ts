import type { CompiledNetwork } from "../network/compiled.js";
import type { Observation, Standing } from "./observation.js";

/** Numbers of records by variable; the three of a variable add up to all records. */
export interface VariableCounts {
  readonly observed: Readonly<Record<string, number>>;
  /** Blank, but the labels that are there leave only one level. */
  readonly implied: Readonly<Record<string, number>>;
  /** Blank and open. */
  readonly missing: Readonly<Record<string, number>>;
}

/** How many records show each observation. */
export class Tally {
  private readonly recordsOf = new Map<Observation, number>();

  add(observation: Observation, records: number): void {
    this.recordsOf.set(observation, (this.recordsOf.get(observation) ?? 0) + records);
  }

  addAll(other: Tally): void {
    for (const [observation, records] of other.recordsOf) this.add(observation, records);
  }

  get records(): number {
    let sum = 0;
    for (const records of this.recordsOf.values()) sum += records;
    return sum;
  }

  result(network: CompiledNetwork): VariableCounts & { counts: Float64Array; records: number } {
    const counts = new Float64Array(network.patterns.length);
    for (const [observation, records] of this.recordsOf) counts[observation.pattern] += records;
    return {
      counts,
      records: this.records,
      observed: this.byVariable(network, "observed"),
      implied: this.byVariable(network, "implied"),
      missing: this.byVariable(network, "missing"),
    };
  }

  private byVariable({ variables }: CompiledNetwork, standing: Standing): Record<string, number> {
    const numbers = variables.map(({ name }, v) => {
      let sum = 0;
      for (const [observation, records] of this.recordsOf) if (observation.standing[v] === standing) sum += records;
      return [name, sum] as const;
    });
    return Object.fromEntries(numbers);
  }
}
