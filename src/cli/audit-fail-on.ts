import { usageError } from "../errors.js";

/**
 * A number of a document: by itself, with its ends, which are NAME.lower and NAME.upper, or of a test, which is its p.
 */
export type MainNumber =
  | number
  | null
  | { readonly value: number | null; readonly lower: number | null; readonly upper: number | null }
  | { readonly p: number | null };

/** `consistency < 0.8`. */
interface Condition {
  readonly text: string;
  readonly name: string;
  readonly operator: Operator;
  readonly bound: number;
}

const operators = {
  "<": (value: number, bound: number) => value < bound,
  "<=": (value: number, bound: number) => value <= bound,
  ">": (value: number, bound: number) => value > bound,
  ">=": (value: number, bound: number) => value >= bound,
} as const;

type Operator = keyof typeof operators;

/** @throws RatError (usage) */
export function parseCondition(text: string): Condition {
  const match = /^\s*([^<>=]+?)\s*(<=?|>=?)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*$/i.exec(text);
  const bound = Number(match?.[3]);
  if (match === null || !Number.isFinite(bound)) {
    throw usageError(
      `--fail-on ${JSON.stringify(text)}: expected a name, <, <=, > or >=, and a number, as in 'bias > 0.1'`,
    );
  }
  return { text: text.trim(), name: match[1], operator: match[2] as Operator, bound };
}

/**
 * Why to fail, one reason a condition that is met. One on a number that there isn't is met too: what nobody knows passes
 * no check.
 * @throws RatError (usage) for a name that is none
 */
export function conditionsMet(
  conditions: readonly Condition[],
  numbers: Readonly<Record<string, MainNumber>>,
): string[] {
  const values = new Map(Object.entries(numbers).flatMap(([name, number]) => named(name, number)));
  return conditions.flatMap(({ text, name, operator, bound }) => {
    const value = values.get(name);
    if (value === undefined) {
      throw usageError(`--fail-on ${JSON.stringify(text)}: there is no ${JSON.stringify(name)}; ${known(numbers)}`);
    }
    if (value === null) return [`--fail-on ${text}: there is no ${name}, as it is undefined here`];
    return operators[operator](value, bound) ? [`--fail-on ${text}: ${name} is ${Number(value.toPrecision(6))}`] : [];
  });
}

function named(name: string, number: MainNumber): [string, number | null][] {
  if (typeof number === "number" || number === null) return [[name, number]];
  if ("p" in number) return [[name, number.p]];
  const { value, lower, upper } = number;
  return [
    [name, value],
    [`${name}.lower`, lower],
    [`${name}.upper`, upper],
  ];
}

function known(numbers: Readonly<Record<string, MainNumber>>): string {
  const withEnds = Object.entries(numbers).filter(([, number]) => typeof number === "object" && number !== null);
  const example = withEnds.find(([, number]) => "value" in (number as object));
  const ends = example === undefined ? "" : `; ends of intervals as in ${example[0]}.lower`;
  return `there are ${Object.keys(numbers).join(", ")}${ends}`;
}
