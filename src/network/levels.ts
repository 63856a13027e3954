import { dataError } from "../errors.js";
import type { VariableDefinition } from "./definition.js";

/** What can be asked about the levels of a variable. */
export type Leveled = Pick<VariableDefinition, "name" | "levels" | "spellings">;

/** Index of the level with that name or, if there is none, that spelling; -1 if neither. */
export function levelNamed({ levels, spellings }: Leveled, text: string): number {
  const index = levels.indexOf(text);
  if (index >= 0 || spellings === undefined || !Object.hasOwn(spellings, text)) return index;
  return levels.indexOf(spellings[text]);
}

/** The levels for a message, each with its other spellings: `fail (0), partial (0.5), success (1)`. */
export function listLevels({ levels, spellings = {} }: Leveled): string {
  const shown = levels.map((level) => {
    const others = Object.keys(spellings).filter((spelling) => spellings[spelling] === level);
    return others.length === 0 ? level : `${level} (${others.join(", ")})`;
  });
  return shown.join(", ");
}

/** Numbers that spell the same level, as those that went through floating point. */
export const spellingTolerance = 1e-9;

/**
 * That every spelling is of a level, and none reads like a level or another spelling.
 * @param at the network, for messages
 * @param field the place in the definition
 * @throws RatError (data)
 */
export function checkSpellings(variable: Leveled, at: string, field: string): void {
  const { name, levels, spellings = {} } = variable;
  const known: string[] = [...levels];
  const refuse = (problem: string): Error => dataError(`${at}: spelling ${problem}`, { field });
  for (const [spelling, level] of Object.entries(spellings)) {
    if (!levels.includes(level)) {
      throw refuse(
        `${JSON.stringify(spelling)} of ${name} is of ${JSON.stringify(level)}, ` +
          `which is none of its levels: ${levels.join(", ")}`,
      );
    }
    if (spelling.trim() === "")
      throw refuse(`${JSON.stringify(spelling)} of ${name} is blank, which means not observed`);
    const alike = known.find((other) => readAlike(other, spelling));
    if (alike !== undefined) throw refuse(`${JSON.stringify(spelling)} of ${name} reads like ${JSON.stringify(alike)}`);
    known.push(spelling);
  }
}

function readAlike(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => text.trim().toLowerCase());
  return x === y || (x !== "" && y !== "" && Math.abs(Number(x) - Number(y)) <= 2 * spellingTolerance);
}
