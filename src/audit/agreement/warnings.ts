import type { JudgeMarginals } from "../agreement.js";
import { clusterWarnings, effectiveClusters } from "../cluster.js";
import { isNumber, type Scale } from "./labels.js";
import { labelGroups } from "./shared-labels.js";

/** Names in one sentence. */
const mostNamed = 10;
/** Labels of one judge in one sentence. */
const mostLabels = 4;
/** As in `clusterWarnings`. */
const fewClusters = 20;

interface Context {
  readonly scale: Scale;
  /** Whether the categories were declared. */
  readonly declared: boolean;
  /** Items with any label, and with labels of two judges or more. */
  readonly items: number;
  readonly comparable: number;
  /** Items of each cluster that two judges have labelled; null where items are independent. */
  readonly sizes: ArrayLike<number> | null;
  /** The same for every two judges; none where items are independent. */
  readonly pairs: readonly { readonly first: string; readonly second: string; readonly sizes: ArrayLike<number> }[];
}

/** What may be wrong with the labels, or with the intervals. */
export function agreementWarnings(
  judges: readonly JudgeMarginals[],
  categories: readonly string[],
  { scale, declared, items, comparable, sizes, pairs }: Context,
): string[] {
  const groups = labelGroups(judges).map((members) => members.map((j) => judges[j]));
  return [
    ...(scale === "nominal" ? oneNumber(categories) : []),
    ...oneLabel(judges, categories),
    ...apart(groups, categories),
    ...(declared ? [] : groups.filter((group) => group.length > 1).flatMap((group) => ownWords(group, categories))),
    ...(judges.length > 2 && comparable > 0 ? singles(items - comparable, comparable) : []),
    ...clusters(sizes, pairs),
  ];
}

/** Items that count for chance agreement of more than two judges, and not for agreement: too many make up the coefficients. */
const singles = (single: number, comparable: number): string[] =>
  single <= comparable
    ? []
    : [
        `${single} of ${single + comparable} items have one label: chance agreement of Fleiss' kappa and AC1 is mostly ` +
          "theirs, agreement is not; alpha leaves them out",
      ];

/** Labels that a nominal scale tells apart by their spelling alone. */
function oneNumber(categories: readonly string[]): string[] {
  const spelt = new Map<number, string[]>();
  for (const name of categories) {
    if (isNumber(name)) spelt.set(Number(name), [...(spelt.get(Number(name)) ?? []), JSON.stringify(name)]);
  }
  const found = [...spelt.values()].filter((names) => names.length > 1).map((names) => listed(names));
  if (found.length === 0) return [];
  return [
    `${listed(found)} are one number in different spellings, and different labels of a nominal scale: spell them alike ` +
      "(on an ordinal or interval scale they are one)",
  ];
}

/** Judges that say the same of every item: kappa with them is 0 or undefined, whatever they look at. */
function oneLabel(judges: readonly JudgeMarginals[], categories: readonly string[]): string[] {
  const found = judges.flatMap(({ judge, n, shares }) => {
    const only = shares?.indexOf(1) ?? -1;
    return n < 2 || only < 0 ? [] : [`${judge} (${JSON.stringify(categories[only])})`];
  });
  if (found.length === 0) return [];
  const [gives, it] = found.length === 1 ? ["gives", "it"] : ["give", "them"];
  return [`${listed(found)} ${gives} one label alone: kappa with ${it} says nothing of how good the labels are`];
}

/** Judges that can't agree with others: a column that is no judge's, or other words for the same. */
function apart(groups: readonly (readonly JudgeMarginals[])[], categories: readonly string[]): string[] {
  if (groups.length < 2) return [];
  const wordsOf = (group: readonly JudgeMarginals[]): string => {
    const used = categories.filter((_, k) => group.some(({ shares }) => (shares?.[k] ?? 0) > 0));
    return listed(
      used.map((name) => JSON.stringify(name)),
      mostLabels,
    );
  };
  const remedy =
    "if these are other words for the same labels, rename them; if a column is no judge's, name those that are with --judges";
  const alone = groups.filter((group) => group.length === 1);
  if (alone.length === groups.length - 1) {
    return alone.map(
      (group) => `${group[0].judge} shares no label with any other judge (it says ${wordsOf(group)}): ${remedy}`,
    );
  }
  const named = groups.map((group) => `${listed(group.map(({ judge }) => judge))} (${wordsOf(group)})`);
  return [`${listed(named)} share no label with each other, so that they never agree: ${remedy}`];
}

/** Labels of one judge among judges that share others: often other words for the same, or no labels at all. */
function ownWords(judges: readonly JudgeMarginals[], categories: readonly string[]): string[] {
  const users = categories.map((_, k) => judges.filter(({ shares }) => (shares?.[k] ?? 0) > 0));
  return judges.flatMap((judge) => {
    const own = categories.filter((_, k) => users[k].length === 1 && users[k][0] === judge);
    if (own.length === 0) return [];
    const words = listed(own.map((name) => JSON.stringify(name)));
    return [
      `only ${judge.judge} says ${words}: if that is another word for a label of the others, or no label, rename or ` +
        "blank it (--categories refuses what is none)",
    ];
  });
}

/** Of all items, and of pairs whose items come in fewer clusters than those. */
function clusters(sizes: ArrayLike<number> | null, pairs: Context["pairs"]): string[] {
  if (sizes === null) return [];
  if (effectiveClusters(sizes) === 0) return ["no item has labels of two judges, so there are no clusters"];
  const all = clusterWarnings(sizes, "items");
  if (effectiveClusters(sizes) <= 1) return all;
  const named = (found: Context["pairs"]): string =>
    found
      .slice(0, mostNamed)
      .map(({ first, second }) => `${first} and ${second}`)
      .join("; ") + (found.length > mostNamed ? `; ${found.length - mostNamed} more pairs` : "");
  const known = pairs.map((pair) => ({ ...pair, effective: effectiveClusters(pair.sizes) }));
  const single = known.filter(({ effective }) => effective === 1);
  const few = all.length > 0 ? [] : known.filter(({ effective }) => effective > 1 && effective < fewClusters);
  return [
    ...all,
    ...(single.length === 0
      ? []
      : [`all items that both have labelled are of one cluster, so that there are no intervals: ${named(single)}`]),
    ...(few.length === 0 ? [] : [`intervals of pairs that share items of few clusters are rough: ${named(few)}`]),
  ];
}

function listed(names: readonly string[], most = mostNamed): string {
  const shown = names.slice(0, most);
  if (names.length > most) return `${shown.join(", ")} and ${names.length - most} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
