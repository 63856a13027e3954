import { describe, expect, it } from "vitest";
import type { Alarm, Defect } from "../../src/audit/alarm.js";
import { auditCalibration } from "../../src/audit/calibration.js";
import { auditLatentClasses } from "../../src/audit/latent-class.js";
import { auditPrevalence } from "../../src/audit/prevalence.js";
import { auditVerdictSwap, type Slot, type VerdictPair } from "../../src/audit/swap.js";
import type { Variates } from "../../src/random/variates.js";
import { simulation } from "./support.js";

/** What is wrong with a judge; all of it 0 or false: nothing is. */
interface Planted {
  /** Added to the chance of a yes to what is false (+), or of a no to what is true (-). */
  readonly lenience?: number;
  /** Share of pairs in which it takes the first slot (+), or the second (-), unread. */
  readonly slot?: number;
  /** Its log odds are too large by this factor. */
  readonly confidence?: number;
  readonly oneLabel?: boolean;
  /** Share of items on which it repeats what another judge said. */
  readonly copies?: number;
}

const audits = ["prevalence", "swap", "calibration", "latent-class"] as const;
type Audit = (typeof audits)[number];

const between = (variates: Variates, low: number, high: number): number => low + (high - low) * variates.uniform();
const yes = (variates: Variates, probability: number): boolean => variates.uniform() < probability;
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** 300 of 900 records have gold labels; a judge without lenience says yes as often as there is truth, and errs. */
function ofRates({ lenience = 0 }: Planted, variates: Variates): readonly Alarm[] {
  const truth = between(variates, 0.4, 0.75);
  const missed = between(variates, 0.05, 0.2);
  const alarmed = (truth * missed) / (1 - truth);
  const audit = { truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 0 };
  const judged = { positives: 0, negatives: 0 };
  for (let i = 0; i < 900; i++) {
    const isTrue = yes(variates, truth);
    const says = yes(variates, isTrue ? 1 - missed + Math.min(0, lenience) : alarmed + Math.max(0, lenience));
    if (i >= 300) judged[says ? "positives" : "negatives"]++;
    else if (isTrue) audit[says ? "truePositives" : "falseNegatives"]++;
    else audit[says ? "falsePositives" : "trueNegatives"]++;
  }
  return auditPrevalence({ audit, judged }).alarms;
}

/** 200 pairs, of which each has a chance of its own that the first answer wins. */
function ofSlots({ slot = 0 }: Planted, variates: Variates): readonly Alarm[] {
  const slotOf = (ownWins: number): Slot => {
    if (yes(variates, Math.abs(slot))) return slot > 0 ? "first" : "second";
    if (yes(variates, 0.1)) return "tie";
    return yes(variates, ownWins) ? "first" : "second";
  };
  const pairs = Array.from({ length: 200 }, (): VerdictPair => {
    const wins = between(variates, 0.05, 0.95);
    return { forward: slotOf(wins), reversed: slotOf(1 - wins) };
  });
  return auditVerdictSwap(pairs).alarms;
}

function ofConfidences({ confidence = 1 }: Planted, variates: Variates): readonly Alarm[] {
  const logits = Float64Array.from({ length: 400 }, () => between(variates, -2, 4));
  const outcome = Float64Array.from(logits, (logit) => (yes(variates, logistic(logit)) ? 1 : 0));
  const stated = Float64Array.from(logits, (logit) => logistic(confidence * logit));
  return auditCalibration({ confidence: stated, outcome }, { folds: 0, seed: 1 }).alarms;
}

