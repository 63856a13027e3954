import type { CompiledNetwork } from "./compiled.js";
import { formText, programText } from "./stan-arithmetic.js";
import { type StanNames, stanNames } from "./stan-names.js";

/** Statements longer than this go on in the next line. */
const mostColumns = 116;

/**
 * A compiled network as a Stan program with the same posterior: Bernoulli rows with Beta priors, counts of patterns as
 * data, every quantity in `generated quantities`. Written for reading, and to check one sampler against another.
 */
export function emitStan(network: CompiledNetwork): string {
  const names = stanNames(network);
  const block = (head: string, lines: readonly string[]): string => `${head} {\n${lines.join("\n")}\n}\n`;
  return [
    header(network.name),
    block("data", [
      "  // How many records show each pattern of labels; real, since there may be more than an int holds.",
      `  array[${network.patterns.length}] real<lower=0> n;`,
    ]),
    block(
      "parameters",
      network.rowNames.map((row, k) => `  real<lower=0, upper=1> ${names.rows[k]}; // ${comment(row)}`),
    ),
    block("transformed parameters", nodes(network, names)),
    block("model", [...priors(network, names), ...patterns(network, names)]),
    block("generated quantities", quantities(network, names)),
  ].join("\n");
}

/** What the program's data block asks for. @param counts records a pattern */
export const stanData = (counts: ArrayLike<number>): { n: number[] } => ({ n: Array.from(counts) });

const header = (name: string): string =>
  `// Network ${comment(name)}, written by rat-engine for Stan 2.26 or newer; the data are in data.json beside it.
//
// The model is a tree: every variable in turn splits each case that can happen. A row of the conditional probability
// tables is one probability; a variable of more than two levels takes several, "this level or one above it", with the
// Beta priors that make them a Dirichlet row. A record is counted by what was seen of it, ? where nothing was, and its
// probability is the sum of those of the cases that are left.
`;

/** Texts of the network's author on one line. */
const comment = (text: string): string => text.replace(/\s+|\p{Cc}/gu, " ");

/** The probability of every node of the tree but the root, whose is 1. */
function nodes({ familyParent, familyRow }: CompiledNetwork, { rows, nodes: names, nodeLabels }: StanNames): string[] {
  return Array.from(familyParent, (parent, f) => {
    const theta = rows[familyRow[f]];
    const times = parent === 0 ? "" : `${names[parent]} * `;
    const rest = parent === 0 ? `1 - ${theta}` : `(1 - ${theta})`;
    return [rest, theta].map((entry, e) => {
      const child = 2 * f + 1 + e;
      return `  real ${names[child]} = ${times}${entry}; // ${comment(nodeLabels[child])}`;
    });
  }).flat();
}

const priors = ({ priorSuccess, priorFailure }: CompiledNetwork, { rows }: StanNames): string[] =>
  rows.map((row, k) => `  ${row} ~ beta(${priorSuccess[k]}, ${priorFailure[k]});`);

function patterns({ patterns: all, variables }: CompiledNetwork, { nodes: names }: StanNames): string[] {
  const shown = (levels: readonly number[]): string =>
    levels.map((level, v) => `${variables[v].name}=${level < 0 ? "?" : variables[v].levels[level]}`).join(" ");
  return all.map(({ levels, nodes: own }, m) => {
    const seen = comment(shown(levels));
    if (own[0] === 0) return `  // n[${m + 1}]: ${seen}, which says nothing`;
    const sum = Array.from(own, (node) => names[node]).join(" + ");
    return statement(`target += n[${m + 1}] * log(${sum});`, seen);
  });
}

function quantities(network: CompiledNetwork, names: StanNames): string[] {
  return network.quantities.map(({ name, expression, program }, q) => {
    const value = programText(program, (form) => formText(form, network, names));
    const note = name === expression ? name : `${name} = ${expression}`;
    return statement(`real ${names.quantities[q]} = ${value};`, comment(note));
  });
}

/** A statement and what it is about; long ones are broken at their plus signs. */
function statement(code: string, note: string): string {
  if (2 + code.length + 4 + note.length <= mostColumns) return `  ${code} // ${note}`;
  const lines: string[] = [`  // ${note}`, "  "];
  for (const part of code.split(/(?<= \+ )/)) {
    const last = lines[lines.length - 1];
    if (last.trim() !== "" && last.length + part.length > mostColumns) {
      lines[lines.length - 1] = last.trimEnd();
      lines.push(`      ${part}`);
    } else {
      lines[lines.length - 1] += part;
    }
  }
  return lines.join("\n");
}
