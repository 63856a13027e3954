/** What depends on the prior, as lines of a fit's table. */
import type { PriorSensitivity, QuantitySensitivity } from "../documents.js";
import { absent, bounded, decimalsFor, fixed, percent } from "./format.js";
import { type Column, drawGrid, numberColumn, type Painter, textColumn } from "./grid.js";

export function sensitivityLines(sensitivity: PriorSensitivity | undefined, level: number, paint: Painter): string[] {
  if (sensitivity === undefined) return [];
  const { priors, quantities, conclusions, warnings } = sensitivity;
  const named = priors.map(({ name, concentration: c }) =>
    name.startsWith("Beta") ? name : `${name} Beta(${c},${c})`,
  );
  const lines = [
    paint.bold("Prior sensitivity: the same records with another prior on every row"),
    `${named.join(", ")}: mean and ${percent(level)} interval under each`,
    "",
    drawGrid(columnsOf(sensitivity), quantities, paint),
    "",
    "shift: largest difference between two means, in posterior sds; * more than half of one",
  ];
  for (const { statement, expression, under, moves } of conclusions) {
    const shown = under.map(({ probability }) => shareOf(probability));
    lines.push(`${statement} (${expression}): probability ${shown.join(", ")}${moves ? "" : "; it stays"}`);
  }
  const moved = [
    ...quantities.filter(({ moves }) => moves).map(({ name }) => name),
    ...conclusions.filter(({ moves }) => moves).map(({ statement }) => `whether it ${statement}`),
  ];
  if (moved.length > 0) lines.push(paint.warn(`moves with the prior: ${moved.join(", ")}`));
  else lines.push("nothing moves with the prior");
  return [...lines, ...warnings.map((warning) => paint.warn(`warning: ${warning}`)), ""];
}

/** A share of draws: all of some thousands are not certainty. */
const shareOf = (probability: number | null): string =>
  probability === 1 ? ">0.999" : probability === 0 ? "<0.001" : bounded(probability, 3);

function columnsOf({ priors, quantities }: PriorSensitivity): Column<QuantitySensitivity>[] {
  const decimals = decimalsFor(
    quantities.flatMap(({ under }) => under.map(({ sd }) => sd)),
    2,
    3,
    6,
  );
  const places = priors.map(({ name }, i) =>
    numberColumn<QuantitySensitivity>(name, ({ under: { [i]: one } }) => {
      const [mean, lower, upper] = [one.mean, one.lower, one.upper].map((value) => bounded(value, decimals));
      return `${mean} [${lower}, ${upper}]`;
    }),
  );
  return [
    textColumn("quantity", ({ name }) => name),
    ...places,
    numberColumn("shift", ({ shift, moves }) => (shift === null ? absent : `${fixed(shift, 2)}${moves ? "*" : " "}`)),
  ];
}
