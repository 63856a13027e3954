/** What `rat audit prevalence` reads off its command line: rates instead of a file, and priors. */

import type { PrevalencePriors } from "../audit/prevalence/bayesian.js";
import type { RatesInput } from "../audit/prevalence.js";
import { usageError } from "../errors.js";
import { numberIn } from "./audit-options.js";

export interface RateFlags {
  p?: string;
  n?: string;
  se?: string;
  sp?: string;
  nSe?: string;
  nSp?: string;
}

const needed = ["p", "se", "sp"] as const;
const sizes = ["n", "nSe", "nSp"] as const;
const names = { p: "--p", se: "--se", sp: "--sp", n: "--n", nSe: "--n-se", nSp: "--n-sp" } as const;

/** Options that mean nothing without a file. */
const ofFiles = ["gold", "judge", "by", "sample", "cluster"] as const;

/** null where there is a file instead. @throws RatError (usage) */
export function ratesOf(
  file: string | undefined,
  flags: RateFlags & { readonly [name in (typeof ofFiles)[number]]?: string },
): RatesInput | null {
  const given = [...needed, ...sizes].filter((name) => flags[name] !== undefined);
  if (file !== undefined) {
    if (given.length > 0) throw usageError(`${names[given[0]]} is for rates that are given instead of a file`);
    return null;
  }
  if (given.length === 0) {
    throw usageError("name a file of records (- is standard input), or give --p, --se and --sp");
  }
  const missing = needed.find((name) => flags[name] === undefined);
  if (missing !== undefined)
    throw usageError(`rates instead of a file need --p, --se and --sp: ${names[missing]} is missing`);
  const idle = ofFiles.find((name) => flags[name] !== undefined);
  if (idle !== undefined) throw usageError(`--${idle} is for a file, and there are rates instead`);
  const read = (name: keyof typeof names, expected: string, isRight: (value: number) => boolean): number =>
    numberIn(names[name], flags[name], Number.NaN, expected, isRight);
  const share = (name: (typeof needed)[number]): number =>
    read(name, "a share from 0 to 1", (value) => value >= 0 && value <= 1);
  const size = (name: (typeof sizes)[number]): number | undefined =>
    flags[name] === undefined
      ? undefined
      : read(name, "a whole number of records above 0", (value) => Number.isSafeInteger(value) && value > 0);
  return {
    ...{ observed: share("p"), n: size("n") },
    ...{ sensitivity: share("se"), sensitivityN: size("nSe") },
    ...{ specificity: share("sp"), specificityN: size("nSp") },
  };
}

const priorNames = {
  prevalence: "prevalence",
  sensitivity: "sensitivity",
  "false-positive-rate": "falsePositiveRate",
} as const satisfies Record<string, keyof PrevalencePriors>;

/** `prevalence=2,5`: Beta(2, 5). Those that are given alone. @throws RatError (usage) */
export function priorsOf(texts: readonly string[] = []): Partial<PrevalencePriors> {
  const priors: { -readonly [name in keyof PrevalencePriors]?: PrevalencePriors[name] } = {};
  const given = new Set<string>();
  for (const text of texts) {
    const match = /^\s*([\w-]+)\s*=\s*([^,]+),([^,]+)$/.exec(text);
    const [a, b] = [Number(match?.[2]), Number(match?.[3])];
    const name = match?.[1] ?? "";
    if (!Object.hasOwn(priorNames, name) || !(a > 0 && b > 0 && a < 1e12 && b < 1e12)) {
      const known = Object.keys(priorNames).join(", ");
      throw usageError(
        `--prior ${JSON.stringify(text)}: expected one of ${known} and two positive numbers, as in 'prevalence=2,5'`,
      );
    }
    if (given.has(name)) throw usageError(`--prior ${name} is given twice`);
    given.add(name);
    priors[priorNames[name as keyof typeof priorNames]] = [a, b];
  }
  return priors;
}
