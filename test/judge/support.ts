/** Rates of a system and its judge; each pair is where the variable before is 0, and where it is 1. */
export interface World {
  readonly R: number;
  readonly A: readonly [number, number];
  readonly T: readonly [number, number];
  /** FPR and TPR. */
  readonly RJ: readonly [number, number];
  readonly TJ: readonly [number, number];
}

export const world: World = { R: 0.4, A: [0.6, 0.1], T: [0.25, 0.8], RJ: [0.15, 0.85], TJ: [0.25, 0.9] };

type Shown = Readonly<Partial<Record<"R" | "A" | "T" | "R_J" | "T_J", number>>> & { readonly n: number };

/**
 * Records whose counts are those to be expected, rounded: nothing in them is by chance.
 * @param shown how many records there are that show which labels
 */
export function recordsOf({ R, A, T, RJ, TJ }: World, shown: readonly [labels: string, records: number][]): Shown[] {
  const chance = (p: number, level: number): number => (level === 1 ? p : 1 - p);
  const both = [0, 1];
  const cells = both.flatMap((r) =>
    both.flatMap((a) =>
      (a === 1 ? [0] : both).flatMap((t) =>
        both.flatMap((rj) =>
          both.map((tj) => {
            const answered = a === 1 ? 1 : chance(T[r], t);
            const judged = chance(RJ[r], rj) * chance(TJ[t], tj);
            return {
              labels: { R: r, A: a, T: t, R_J: rj, T_J: tj },
              p: chance(R, r) * chance(A[r], a) * answered * judged,
            };
          }),
        ),
      ),
    ),
  );
  return shown.flatMap(([names, records]) =>
    cells.map(({ labels, p }) => ({
      ...Object.fromEntries(Object.entries(labels).filter(([name]) => names.split(" ").includes(name))),
      n: Math.round(records * p),
    })),
  );
}

export const all = "R A T R_J T_J";
export const judgeOnly = "A R_J T_J";
