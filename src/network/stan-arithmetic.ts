import type { CompiledNetwork, LinearForm, QuantityOperation } from "./compiled.js";
import type { StanNames } from "./stan-names.js";

/** Arithmetic and how tightly it holds together: 0 a sum, 1 a product, 2 a name or what is in parentheses. */
interface Text {
  readonly text: string;
  readonly level: 0 | 1 | 2;
}

const within = ({ text, level }: Text, least: 0 | 1 | 2): string => (level >= least ? text : `(${text})`);

const operations = {
  add: { sign: "+", level: 0, left: 0, right: 0 },
  subtract: { sign: "-", level: 0, left: 0, right: 1 },
  multiply: { sign: "*", level: 1, left: 1, right: 1 },
  divide: { sign: "/", level: 1, left: 1, right: 2 },
} as const;

/** A quantity's postfix program in infix notation, with no more parentheses than precedence needs. */
export function programText(program: readonly QuantityOperation[], form: (form: LinearForm) => Text): string {
  const stack: Text[] = [];
  for (const step of program) {
    if (step.op === "form") {
      stack.push(form(step.form));
    } else if (step.op !== "probability") {
      const { sign, level, left, right } = operations[step.op];
      const y = stack.pop() as Text;
      const x = stack.pop() as Text;
      stack.push({ text: `${within(x, left)} ${sign} ${within(y, right)}`, level });
    }
  }
  return stack[0].text;
}

/** A weighted sum of node probabilities and row entries. */
export function formText(form: LinearForm, { nodeCount }: CompiledNetwork, { nodes, rows }: StanNames): Text {
  const value = (index: number): string => {
    if (index < nodeCount) return nodes[index];
    const row = rows[(index - nodeCount) >> 1];
    return (index - nodeCount) % 2 === 1 ? row : `(1 - ${row})`;
  };
  // The root's probability is 1, and no program names it.
  const root = form.indices.indexOf(0);
  const constant = form.constant + (root < 0 ? 0 : form.weights[root]);
  const terms = Array.from(form.indices, (index, t) => {
    const weight = form.weights[t];
    const size = Math.abs(weight);
    return {
      minus: weight < 0,
      text: size === 1 ? value(index) : `${real(size)} * ${value(index)}`,
      plain: size === 1,
    };
  }).filter((_, t) => t !== root);
  if (constant !== 0 || terms.length === 0) {
    terms.unshift({ minus: constant < 0, text: real(Math.abs(constant)), plain: true });
  }
  const [first, ...others] = terms;
  const text = [
    `${first.minus ? "-" : ""}${first.text}`,
    ...others.map((term) => `${term.minus ? "-" : "+"} ${term.text}`),
  ].join(" ");
  if (others.length > 0 || first.minus) return { text, level: 0 };
  return { text, level: first.plain ? 2 : 1 };
}

/** A number that Stan takes for a real: its quotient of two whole numbers would be a whole one. */
const real = (value: number): string => (Number.isInteger(value) && value < 1e21 ? `${value}.0` : String(value));
