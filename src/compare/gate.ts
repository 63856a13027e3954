import { usageError } from "../errors.js";

/** `P(G=1) > -0.02 @ 0.95`: the difference of a quantity has to be on one side of a bound with some probability. */
export interface GateCondition {
  readonly text: string;
  readonly quantity: string;
  readonly greater: boolean;
  readonly bound: number;
  readonly probability: number;
}

/** @throws RatError (usage) */
export function parseGate(text: string): GateCondition {
  const match = /^\s*(.+?)\s*([<>])\s*([+-]?\d*\.?\d+(?:e[+-]?\d+)?)\s*@\s*(\d*\.?\d+)\s*$/i.exec(text);
  const probability = Number(match?.[4]);
  if (match === null || !(probability > 0 && probability < 1)) {
    throw usageError(`--gate ${JSON.stringify(text)}: expected a condition such as 'P(G=1) > -0.02 @ 0.95'`);
  }
  return { text, quantity: match[1], greater: match[2] === ">", bound: Number(match[3]), probability };
}

/** Share of the differences that meet the condition. */
export const shareMeeting = ({ greater, bound }: GateCondition, differences: Float64Array): number =>
  differences.filter((difference) => (greater ? difference > bound : difference < bound)).length / differences.length;
