/** What `rat network check` shows of a network. */
import type { NetworkDocument, NetworkRow } from "../network/index.js";
import { listLevels } from "../network/levels.js";
import { counted } from "./format.js";
import { type Column, drawGrid, type Painter, painter } from "./grid.js";

type Setting = NetworkDocument["cells"][number];

/** Lists longer than this are cut: a judge's network has more than a hundred ambiguous patterns. */
const mostListed = 12;

export function networkTable(network: NetworkDocument, options: { readonly colour?: boolean } = {}): string {
  const paint = painter(options.colour ?? false);
  const { variables, rows, cells, patterns, policy, quantities, moreQuantities } = network;
  const size = [
    counted(String(variables.length), "variable"),
    counted(String(rows.length), "row"),
    counted(String(cells.length), "cell"),
    `${counted(String(patterns.count), "pattern")}, ${patterns.ambiguous.length} of them ambiguous`,
  ];
  return [
    paint.bold(`${network.network}: ${size.join(", ")}`),
    ...section("Variables", paint, drawGrid(variableColumns, variables, paint)),
    ...section("Rows", paint, drawGrid(rowColumns, rows, paint)),
    ...section("Cells, what can happen", paint, ...listed(cells)),
    ...section(
      "Ambiguous patterns, what records may show that fits several branches",
      paint,
      ...listed(patterns.ambiguous),
    ),
    ...section("Policy, shares of adherence", paint, policy ?? "none"),
    ...section("Quantities", paint, drawGrid(quantityColumns, quantities, paint)),
    ...(moreQuantities.length === 0
      ? []
      : section("More with --quantities all", paint, drawGrid(quantityColumns, moreQuantities, paint))),
  ].join("\n");
}

const section = (title: string, paint: Painter, ...lines: readonly string[]): string[] => [
  "",
  paint.bold(title),
  ...lines,
];

const column = <Item>(head: string, read: (item: Item) => string): Column<Item> => ({
  head,
  align: "left",
  cells: (items) => items.map(read),
});

const settingText = (setting: Setting, separator = ", "): string =>
  Object.entries(setting)
    .map(([name, level]) => `${name}=${level}`)
    .join(separator);

function listed(settings: readonly Setting[]): string[] {
  if (settings.length === 0) return ["none"];
  const shown = settings.slice(0, mostListed).map((setting) => settingText(setting, " ") || "nothing seen");
  const more = settings.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

const variableColumns: readonly Column<NetworkDocument["variables"][number]>[] = [
  column("name", ({ name }) => name),
  column("levels", listLevels),
  column("parents", ({ parents }) => parents.join(", ") || "–"),
];

const rowColumns: readonly Column<NetworkRow>[] = [
  column("name", ({ name }) => name),
  column("of", ({ variable, when }) =>
    when.length === 0 ? variable : `${variable} | ${when.map((setting) => settingText(setting)).join(" or ")}`,
  ),
  column("prior", priorText),
];

/** A Beta is of the second level, as in `--prior`. */
function priorText({ prior, always }: NetworkRow): string {
  if (prior === null) return `always ${always}`;
  return prior.length === 2 ? `Beta(${prior[1]}, ${prior[0]})` : `Dirichlet(${prior.join(", ")})`;
}

const quantityColumns: readonly Column<NetworkDocument["quantities"][number]>[] = [
  column("name", ({ name }) => name),
  column("expression", ({ expression }) => expression),
];
