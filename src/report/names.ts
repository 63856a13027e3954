/** Names that are too long for their place, cut so that they can still be told apart. */

/**
 * @param cut shortens one name, whose two ends it keeps
 * @returns the short form by the name
 */
export function shortNames(names: readonly string[], cut: (name: string) => string): ReadonlyMap<string, string> {
  const all = [...new Set(names)];
  const cores = withoutCommonEnds(all);
  const tries: ((name: string, i: number) => string)[] = [
    (name) => name,
    (_name, i) => cores[i],
    // What differs is itself too long: numbers are at the end that is kept.
    (_name, i) => `${i + 1} ${cores[i]}`,
  ];
  for (const [attempt, form] of tries.entries()) {
    const short = all.map((name, i) => cut(form(name, i)));
    if (attempt === tries.length - 1 || new Set(short).size === all.length) {
      return new Map(all.map((name, i) => [name, short[i]]));
    }
  }
  return new Map();
}

/** Names without what all begin and end with, whole words of it, an ellipsis in its place. */
function withoutCommonEnds(names: readonly string[]): string[] {
  if (names.length < 2) return [...names];
  const characters = names.map((name) => [...name]);
  const shortest = Math.min(...characters.map(({ length }) => length));
  const [first] = characters;
  const isWord = (character: string | undefined): boolean => /[\p{L}\p{N}]/u.test(character ?? "");
  let start = 0;
  while (start < shortest && characters.every((own) => own[start] === first[start])) start++;
  while (start > 0 && isWord(first[start - 1])) start--;
  const fromEnd = (own: readonly string[], i: number): string => own[own.length - 1 - i];
  let end = 0;
  while (end < shortest - start && characters.every((own) => fromEnd(own, end) === fromEnd(first, end))) end++;
  while (end > 0 && isWord(fromEnd(first, end - 1))) end--;
  return characters.map((own) => {
    const core = own.slice(start, own.length - end).join("");
    return `${start > 0 ? "…" : ""}${core}${end > 0 ? "…" : ""}`;
  });
}
