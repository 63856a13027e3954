/** Options that several audits have, from text. */
import { usageError } from "../errors.js";
import { randomSeed, samplingOptions } from "../options.js";

/** Random, unless there is one. @throws RatError (usage) */
export const seedOf = (text: string | undefined): number =>
  text === undefined ? randomSeed() : samplingOptions.seed.read(text);

/** @param expected in words @throws RatError (usage) for what isn't that */
export function numberIn(
  option: string,
  text: string | undefined,
  otherwise: number,
  expected: string,
  isRight: (value: number) => boolean,
): number {
  if (text === undefined) return otherwise;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (isRight(value)) return value;
  throw usageError(`${option} must be ${expected}, not ${JSON.stringify(text)}`);
}

/** Columns of judges. @throws RatError (usage) for none, and for one twice */
export function judgesIn(text: string): string[] {
  const names = listIn(text);
  if (names.length === 0) throw usageError("--judges needs the names of columns, separated by commas");
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined) throw usageError(`--judges names column ${JSON.stringify(twice)} twice`);
  return names;
}

/** What is separated by commas, without blanks around it. */
export const listIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
