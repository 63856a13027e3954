import type { JudgeModel } from "../documents.js";
import { usageError } from "../errors.js";
import { judgeOf, type NetworkDefinition, type PriorOverrides, withConcentration } from "../network/index.js";
import { memoised } from "../network/memo.js";
import { check, dictionary, fields, number, show } from "../values.js";

/** What is taken for known about the judge of network rat-judge or rat-judge-independent. */
export interface JudgeOptions {
  /** Whether the judge's rates are learnt with everything else, the default, or held at those of `judgeRate`. */
  judgeRates?: "learn" | "fixed" | undefined;
  /** TPR_R, FPR_R, TPR_T and FPR_T, each between 0 and 1: all of them where rates are fixed. */
  judgeRate?: Readonly<Record<string, number>> | undefined;
  /** Of rat-judge's Dirichlet(c, c, c, c) over (R_J, T_J) in each state. Default 1. */
  judgeConcentration?: number | undefined;
}

export const judgeRateNames: readonly string[] = ["TPR_R", "FPR_R", "TPR_T", "FPR_T"];
export const judgeRateChoices: readonly string[] = ["learn", "fixed"];

/**
 * Records that a held rate's Beta prior is worth. Its standard deviation is then below 1.6e-5, nothing beside that of any
 * posterior, and so many records as are ever labelled don't move it. A prior rather than a constant, since a row without
 * parameters is certain of one level: a certain row of two would be a second kind of row in every kernel and shader, to
 * the same numbers.
 */
export const heldWorth = 1e9;

const shape = fields({}, { judgeRate: dictionary(number, "rates by name") });

/**
 * The network with these options of its judge; the same object for the same arguments. Fixed rates make it
 * rat-judge-independent: P(R_J | R) P(T_J | T) is all that four rates can say.
 * @throws RatError (usage) for rates that are missing or no rates, and for options that mean nothing to the network
 */
export function withJudgeOptions(
  definition: NetworkDefinition,
  options: JudgeOptions & { priors?: PriorOverrides | undefined },
): NetworkDefinition {
  check(shape, options, "options");
  const { judgeRates, judgeRate, judgeConcentration: concentration } = options;
  const judge = judgeOf(definition);
  if (judgeRates !== undefined) {
    if (!judgeRateChoices.includes(judgeRates)) {
      throw usageError(`--judge-rates must be one of ${judgeRateChoices.join(", ")}, not ${show(judgeRates)}`);
    }
    if (judge === null) {
      throw usageError(
        `--judge-rates ${judgeRates}: network ${definition.name} has no judge; rat-judge and rat-judge-independent have`,
      );
    }
  }
  const isFixed = judgeRates === "fixed";
  if (judgeRate !== undefined && !isFixed) {
    throw usageError("--judge-rate holds a rate, which --judge-rates learn learns: say --judge-rates fixed");
  }
  if (concentration !== undefined) {
    if (typeof concentration !== "number" || !(concentration > 0) || concentration === Number.POSITIVE_INFINITY) {
      throw usageError(`--judge-concentration must be a positive number, not ${show(concentration)}`);
    }
    if (isFixed) throw usageError("--judge-concentration is of a prior of rates that --judge-rates fixed holds");
    if (judge !== "joint") {
      throw usageError(`--judge-concentration is of network rat-judge's prior; ${definition.name} has none`);
    }
    return withConcentration(definition, concentration);
  }
  return isFixed ? withHeldRates(definition, checkedRates(judgeRate ?? {}), options.priors ?? {}) : definition;
}

function checkedRates(rates: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  for (const [name, rate] of Object.entries(rates)) {
    if (!judgeRateNames.includes(name)) {
      throw usageError(`--judge-rate ${name}: the rates are ${judgeRateNames.join(", ")}`);
    }
    if (!(rate > 0 && rate < 1)) throw usageError(`--judge-rate ${name} must be between 0 and 1, not ${show(rate)}`);
  }
  const missing = judgeRateNames.filter((name) => !Object.hasOwn(rates, name));
  if (missing.length > 0) {
    throw usageError(
      `--judge-rates fixed needs --judge-rate ${missing.join("=…, ")}=… too; rat fit of fully labelled records ` +
        "(--network rat-judge) shows all four",
    );
  }
  return Object.fromEntries(judgeRateNames.map((name) => [name, rates[name]]));
}

function withHeldRates(
  definition: NetworkDefinition,
  rates: Readonly<Record<string, number>>,
  priors: PriorOverrides,
): NetworkDefinition {
  const contested = judgeRateNames.find((name) => Object.hasOwn(priors, name));
  if (contested !== undefined) throw usageError(`--prior ${contested}: the rate is held by --judge-rates fixed`);
  return memoised(definition, `judge held ${JSON.stringify(rates)}`, () => {
    const held = (label: "R" | "T") =>
      ["0", "1"].map((level) => {
        const name = `${level === "1" ? "TPR" : "FPR"}_${label}`;
        const ones = heldWorth * rates[name];
        return { name, when: [{ [label]: level }], prior: [heldWorth - ones, ones] };
      });
    const variables = definition.variables.map((variable) => {
      if (variable.name === "R_J") return { ...variable, parents: ["R"], rows: held("R") };
      return variable.name === "T_J" ? { ...variable, parents: ["T"], rows: held("T") } : variable;
    });
    return { ...definition, name: "rat-judge-independent", variables };
  });
}

/** What a run takes for known about its judge; null for networks without one. @param definition before its options */
export function judgeModelOf(definition: NetworkDefinition, options: JudgeOptions): JudgeModel | null {
  const judge = judgeOf(definition);
  if (judge === null) return null;
  if (options.judgeRates === "fixed") {
    return { rates: "fixed", held: checkedRates(options.judgeRate ?? {}), concentration: null };
  }
  const own = definition.variables.find(({ name }) => name === "T_J")?.rows[0].prior?.[0] ?? 1;
  return { rates: "learn", held: null, concentration: judge === "joint" ? (options.judgeConcentration ?? own) : null };
}

/** What a reader should know about held rates, as a sentence without its full stop; null where rates are learnt. */
export function heldNotice(model: JudgeModel | null): string | null {
  if (!model?.held) return null;
  const rates = Object.entries(model.held).map(([name, rate]) => `${name} ${rate}`);
  return (
    `the judge's rates are held at ${rates.join(", ")}: its label of R depends on R alone, of T on T alone ` +
    "(network rat-judge-independent), and nothing is learnt about it"
  );
}
