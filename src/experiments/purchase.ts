import { usageError } from "../errors.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { patternIndex } from "../network/patterns.js";

/** Which labels an additional record reveals, by its place in the replicate: the first `share` get the first kind, ... */
export interface Purchase {
  readonly name: string;
  readonly segments: readonly { readonly kind: string; readonly share: number }[];
}

/** Variables that each kind of label reveals, beside those that are seen on every record. */
export const kinds: Readonly<Record<string, readonly string[]>> = {
  joint: ["R", "T"],
  R: ["R"],
  T: ["T"],
  judge: ["R_J", "T_J"],
  R_J: ["R_J"],
  T_J: ["T_J"],
};

/** Abstention is read off the answer itself, at no cost. */
export const alwaysSeen: readonly string[] = ["A"];

const named: Readonly<Record<string, Purchase["segments"]>> = {
  "all-joint": [{ kind: "joint", share: 1 }],
  "half-joint-R": [
    { kind: "joint", share: 0.5 },
    { kind: "R", share: 0.5 },
  ],
  "half-joint-T": [
    { kind: "joint", share: 0.5 },
    { kind: "T", share: 0.5 },
  ],
  "all-R": [{ kind: "R", share: 1 }],
  "all-T": [{ kind: "T", share: 1 }],
  judge: [{ kind: "judge", share: 1 }],
};

export const defaultStrategies = "all-joint,half-joint-R,half-joint-T,all-R,all-T";

/**
 * Reads a list of strategies: names, and definitions of one's own such as `mine: joint 50%, R 30%, T 20%`, separated by
 * commas.
 * @throws RatError (usage)
 */
export function parseStrategies(text: string): Purchase[] {
  const purchases: { name: string; segments: { kind: string; share: number }[] }[] = [];
  for (const part of text.split(",").map((piece) => piece.trim())) {
    const colon = part.indexOf(":");
    if (colon >= 0) {
      const name = part.slice(0, colon).trim();
      if (Object.hasOwn(named, name)) throw usageError(`strategy ${name} has a meaning already; name yours otherwise`);
      purchases.push({ name, segments: [parseSegment(part.slice(colon + 1), part)] });
    } else if (part.includes("%")) {
      const last = purchases.at(-1);
      if (last === undefined || Object.hasOwn(named, last.name))
        throw usageError(`strategy ${JSON.stringify(part)} has no name before it`);
      last.segments.push(parseSegment(part, part));
    } else if (Object.hasOwn(named, part)) {
      purchases.push({ name: part, segments: [...named[part]] });
    } else {
      throw usageError(
        `unknown strategy ${JSON.stringify(part)}: the names are ${Object.keys(named).join(", ")}; ` +
          "one of your own is written 'name: joint 50%, R 30%, T 20%'",
      );
    }
  }
  purchases.forEach(checkPurchase);
  const repeated = purchases.find(({ name }, i) => purchases.findIndex((other) => other.name === name) < i);
  if (repeated) throw usageError(`strategy ${repeated.name} is given twice`);
  return purchases;
}

function parseSegment(text: string, whole: string): { kind: string; share: number } {
  const match = /^\s*(\w+)\s+(\d+(?:\.\d+)?)\s*%\s*$/.exec(text);
  if (match === null)
    throw usageError(`strategy ${JSON.stringify(whole)}: expected a kind and a share, as in "joint 50%"`);
  if (!Object.hasOwn(kinds, match[1]))
    throw usageError(`strategy ${JSON.stringify(whole)}: the kinds are ${Object.keys(kinds).join(", ")}`);
  return { kind: match[1], share: Number(match[2]) / 100 };
}

function checkPurchase({ name, segments }: Purchase): void {
  // Rows are lines of CSV, in which a name has to stay on its line.
  if (name === "" || name === "base" || /\p{Cc}/u.test(name)) {
    throw usageError(`a strategy can't be named ${JSON.stringify(name)}`);
  }
  const total = segments.reduce((sum, { share }) => sum + share, 0);
  if (Math.abs(total - 1) > 1e-9) {
    throw usageError(`the shares of strategy ${name} add up to ${Number((100 * total).toFixed(6))}%, not 100%`);
  }
}

/**
 * How many of `add` records get each segment, `add` in all; where they don't divide, the earlier segment is the larger
 * one.
 */
export function segmentSizes({ segments }: Purchase, add: number): number[] {
  let share = 0;
  let before = 0;
  return segments.map((segment, s) => {
    share += segment.share;
    // Shares are percentages with rounding errors: they may add up to a trifle more or less than 1.
    const end = s === segments.length - 1 ? add : Math.min(add, Math.ceil(add * share - 1e-9));
    const size = end - before;
    before = end;
    return size;
  });
}

/**
 * The pattern that a fully seen cell shows once only the labels of a kind are bought, [cells].
 * @throws RatError (usage) for a kind that the network has no variables for
 */
export function revealedPatterns(network: CompiledNetwork, kind: string): Int32Array {
  const missing = kinds[kind].filter((name) => !network.variables.some((variable) => variable.name === name));
  if (missing.length > 0) {
    throw usageError(
      `network ${network.name} has no variable ${missing.join(", ")}, which labels of kind ${kind} are of`,
    );
  }
  const revealed = new Set([...alwaysSeen, ...kinds[kind]]);
  const indexOf = patternIndex(network);
  return Int32Array.from(network.cells, ({ levels }) =>
    indexOf(levels.map((level, v) => (revealed.has(network.variables[v].name) ? level : -1))),
  );
}
