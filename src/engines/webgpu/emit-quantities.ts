import type { CompiledNetwork, CompiledQuantity, LinearForm } from "../../network/compiled.js";

/**
 * A number on the way through a quantity's program: its value at the reference, its change from there, and what it now is,
 * which near 0 is more than the sum of the two can tell.
 */
interface Term {
  readonly reference: string;
  readonly change: string;
  readonly value: string;
}

const divides = ({ program }: CompiledQuantity): boolean => program.some(({ op }) => op === "divide");

const nodesOf = (quantities: readonly CompiledQuantity[], { nodeCount }: CompiledNetwork): number[] =>
  quantities
    .flatMap(({ program }) => program.flatMap((step) => (step.op === "form" ? [...step.form.indices] : [])))
    .filter((index) => index < nodeCount);

/** Nodes whose probabilities the quantities are made of. */
export const neededNodes = (network: CompiledNetwork): number[] => nodesOf(network.quantities, network);

/** Those of quantities with a division, whose values v are needed too; null where there is none. */
export const valuedNodes = (network: CompiledNetwork): number[] | null => {
  const dividing = network.quantities.filter(divides);
  return dividing.length === 0 ? null : nodesOf(dividing, network);
};

/**
 * WGSL lines that leave the change of quantity q from its value at the reference in `quantity<q>`, from the nodes' values
 * p and changes c, the rows' quads r and changes. Changes go through products and quotients by themselves, so that none is
 * the difference of two nearly equal numbers. Divisions need the nodes' values v and the rows' entries too.
 */
export function quantityLines(network: CompiledNetwork): string[] {
  return network.quantities.flatMap((quantity, q) => {
    const lines: string[] = [];
    const stack: Term[] = [];
    const name = (what: string, expression: string): string => {
      const variable = `q${q}_${lines.length}${what}`;
      lines.push(`  let ${variable} = ${expression};`);
      return variable;
    };
    const push = ({ reference, change, value }: Term): void => {
      stack.push({
        reference: name("r", reference),
        change: name("c", change),
        value: divides(quantity) ? name("v", value) : "",
      });
    };
    for (const step of quantity.program) {
      if (step.op === "probability") continue; // the host brings it into (0, 1)
      if (step.op === "form") {
        push(formOf(network, step.form));
        continue;
      }
      const right = stack.pop() as Term;
      const left = stack.pop() as Term;
      push(arithmetic[step.op](left, right));
    }
    return [...lines, `  let quantity${q} = ${stack[0].change};`];
  });
}

const arithmetic: Record<"add" | "subtract" | "multiply" | "divide", (a: Term, b: Term) => Term> = {
  add: (a, b) => each((x, y) => `${x} + ${y}`, a, b),
  subtract: (a, b) => each((x, y) => `${x} - ${y}`, a, b),
  multiply: (a, b) => ({
    ...each((x, y) => `${x} * ${y}`, a, b),
    change: `${a.change} * (${b.reference} + ${b.change}) + ${a.reference} * ${b.change}`,
  }),
  // Near the reference by the quotient rule; where the divisor is far less than there, by what both now are.
  divide: (a, b) => ({
    ...each((x, y) => `${x} / ${y}`, a, b),
    change:
      `select((${a.change} - ${a.reference} / ${b.reference} * ${b.change}) / (${b.reference} + ${b.change}), ` +
      `${a.value} / ${b.value} - ${a.reference} / ${b.reference}, ` +
      `abs(${b.change}) > 0.5 * abs(${b.reference}))`,
  }),
};

const each = (result: (x: string, y: string) => string, a: Term, b: Term): Term => ({
  reference: result(a.reference, b.reference),
  change: result(a.change, b.change),
  value: result(a.value, b.value),
});

/** A form's indices name nodes, then two entries (1 - theta, theta) a row; node 0 is certain. */
function formOf({ nodeCount }: CompiledNetwork, { constant, indices, weights }: LinearForm): Term {
  const references: string[] = constant === 0 ? [] : [number(constant)];
  const changes: string[] = [];
  const values = [...references];
  indices.forEach((index, t) => {
    const weighted = (value: string): string => (weights[t] === 1 ? value : `${number(weights[t])} * ${value}`);
    const row = (index - nodeCount) >> 1;
    const isTheta = ((index - nodeCount) & 1) === 1;
    if (index === 0) {
      references.push(number(weights[t]));
      values.push(number(weights[t]));
    } else if (index < nodeCount) {
      references.push(weighted(`p${index}`));
      changes.push(weighted(`c${index}`));
      values.push(weighted(`v${index}`));
    } else {
      references.push(weighted(`r${row}.${isTheta ? "x" : "y"}`));
      changes.push(weighted(`${isTheta ? "" : "(-"}change${row}${isTheta ? "" : ")"}`));
      values.push(weighted(`${isTheta ? "theta" : "rest"}${row}`));
    }
  });
  const total = (terms: readonly string[]): string => terms.join(" + ") || "0.0";
  return { reference: total(references), change: total(changes), value: total(values) };
}

/** A number as a WGSL literal. */
function number(value: number): string {
  const text = String(Math.fround(value));
  const literal = /[.e]/.test(text) ? text : `${text}.0`;
  return value < 0 ? `(${literal})` : literal;
}
