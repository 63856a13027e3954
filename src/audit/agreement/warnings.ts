import type { JudgeMarginals } from "../agreement.js";
import { clusterWarnings } from "../cluster.js";

/** Names in one sentence. */
const mostNamed = 10;

interface Context {
  readonly clusters: number | null;
  /** Whether the categories were declared. */
  readonly declared: boolean;
}

/** What may be wrong with the labels, or with the intervals. */
export function agreementWarnings(
  judges: readonly JudgeMarginals[],
  categories: readonly string[],
  { clusters, declared }: Context,
): string[] {
  return [
    ...oneLabel(judges, categories),
    ...(declared ? [] : ownWords(judges, categories)),
    ...(clusters === 0 ? ["no item has a label, so there are no clusters"] : clusterWarnings(clusters, "items")),
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

/** Labels of one judge among judges that share others: often other words for the same, or no labels at all. */
function ownWords(judges: readonly JudgeMarginals[], categories: readonly string[]): string[] {
  const users = categories.map((_, k) => judges.filter(({ shares }) => (shares?.[k] ?? 0) > 0));
  const shared = users.some((who) => who.length > 1);
  if (!shared) return [];
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

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed);
  if (names.length > mostNamed) return `${shown.join(", ")} and ${names.length - mostNamed} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
