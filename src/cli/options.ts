import { type Command, Option } from "commander";
import { usageError } from "../errors.js";
import { type JudgeOptions, judgeRateChoices, judgeRateNames } from "../judge/rates.js";
import {
  type PartialPolicy,
  type PolicyOptions,
  type PriorOverrides,
  partialPolicies,
  type QuantityDefinition,
  type QuantitySet,
  quantitySets,
  shippedNetworks,
} from "../network/index.js";
import { type SamplingOptions, samplerPresets, samplingOptions } from "../options.js";
import type { SourceOptions } from "../source.js";

/** What every sampling command takes, as commander gives it: text. */
export interface CommonFlags {
  preset?: string;
  network: string;
  /** Of the network's file, when a run was begun; no option, but kept with them. */
  networkFile?: string;
  policy?: string;
  partialPolicy?: PartialPolicy;
  prior?: string[];
  judgeRates?: JudgeOptions["judgeRates"];
  judgeRate?: string[];
  judgeConcentration?: string;
  quantities?: QuantitySet;
  quantity?: string[];
  map?: string;
  abstainedSuccess?: string;
  out?: string;
  overwrite?: boolean;
  json?: boolean;
  quiet?: boolean;
  samplerPreset?: string;
  seed?: string;
  engine?: string;
  sampler?: string;
  chains?: string;
  warmup?: string;
  draws?: string;
  workers?: string;
  level?: string;
}

/** For options that may be given again and again. */
export const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** Which records, under which model. */
export function addModelOptions(command: Command): Command {
  return command
    .option(
      "--preset <names>",
      "shipped records of the paper instead of files, separated by commas (rat presets lists them)",
    )
    .option("--network <name>", `model: ${shippedNetworks.join(", ")}, or a file NAME.json`, "rat")
    .option(
      "--policy <terms>",
      "what P(G=1) weighs, as in 'R=0&A=1:1, R=1&A=0&T=1:1, R=0&A=0&T=1:0.5'; what isn't named weighs 0",
    )
    .addOption(
      new Option("--partial-policy <choice>", "what counts as adherent at partial retrieval (rat-ternary)").choices(
        partialPolicies,
      ),
    )
    .option("--map <pairs>", "columns under other names: R=retrieved,A=refused")
    .addOption(
      new Option("--abstained-success <rule>", "records with A = 1 and T = 1, which contradict the model").choices([
        "refuse",
        "drop",
        "as-failure",
      ]),
    )
    .option(
      "--prior <row=a,b>",
      "Beta(a, b) prior of a probability, as in 'theta_A+=1,9'; a number a level, in their order, where there are more " +
        "than two; repeatable",
      collect,
    )
    .addOption(
      new Option(
        "--judge-rates <choice>",
        "of a network with a judge: learn them with everything else, or hold them fixed at --judge-rate (default: learn)",
      ).choices(judgeRateChoices),
    )
    .option(
      "--judge-rate <name=rate>",
      `a rate to hold, as in TPR_R=0.77; repeatable, ${judgeRateNames.join(", ")} are all needed`,
      collect,
    )
    .option("--judge-concentration <number>", "of the Dirichlet prior of rat-judge's judge in each state (default: 1)");
}

export function addCommonOptions(command: Command): Command {
  addModelOptions(command);
  for (const [name, { description, defaultText }] of Object.entries(samplingOptions)) {
    command.option(
      `--${name} <${name === "engine" || name === "sampler" ? "name" : "number"}>`,
      `${description} (default: ${defaultText})`,
    );
  }
  return command
    .addOption(
      new Option("--sampler-preset <name>", "paper: nuts, 5 chains of 2,000 + 10,000").choices(
        Object.keys(samplerPresets),
      ),
    )
    .option("--out <folder>", "write results there too")
    .option("--overwrite", "replace the run that the folder holds")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .option("--quiet", "no progress, no notices");
}

/** Further quantities, for commands that show them. */
export function addQuantityOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--quantities <set>",
        "of the network's own: base, or all with gaps, precision, recall, … (default: base)",
      ).choices(quantitySets),
    )
    .option("--quantity <definition>", "one more quantity, as in 'gap = P(A=1|R=0) - P(A=1|R=1)'; repeatable", collect);
}

