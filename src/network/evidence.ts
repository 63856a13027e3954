import type { CompiledNetwork, CompiledQuantity } from "./compiled.js";
import { patternIndex } from "./patterns.js";
import { pathOf } from "./tree.js";

/** What the records say about one quantity before any model of them. */
export interface Evidence {
  /** Successes among the records that show the quantity; null where that is no plain proportion of seen labels. */
  readonly counted: { readonly k: number; readonly n: number } | null;
  /** Records that show it, and records that might but lack a label; null for arithmetic over several probabilities. */
  readonly nObserved: number | null;
  readonly nMissing: number | null;
  /** No record bears on any parameter that the quantity depends on. */
  readonly noData: boolean;
}

/**
 * Evidence on every quantity, from the counts a pattern.
 * @param blanks how many records leave a label out that their others imply, by variable; left out: any might, as the
 * pattern of a record doesn't tell
 */
export function evidence(
  network: CompiledNetwork,
  counts: ArrayLike<number>,
  blanks?: Readonly<Record<string, number>>,
): Evidence[] {
  const informed = informedRows(network, counts);
  // What depends on no row is certain: there is nothing that data could tell.
  const isUninformed = (rows: readonly number[]): boolean => rows.length > 0 && !rows.some((row) => informed[row]);
  const mayBeBlank = network.variables.map(({ name }) => blanks === undefined || blanks[name] > 0);
  const implied = impliedLabels(network).map((labels) => labels.map((label, v) => label && mayBeBlank[v]));
  return network.quantities.map((quantity) => ({
    ...proportion(network, counts, quantity, implied),
    noData: isUninformed(rowsOf(network, quantity)),
  }));
}

function proportion(
  network: CompiledNetwork,
  counts: ArrayLike<number>,
  { probability }: CompiledQuantity,
  implied: readonly (readonly boolean[])[],
): Omit<Evidence, "noData"> {
  if (probability === null) return { counted: null, nObserved: null, nMissing: null };
  const { event, condition, variables } = probability;
  let k = 0;
  let n = 0;
  let missing = 0;
  const unseen = new Set<number>();
  const followed = new Set<number>();
  network.patterns.forEach(({ cells, levels }, m) => {
    if (counts[m] === 0 || cells.every((c) => condition[c] === 0)) return;
    const first = event[cells[0]];
    const shown = cells.every((c) => condition[c] === 1 && event[c] === first);
    if (!shown) {
      missing += counts[m];
      for (const v of variables) if (levels[v] < 0) unseen.add(v);
      return;
    }
    n += counts[m];
    k += counts[m] * first;
    for (const v of variables) if (implied[m][v]) followed.add(v);
  });
  const soft = event.some((weight) => weight !== 0 && weight !== 1);
  // Where a label is missing from some records and follows from the rest of others, those known are a selection.
  const selected = [...unseen].some((v) => followed.has(v));
  const plain = n > 0 && !soft && !selected;
  return { counted: plain ? { k, n } : null, nObserved: n, nMissing: missing };
}

/** [patterns][variables]: whether the pattern stays the same when a label is left out, since the others imply it. */
function impliedLabels(network: CompiledNetwork): boolean[][] {
  const indexOf = patternIndex(network);
  return network.patterns.map(({ levels }, m) =>
    levels.map((level, v) => level >= 0 && indexOf(levels.map((other, w) => (w === v ? -1 : other))) === m),
  );
}

/** Rows whose posterior the records move: fixed counts, or a part in an ambiguous pattern. */
function informedRows(network: CompiledNetwork, counts: ArrayLike<number>): boolean[] {
  const informed = network.rowNames.map(() => false);
  network.patterns.forEach(({ nodes }, m) => {
    if (counts[m] === 0) return;
    for (const node of nodes) for (const { row } of pathOf(network, node)) informed[row] = true;
  });
  return informed;
}

/** Rows that a quantity depends on. */
function rowsOf(network: CompiledNetwork, { program }: CompiledQuantity): number[] {
  const indices = program.flatMap((step) => (step.op === "form" ? [...step.form.indices] : []));
  return indices.flatMap((index) =>
    index < network.nodeCount ? pathOf(network, index).map(({ row }) => row) : [(index - network.nodeCount) >> 1],
  );
}
