import type { Gain, GainCell, GainStrategy } from "../documents.js";
import { absent, fixed, percent } from "./format.js";
import { drawGrid, numberColumn, painter, textColumn } from "./grid.js";
import type { TableOptions } from "./table.js";

const strategyColumns = [
  textColumn<GainStrategy>("strategy", ({ strategy }) => strategy),
  numberColumn<GainStrategy>("bits a record", ({ gain }) => fixed(gain, 4)),
  numberColumn<GainStrategy>("interval", ({ lower, upper }) => `[${fixed(lower, 4)}, ${fixed(upper, 4)}]`),
  numberColumn<GainStrategy>("of all-joint", ({ shareOfJoint }) =>
    shareOfJoint === null ? absent : `${(100 * shareOfJoint).toFixed(1)}%`,
  ),
];

/** What labels tell about one event of one system. */
export function gainTable(
  { source, quantity, base, strategies, cells, warnings }: Gain,
  options: TableOptions = {},
): string {
  const paint = painter(options.colour ?? false);
  const cellColumns = [
    textColumn<GainCell>("R", ({ R }) => R),
    textColumn<GainCell>("A", ({ A }) => A),
    numberColumn<GainCell>("probability", ({ p }) => fixed(p, 4)),
    numberColumn<GainCell>(quantity, ({ G }) => (G === null ? "open" : percent(G))),
  ];
  return [
    paint.bold(`${source}: what labels tell about ${quantity}, ${fixed(base, 4)} bits uncertain once A is seen`),
    "",
    drawGrid(strategyColumns, strategies, paint),
    ...(cells.length === 0 ? [] : ["", drawGrid(cellColumns, cells, paint)]),
    ...warnings.map((warning) => paint.warn(`\nwarning: ${warning}`)),
  ].join("\n");
}
