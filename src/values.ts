/** Values that callers hand over, before anyone knows that they are what their types say. */
import { usageError } from "./errors.js";

const maxShownChars = 60;

/** A value for a message: quoted if it is text, on one line, not too long. Every value has one, so that no message fails. */
export function show(value: unknown): string {
  const text = textOf(value);
  return text.length <= maxShownChars ? text : `${text.slice(0, maxShownChars - 1)}…`;
}

function textOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "bigint") return `${value}n`;
  return jsonOf(value) ?? (typeof value === "object" ? Object.prototype.toString.call(value) : String(value));
}

/** A value as JSON; null where it has none, as what holds itself or a bigint. */
export function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Text is iterable too, but never meant as a list. */
export const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** What is wrong with the value at a place, in words; null where it has the shape. */
export type Shape = (value: unknown, place: string) => string | null;

const shape =
  (test: (value: unknown) => boolean, expected: string): Shape =>
  (value, place) =>
    test(value) ? null : `${place} must be ${expected}, not ${show(value)}`;

export const text = shape((value) => typeof value === "string", "text");
export const number = shape((value) => typeof value === "number", "a number");
export const callback = shape((value) => typeof value === "function", "a function");
export const abortSignal = shape(
  (value) => isEventTarget(value) && "aborted" in value,
  "an AbortSignal, such as AbortController has",
);

const isEventTarget = (value: unknown): value is EventTarget =>
  typeof value === "object" && value !== null && "addEventListener" in value;

/** A list. @param expected what it is a list of, in words */
export const list =
  (of: Shape, expected: string): Shape =>
  (value, place) =>
    Array.isArray(value)
      ? firstFault(Array.from(value, (item, i) => of(item, `${place}[${i}]`)))
      : `${place} must be a list of ${expected}, not ${show(value)}`;

/** An object whose keys are names. @param expected what it holds, in words */
export const dictionary =
  (of: Shape, expected: string): Shape =>
  (value, place) =>
    isObject(value)
      ? firstFault(Object.entries(value).map(([name, item]) => of(item, `${place}[${JSON.stringify(name)}]`)))
      : `${place} must be an object of ${expected}, not ${show(value)}`;

/** An object with these fields; others are nobody's business. */
export const fields =
  (needed: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, place) => {
    if (!isObject(value)) return `${place} must be an object, not ${show(value)}`;
    const given = Object.entries(optional).filter(([name]) => value[name] !== undefined);
    return firstFault([...Object.entries(needed), ...given].map(([name, of]) => of(value[name], `${place}.${name}`)));
  };

const firstFault = (faults: readonly (string | null)[]): string | null =>
  faults.find((fault) => fault !== null) ?? null;

/** @throws RatError (usage) for a value of another shape */
export function check(of: Shape, value: unknown, place: string): void {
  const fault = of(value, place);
  if (fault !== null) throw usageError(fault);
}
