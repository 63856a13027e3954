import type { CompiledNetwork, CompiledQuantity, LinearForm } from "../../network/compiled.js";
import { pathOf } from "../../network/tree.js";
import { type Polynomial, Polynomials } from "./polynomial.js";

/**
 * Each quantity as a polynomial in the rows' parameters; null where it is none, because of a division that doesn't
 * simplify.
 */
export function quantityPolynomials(network: CompiledNetwork): (Polynomial | null)[] {
  const polynomials = new Polynomials();
  const values = valuePolynomials(network, polynomials);
  return network.quantities.map((quantity) => evaluate(quantity, values, polynomials));
}

/** The values that linear forms refer to: the nodes' probabilities, then the rows' entries. */
function valuePolynomials(network: CompiledNetwork, polynomials: Polynomials): (index: number) => Polynomial {
  const known = new Map<number, Polynomial>();
  return (index) => {
    let value = known.get(index);
    if (value === undefined) {
      const entry = index - network.nodeCount;
      value =
        entry < 0 ? nodePolynomial(network, index, polynomials) : polynomials.entry(entry >> 1, (entry & 1) as 0 | 1);
      known.set(index, value);
    }
    return value;
  };
}

const nodePolynomial = (network: CompiledNetwork, node: number, polynomials: Polynomials): Polynomial =>
  pathOf(network, node).reduce(
    (product, { row, entry }) => polynomials.multiply(polynomials.entry(row, entry), product),
    polynomials.one,
  );

/** The program run on polynomials; the twin of `evaluateQuantity`, which runs it on numbers. */
function evaluate(
  quantity: CompiledQuantity,
  values: (index: number) => Polynomial,
  polynomials: Polynomials,
): Polynomial | null {
  const stack: (Polynomial | null)[] = [];
  for (const step of quantity.program) {
    if (step.op === "form") {
      stack.push(formPolynomial(step.form, values, polynomials));
      continue;
    }
    // Only guards against rounding.
    if (step.op === "probability") continue;
    const right = stack.pop() as Polynomial | null;
    const left = stack.pop() as Polynomial | null;
    stack.push(left && right && polynomials[step.op](left, right));
  }
  return stack[0];
}

function formPolynomial(form: LinearForm, values: (index: number) => Polynomial, polynomials: Polynomials): Polynomial {
  let sum = polynomials.constant(form.constant);
  form.indices.forEach((index, t) => {
    sum = polynomials.add(sum, polynomials.multiply(polynomials.constant(form.weights[t]), values(index)));
  });
  return sum;
}
