import { expressionError } from "./expression.js";

/** One term of a policy as written; positions count from 1. */
export interface ParsedTerm {
  readonly parts: readonly { readonly variable: string; readonly level: string; readonly position: number }[];
  readonly weight: number;
  readonly position: number;
}

const variableName = /[\p{L}_][\p{L}\p{N}_]*/uy;
const levelName = /[^\s,&|()=:]+/y;
const word = /[^\s,]+/y;
const weightText = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Parses terms such as `R=0&A=1:1`, separated by commas.
 * @throws RatError (usage) that names the position, counted from 1
 */
export function parsePolicy(text: string): ParsedTerm[] {
  let at = 0;
  const skipBlanks = (): void => {
    while (at < text.length && /\s/.test(text[at])) at++;
  };
  const fail = (problem: string, position = at + 1): never => {
    throw expressionError(text, position, `--policy: ${problem}`);
  };
  const accept = (symbol: string): boolean => {
    skipBlanks();
    if (text[at] !== symbol) return false;
    at++;
    return true;
  };
  const match = (pattern: RegExp, problem: string): string => {
    skipBlanks();
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return fail(problem);
    at += found.length;
    return found;
  };
  const assignment = (): ParsedTerm["parts"][number] => {
    const variable = match(variableName, "expected the name of a variable");
    const position = at - variable.length + 1;
    if (!accept("=")) fail('expected "="');
    return { variable, level: match(levelName, `expected a level of ${variable}`), position };
  };
  const weight = (): number => {
    const found = match(word, "expected a weight from 0 to 1");
    const value = weightText.test(found) ? Number(found) : Number.NaN;
    if (value >= 0 && value <= 1) return value;
    return fail(`${found} is no weight from 0 to 1`, at - found.length + 1);
  };
  const terms: ParsedTerm[] = [];
  do {
    const parts = [assignment()];
    while (accept("&")) parts.push(assignment());
    if (!accept(":")) fail('expected "&", or ":" and a weight from 0 to 1');
    terms.push({ parts, weight: weight(), position: parts[0].position });
  } while (accept(","));
  if (at < text.length) fail("expected a comma or the end");
  return terms;
}
