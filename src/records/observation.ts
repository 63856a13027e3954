import type { CompiledNetwork } from "../network/compiled.js";
import { patternIndex } from "../network/patterns.js";
import { notObserved } from "./labels.js";

export type Standing = "observed" | "implied" | "missing";

/** What a record shows: a level or nothing of each variable. */
export interface Observation {
  /** Its index in the counts of a refit; -1 = it contradicts the model. */
  readonly pattern: number;
  readonly levels: readonly number[];
  /**
   * Of each variable. Implied: not observed, but the observed ones leave only one level (T after A = 1), as all cells
   * of the pattern agree. Empty if the observation contradicts the model.
   */
  readonly standing: readonly Standing[];
}

/** The observations of one network, each made once. */
export class Observations {
  private readonly known = new Map<number, Observation>();
  private readonly indexOf: (levels: readonly number[]) => number;

  constructor(private readonly network: CompiledNetwork) {
    this.indexOf = patternIndex(network);
  }

  /** @param levels level index of each variable, -1 = not observed; may be changed afterwards. */
  of(levels: readonly number[]): Observation {
    const { variables } = this.network;
    let key = 0;
    for (let v = 0; v < variables.length; v++) key = key * (variables[v].levels.length + 1) + levels[v] + 1;
    let observation = this.known.get(key);
    if (observation === undefined) {
      observation = this.create([...levels]);
      this.known.set(key, observation);
    }
    return observation;
  }

  /**
   * A contradiction read without its last label, in the order of the variables, that makes it impossible: A = 1 with
   * T = 1 as A = 1, which implies T = 0. Null if no single label is to blame.
   */
  withoutLastConflict({ levels }: Observation): { variable: number; observation: Observation } | null {
    for (let variable = levels.length - 1; variable >= 0; variable--) {
      if (levels[variable] === notObserved) continue;
      const observation = this.of(levels.with(variable, notObserved));
      if (observation.pattern >= 0) return { variable, observation };
    }
    return null;
  }

  /** The labels that contradict each other, without those that have no part in it: `A = 1 with T = 1`. */
  describeConflict(contradiction: Observation): string {
    let levels = contradiction.levels;
    for (let v = levels.length - 1; v >= 0; v--) {
      const fewer = levels.with(v, notObserved);
      if (this.indexOf(fewer) < 0) levels = fewer;
    }
    const labels = this.network.variables.map(({ name, levels: names }, v) => `${name} = ${names[levels[v]]}`);
    return labels.filter((_, v) => levels[v] !== notObserved).join(" with ");
  }

  /** The level that an implied variable must have. */
  impliedLevel({ pattern }: Observation, variable: number): number {
    return this.network.cells[this.network.patterns[pattern].cells[0]].levels[variable];
  }

  private create(levels: readonly number[]): Observation {
    const pattern = this.indexOf(levels);
    if (pattern < 0) return { pattern, levels, standing: [] };
    const cells = this.network.patterns[pattern].cells.map((c) => this.network.cells[c].levels);
    const standing = levels.map((level, v) => {
      if (level !== notObserved) return "observed";
      return cells.every((cell) => cell[v] === cells[0][v]) ? "implied" : "missing";
    });
    return { pattern, levels, standing };
  }
}