/** Five judges, 300 items; what is planted is planted in the last one, who may copy the one before it. */
function ofVotes({ oneLabel = false, copies = 0 }: Planted, variates: Variates): readonly Alarm[] {
  const [items, judges] = [300, 5];
  const right = Array.from({ length: judges }, () => [between(variates, 0.7, 0.92), between(variates, 0.7, 0.92)]);
  const prevalenceOfOne = between(variates, 0.4, 0.7);
  const item = Uint32Array.from({ length: items * judges }, (_, v) => Math.floor(v / judges));
  const judge = Uint32Array.from(item, (_, v) => v % judges);
  const label = new Uint32Array(items * judges);
  for (let i = 0; i < items; i++) {
    const truth = yes(variates, prevalenceOfOne) ? 1 : 0;
    for (let j = 0; j < judges; j++) label[i * judges + j] = yes(variates, right[j][truth]) ? truth : 1 - truth;
    if (yes(variates, copies)) label[i * judges + 4] = label[i * judges + 3];
    if (oneLabel) label[i * judges + 4] = 1;
  }
  const names = { judgeNames: ["a", "b", "c", "d", "e"], classNames: ["0", "1"] };
  return auditLatentClasses({ items, judges, classes: 2, item, judge, label, ...names }, { checkReplicates: 1 }).alarms;
}

const alarmsOf: Readonly<Record<Audit, (planted: Planted, variates: Variates) => readonly Alarm[]>> = {
  prevalence: ofRates,
  swap: ofSlots,
  calibration: ofConfidences,
  "latent-class": ofVotes,
};

/** Of so many judges, in how many each audit raises an alarm, and what the alarms were. */
function trial(planted: Planted, judges: number, seed: number) {
  const variates = simulation(seed);
  const found = { any: 0, by: new Map<Audit, number>(), alarms: new Map<Audit, Alarm[]>() };
  for (let i = 0; i < judges; i++) {
    let any = false;
    for (const audit of audits) {
      const raised = alarmsOf[audit](planted, variates);
      if (raised.length === 0) continue;
      any = true;
      found.by.set(audit, (found.by.get(audit) ?? 0) + 1);
      found.alarms.set(audit, [...(found.alarms.get(audit) ?? []), ...raised]);
    }
    if (any) found.any++;
  }
  return found;
}

describe("judges without a defect", () => {
  // At 0.04 in all, more than 0.05 of 1,000 comes out in 6 of 100 such tests, more than 0.019 of one audit in 1 of 200.
  it("raise an alarm in fewer than 1 of 20, all four audits together, and in about 1 of 100 in each", () => {
    const { any, by } = trial({}, 1000, 71);
    expect(any / 1000).toBeLessThanOrEqual(0.05);
    for (const audit of audits) expect((by.get(audit) ?? 0) / 1000, audit).toBeLessThanOrEqual(0.019);
  });
});

describe("a judge with one defect is told by the audit that looks for it, and by no other", () => {
  const judges = 60;
  it.each<[string, Planted, Audit, Defect]>([
    ["lenient", { lenience: 0.35 }, "prevalence", "lenient"],
    ["strict", { lenience: -0.25 }, "prevalence", "strict"],
    ["that prefers the first slot", { slot: 0.3 }, "swap", "first slot"],
    ["that prefers the second slot", { slot: -0.3 }, "swap", "second slot"],
    ["over-confident", { confidence: 2 }, "calibration", "over-confident"],
    ["under-confident", { confidence: 0.4 }, "calibration", "under-confident"],
    ["of one label", { oneLabel: true }, "latent-class", "one label"],
    ["that copies another", { copies: 1 }, "latent-class", "copy"],
    ["that mostly copies another", { copies: 0.85 }, "latent-class", "shared errors"],
  ])("%s", (_name, planted, place, defect) => {
    const { by, alarms } = trial(planted, judges, 72);
    expect((by.get(place) ?? 0) / judges).toBeGreaterThanOrEqual(0.95);
    const own = alarms.get(place) ?? [];
    expect(own.filter((alarm) => alarm.defect === defect).length / own.length).toBeGreaterThanOrEqual(0.95);
    if (place === "latent-class") {
      const named = defect === "one label" ? "e" : "d and e";
      expect(own.filter(({ subject }) => subject === named).length / own.length).toBeGreaterThanOrEqual(0.95);
    }
    // Three audits at 0.01, of 60: four or more come out in 1 of 10 such tests of 9, hence 5.
    const others = audits.filter((audit) => audit !== place).reduce((sum, audit) => sum + (by.get(audit) ?? 0), 0);
    expect(others).toBeLessThanOrEqual(5);
  });
});
