/** The candidates most like a name that was typed, best first: same parts between dashes, then fewest edits. */
export function nearest(typed: string, candidates: readonly string[], most = 3): string[] {
  const name = typed.toLowerCase();
  const parts = name.split(/[^a-z0-9.]+/).filter((part) => part !== "");
  const scored = candidates.map((candidate) => ({
    candidate,
    shared: parts.filter((part) => candidate.split("-").some((other) => other.startsWith(part))).length,
    edits: editDistance(name, candidate),
  }));
  return scored
    .filter(({ shared, edits, candidate }) => shared > 0 || edits <= candidate.length / 3)
    .sort((a, b) => b.shared - a.shared || a.edits - b.edits)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Levenshtein's: insertions, deletions and substitutions that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const substitution = previous[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[j] + 1, current[j - 1] + 1));
    }
    previous = current;
  }
  return previous[to.length];
}
