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
  if (names.length === 0)
    throw usageError("--judges needs the names of columns, separated by commas, those with a comma in double quotes");
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined) throw usageError(`--judges names column ${JSON.stringify(twice)} twice`);
  return names;
}

/**
 * What is separated by commas, without blanks around it. What has a comma itself stands in double quotes, one within these
 * twice, as in CSV: `"a,b",c`.
 * @throws RatError (usage) for a quote that isn't closed, or that text follows
 */
export function listIn(text: string): string[] {
  const names: string[] = [];
  // Each is a quoted or a bare name and the comma, or end, behind it.
  const one = /\s*(?:"((?:[^"]|"")*)"|([^",\s][^,]*|))\s*(,|$)/y;
  for (let end = "," as string; end === ","; ) {
    const at = one.lastIndex;
    const found = one.exec(text);
    if (found === null) {
      throw usageError(
        `a name in double quotes must end with one, and a comma follow: ${JSON.stringify(text.slice(at))}`,
      );
    }
    const [, quoted, bare] = found;
    const name = quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"');
    if (name !== "") names.push(name);
    end = found[3];
  }
  return names;
}
