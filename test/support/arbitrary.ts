import fc from "fast-check";
import type { NetworkDefinition, RowDefinition, Setting, VariableDefinition } from "../../src/network/index.js";

/** A choice among `count`, taken from a list of random numbers; shrinks towards 0. */
type Choose = (count: number) => number;

/**
 * Small networks of any shape: one to four variables of two or three levels, any parents, rows shared across settings or
 * certain, any priors, a policy of hard and soft weights.
 */
export const anyDefinition: fc.Arbitrary<NetworkDefinition> = fc
  .array(fc.nat({ max: 999 }), { minLength: 120, maxLength: 120 })
  .map((numbers) => {
    let next = 0;
    return build((count) => numbers[next++ % numbers.length] % count);
  });

/** Definition, logits of its parameters, and records: [level or -1 of each variable] and how many. */
export const anyPosterior = fc.record({
  definition: anyDefinition,
  logits: fc.array(fc.double({ min: -6, max: 6, noNaN: true }), { minLength: 60, maxLength: 60 }),
  picks: fc.array(fc.record({ cell: fc.nat(), mask: fc.nat({ max: 15 }), times: fc.integer({ min: 0, max: 50 }) }), {
    maxLength: 12,
  }),
});

function build(choose: Choose): NetworkDefinition {
  const variables: VariableDefinition[] = [];
  let cells: Setting[] = [{}];
  const count = 1 + choose(4);
  for (let v = 0; v < count; v++) {
    const variable = buildVariable(`V${v}`, variables, cells, choose);
    variables.push(variable);
    cells = cells.flatMap((cell) => {
      const row = variable.rows.find(({ when }) => when === undefined || when.some((setting) => agrees(setting, cell)));
      const levels = row?.always === undefined ? variable.levels : [row.always];
      return levels.map((level) => ({ ...cell, [variable.name]: level }));
    });
  }
  const terms = cells.filter(() => choose(2) === 1).map((when) => ({ when, weight: choose(5) / 4 }));
  return { name: "any", variables, policy: { name: "G", terms }, quantities: [] };
}

function buildVariable(
  name: string,
  earlier: readonly VariableDefinition[],
  cells: readonly Setting[],
  choose: Choose,
): VariableDefinition {
  const levels = ["p", "q", "r"].slice(0, 2 + choose(2));
  const parents = earlier.filter(() => choose(2) === 1).map((variable) => variable.name);
  // Settings of the parents that can happen, dealt out to at most three rows.
  const settings = [...new Set(cells.map((cell) => JSON.stringify(parents.map((parent) => [parent, cell[parent]]))))];
  const rowCount = 1 + choose(3);
  const dealt = settings.map((text) => ({
    row: choose(rowCount),
    setting: Object.fromEntries(JSON.parse(text)) as Setting,
  }));
  const rows: RowDefinition[] = [];
  for (let row = 0; row < rowCount; row++) {
    const when = dealt.filter((deal) => deal.row === row).map((deal) => deal.setting);
    if (when.length === 0) continue;
    const always = choose(6) === 5 ? { always: levels[choose(levels.length)] } : {};
    const prior = choose(2) === 1 ? { prior: levels.map(() => (1 + choose(20)) / 4) } : {};
    const distribution = "always" in always ? always : prior;
    rows.push({ name: `${name}.${row}`, ...(parents.length > 0 ? { when } : {}), ...distribution });
  }
  return { name, levels, parents, rows };
}

const agrees = (setting: Setting, cell: Setting): boolean =>
  Object.entries(setting).every(([name, level]) => cell[name] === level);
