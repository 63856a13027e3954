import type { FitQuantity, JudgeModel } from "../documents.js";
import type { CompiledNetwork, CompiledPattern } from "../network/compiled.js";
import { judgeOf } from "../network/index.js";
import { heldWorth } from "./rates.js";

/** Fewer labels than these are the same by chance. */
const leastAlike = 10;
/** Standard errors between a held rate and the share seen: by chance once in 16,000 comparisons. */
const farOff = 4;
/** Beyond this share of a held rate's prior its records may be seen to move it. */
const mostPull = 1e-3;

interface Judged {
  readonly network: CompiledNetwork;
  /** Records a pattern. */
  readonly counts: ArrayLike<number>;
  readonly quantities: readonly FitQuantity[];
  readonly model: JudgeModel;
}

/** What a reader must know of a judge before its rates, and whatever rests on them, are believed. */
export function judgeWarnings(fit: Judged): string[] {
  if (fit.model.held !== null) return heldWarnings(fit);
  const warnings = (["R", "T"] as const).flatMap((label) => labelWarning(fit, label) ?? []);
  const unseen = judgeOf(fit.network.definition) === "joint" ? unseenStates(fit) : [];
  if (unseen.length > 0 && unseen.length < stateCount) {
    warnings.push(
      `no record shows the judge's labels where ${unseen.join(" or ")}: its behaviour there is the prior's`,
    );
  }
  return warnings;
}

const stateCount = 6;

/** The worst that there is to say of the judge's label of R, or of T; null: nothing. */
function labelWarning(fit: Judged, label: "R" | "T"): string | null {
  const [name, gold] = [`${label}_J`, label];
  const { judged, ones, both } = tableOf(fit, label);
  if (judged === 0) {
    return `no record shows ${name}: TPR_${label}, FPR_${label} and P(${name}=1) are the prior's`;
  }
  const pairs = both.flat().reduce((sum, n) => sum + n, 0);
  if (judged >= leastAlike && (ones === 0 || ones === judged)) {
    return `${name} is ${ones === 0 ? 0 : 1} in all ${judged} records that hold it: it says nothing about ${gold}`;
  }
  if (pairs === 0) {
    return (
      `no record holds both ${gold} and ${name}: only the prior tells a judge that is right from one that is always ` +
      `wrong, and chains that agree may all be in the wrong mode; some records with both settle it`
    );
  }
  const [hit, alarm] = ["TPR", "FPR"].map((rate) => fit.quantities.find((q) => q.name === `${rate}_${label}`));
  const ends = [hit?.lower, hit?.upper, alarm?.lower, alarm?.upper];
  if (ends.some((end) => end == null)) return null;
  const [least, most, leastAlarm, mostAlarm] = ends as number[];
  const said = `TPR_${label} ${interval(least, most)}, FPR_${label} ${interval(leastAlarm, mostAlarm)}`;
  if (most < leastAlarm) return `${name} is worse than chance (${said}): is it coded the other way round?`;
  if (least <= mostAlarm) {
    return `${name} can't be told from chance (${said} overlap): label more records with both ${gold} and ${name}`;
  }
  if (pairs < leastAlike || both[0][1] > 0 || both[1][0] > 0) return null;
  return `${name} is ${gold} in all ${pairs} records that hold both: how seldom it errs is known as a bound only (${said})`;
}

/** What the records say against held rates. */
function heldWarnings(fit: Judged): string[] {
  const { held } = fit.model;
  return (["R", "T"] as const).flatMap((label) => {
    const { both } = tableOf(fit, label);
    const against = both.flatMap(([zeros, ones], level) => {
      const name = `${level === 1 ? "TPR" : "FPR"}_${label}`;
      const rate = held?.[name] ?? Number.NaN;
      const n = zeros + ones;
      const found: string[] = [];
      if (Math.abs(ones - n * rate) > farOff * Math.sqrt(n * rate * (1 - rate)) + 0.5) {
        found.push(`${name} is held at ${rate}, but ${ones} of ${n} records say otherwise (${(ones / n).toFixed(3)})`);
      }
      return found;
    });
    const { judged } = tableOf(fit, label);
    if (judged > mostPull * heldWorth)
      against.push(`${judged} records with ${label}_J may move the rates that are held`);
    return against;
  });
}

/** How often the judge's label was seen, was 1, and was which beside a gold label: [gold][judge]. */
function tableOf({ network, counts }: Judged, label: "R" | "T") {
  let [judged, ones] = [0, 0];
  const both = [
    [0, 0],
    [0, 0],
  ];
  network.patterns.forEach((pattern, m) => {
    if (counts[m] === 0) return;
    const said = levelOf(network, pattern, `${label}_J`);
    if (said < 0) return;
    judged += counts[m];
    ones += said * counts[m];
    const gold = levelOf(network, pattern, label);
    if (gold >= 0) both[gold][said] += counts[m];
  });
  return { judged, ones, both };
}

/** The states (R, A, T) of which no record is known that shows a label of the judge. */
function unseenStates({ network, counts }: Judged): string[] {
  const states = ["R", "A", "T"];
  const textOf = (levels: readonly number[]): string => states.map((name, i) => `${name}=${levels[i]}`).join(" ");
  const places = states.map((name) => network.variables.findIndex((v) => v.name === name));
  const unseen = new Set(network.cells.map(({ levels }) => textOf(places.map((v) => levels[v]))));
  network.patterns.forEach((pattern, m) => {
    if (counts[m] === 0) return;
    if (["R_J", "T_J"].every((name) => levelOf(network, pattern, name) < 0)) return;
    unseen.delete(textOf(states.map((name) => levelOf(network, pattern, name))));
  });
  return [...unseen];
}

/** The level of a variable that all cells of a pattern share; -1 where they don't. */
function levelOf({ variables, cells }: CompiledNetwork, pattern: CompiledPattern, name: string): number {
  const v = variables.findIndex((variable) => variable.name === name);
  const [first, ...others] = pattern.cells.map((c) => cells[c].levels[v]);
  return others.every((level) => level === first) ? first : -1;
}

const interval = (lower: number, upper: number): string => `${lower.toFixed(3)} to ${upper.toFixed(3)}`;
