import type { JudgeMarginals } from "../agreement.js";

/** What judges' labels have in common is all that this is of. */
type Labelling = Pick<JudgeMarginals, "shares">;

/**
 * Judges in groups, within which any two share a label, or are linked by others who do. Judges of different groups can't
 * agree on anything: their words differ, or a column is no judge's. Judges without labels are in no group.
 * @returns [group]: places of judges, ascending
 */
export function labelGroups(judges: readonly Labelling[]): number[][] {
  const groups: { members: number[]; used: Set<number> }[] = [];
  judges.forEach(({ shares }, j) => {
    if (shares === null) return;
    const used = new Set(shares.flatMap((share, k) => (share > 0 ? [k] : [])));
    const joined = { members: [j], used };
    for (let g = groups.length - 1; g >= 0; g--) {
      if (![...groups[g].used].some((k) => used.has(k))) continue;
      const [{ members, used: others }] = groups.splice(g, 1);
      joined.members.push(...members);
      for (const k of others) joined.used.add(k);
    }
    groups.push(joined);
  });
  return groups.map(({ members }) => members.sort((a, b) => a - b)).sort(([a], [b]) => a - b);
}