export function samplingOf(flags: CommonFlags): SamplingOptions {
  const { samplerPreset, seed, engine, sampler, chains, warmup, draws, workers, level } = flags;
  const given = { samplerPreset, seed, engine, sampler, chains, warmup, draws, workers, level };
  // Text is read into numbers where the options are checked.
  const read = Object.entries(given).map(([name, value]) => {
    if (value === undefined || name === "samplerPreset") return [name, value];
    return [name, samplingOptions[name as keyof typeof samplingOptions].read(value)];
  });
  return Object.fromEntries(read) as SamplingOptions;
}

/** What the model is beside its network. */
export function modelOf(flags: CommonFlags): PolicyOptions & JudgeOptions & { priors?: PriorOverrides | undefined } {
  const { policy, partialPolicy, judgeRates, judgeConcentration } = flags;
  return {
    policy,
    partialPolicy,
    priors: priorsOf(flags.prior),
    judgeRates,
    judgeRate: ratesOf(flags.judgeRate),
    judgeConcentration: judgeConcentration === undefined ? undefined : concentrationIn(judgeConcentration),
  };
}

/** NaN where the text is no number. */
const numberIn = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

function ratesOf(texts: readonly string[] | undefined): Record<string, number> | undefined {
  if (texts === undefined) return undefined;
  const rates = texts.map((text): [string, number] => {
    const at = text.indexOf("=");
    const rate = numberIn(text.slice(at + 1));
    if (at <= 0 || Number.isNaN(rate)) {
      throw usageError(`--judge-rate ${JSON.stringify(text)}: expected a name and a number, as in TPR_R=0.77`);
    }
    return [text.slice(0, at).trim(), rate];
  });
  const twice = rates.find(([name], i) => rates.findIndex(([other]) => other === name) < i);
  if (twice) throw usageError(`--judge-rate ${twice[0]} is given twice`);
  return Object.fromEntries(rates);
}

export function recordsOf(flags: CommonFlags & { by?: string }): SourceOptions {
  return {
    map: flags.map === undefined ? undefined : pairs(flags.map, "--map"),
    by: flags.by,
    abstainedSuccess: flags.abstainedSuccess as SourceOptions["abstainedSuccess"],
  };
}

/**
 * `theta_A+=1,9`: Beta(1, 9) on the probability of the second level, so concentrations 9, 1 in the levels' order. More
 * numbers than two are those concentrations.
 */
function priorsOf(texts: readonly string[] = []): Record<string, readonly number[]> | undefined {
  const priors = new Map<string, readonly number[]>();
  for (const text of texts) {
    const at = text.lastIndexOf("=");
    const numbers = text
      .slice(at + 1)
      .split(",")
      .map(numberIn);
    if (at <= 0 || numbers.length < 2 || numbers.some((a) => !(a > 0) || !Number.isFinite(a))) {
      throw usageError(
        `--prior ${JSON.stringify(text)}: expected a name and a positive number a level, as in 'theta_A+=1,9'`,
      );
    }
    const name = text.slice(0, at).trim();
    if (priors.has(name)) throw usageError(`--prior ${name} is given twice`);
    priors.set(name, numbers.length === 2 ? numbers.reverse() : numbers);
  }
  return texts.length === 0 ? undefined : Object.fromEntries(priors);
}

/** `gap_A = P(A=1|R=0) - P(A=1|R=1)`: the name ends at the first = that isn't inside an event. */
export function quantitiesOf(texts: readonly string[] = []): QuantityDefinition[] {
  return texts.map((text) => {
    const at = text.indexOf("=");
    const name = text.slice(0, at).trim();
    const expression = text.slice(at + 1).trim();
    if (at <= 0 || name === "" || expression === "" || name.includes("(")) {
      throw usageError(
        `--quantity ${JSON.stringify(text)}: expected a name and an expression, as in 'gap = P(A=1|R=0) - P(A=1|R=1)'`,
      );
    }
    return { name, expression };
  });
}

function pairs(text: string, option: string): Record<string, string> {
  const read = new Map<string, string>();
  for (const pair of text.split(",")) {
    const at = pair.indexOf("=");
    const [name, column] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    if (name === "" || column === "")
      throw usageError(`${option} ${JSON.stringify(text)}: expected name=column pairs, as in R=retrieved,A=refused`);
    if (read.has(name)) throw usageError(`${option} ${JSON.stringify(text)}: ${name} is given twice`);
    read.set(name, column);
  }
  return Object.fromEntries(read);
}

function concentrationIn(text: string): number {
  const value = numberIn(text);
  if (Number.isNaN(value))
    throw usageError(`--judge-concentration must be a positive number, not ${JSON.stringify(text)}`);
  return value;
}
