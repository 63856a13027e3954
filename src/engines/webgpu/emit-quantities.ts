import type { CompiledNetwork, LinearForm } from "../../network/compiled.js";

/** A number on the way through a quantity's program: its value at the reference, and its change from there. */
interface Term {
  readonly reference: string;
  readonly change: string;
}

/** Nodes whose probabilities the quantities are made of. */
export const neededNodes = ({ quantities, nodeCount }: CompiledNetwork): number[] =>
  quantities
    .flatMap(({ program }) => program.flatMap((step) => (step.op === "form" ? [...step.form.indices] : [])))
    .filter((index) => index < nodeCount);

/**
 * WGSL lines that leave the change of quantity q from its value at the reference in `quantity<q>`, from the nodes' values
 * p and changes c, the rows' quads r and changes. Changes go through products and quotients by themselves, so that none is
 * the difference of two nearly equal numbers.
 */
export function quantityLines(network: CompiledNetwork): string[] {
  return network.quantities.flatMap(({ program }, q) => {
    const lines: string[] = [];
    const stack: Term[] = [];
    const name = (what: string, expression: string): string => {
      const variable = `q${q}_${lines.length}${what}`;
      lines.push(`  let ${variable} = ${expression};`);
      return variable;
    };
    for (const step of program) {
      if (step.op === "form") {
        const { reference, change } = formOf(network, step.form);
        stack.push({ reference: name("r", reference), change: name("c", change) });
        continue;
      }
      if (step.op === "probability") continue; // the host brings it into (0, 1)
      const right = stack.pop() as Term;
      const left = stack.pop() as Term;
      const result = arithmetic[step.op](left, right);
      stack.push({ reference: name("r", result.reference), change: name("c", result.change) });
    }
    return [...lines, `  let quantity${q} = ${stack[0].change};`];
  });
}

const arithmetic: Record<"add" | "subtract" | "multiply" | "divide", (a: Term, b: Term) => Term> = {
  add: (a, b) => ({ reference: `${a.reference} + ${b.reference}`, change: `${a.change} + ${b.change}` }),
  subtract: (a, b) => ({ reference: `${a.reference} - ${b.reference}`, change: `${a.change} - ${b.change}` }),
  multiply: (a, b) => ({
    reference: `${a.reference} * ${b.reference}`,
    change: `${a.change} * (${b.reference} + ${b.change}) + ${a.reference} * ${b.change}`,
  }),
  divide: (a, b) => ({
    reference: `${a.reference} / ${b.reference}`,
    change: `(${a.change} - ${a.reference} / ${b.reference} * ${b.change}) / (${b.reference} + ${b.change})`,
  }),
};

/** A form's indices name nodes, then two entries (1 - theta, theta) a row; node 0 is certain. */
function formOf({ nodeCount }: CompiledNetwork, { constant, indices, weights }: LinearForm): Term {
  const references: string[] = constant === 0 ? [] : [number(constant)];
  const changes: string[] = [];
  indices.forEach((index, t) => {
    const weighted = (value: string): string => (weights[t] === 1 ? value : `${number(weights[t])} * ${value}`);
    const row = (index - nodeCount) >> 1;
    const isTheta = ((index - nodeCount) & 1) === 1;
    if (index === 0) {
      references.push(number(weights[t]));
    } else if (index < nodeCount) {
      references.push(weighted(`p${index}`));
      changes.push(weighted(`c${index}`));
    } else {
      references.push(weighted(`r${row}.${isTheta ? "x" : "y"}`));
      changes.push(weighted(`${isTheta ? "" : "(-"}change${row}${isTheta ? "" : ")"}`));
    }
  });
  const total = (terms: readonly string[]): string => terms.join(" + ") || "0.0";
  return { reference: total(references), change: total(changes) };
}

/** A number as a WGSL literal. */
function number(value: number): string {
  const text = String(Math.fround(value));
  const literal = /[.e]/.test(text) ? text : `${text}.0`;
  return value < 0 ? `(${literal})` : literal;
}
