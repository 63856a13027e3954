import type { CompiledNetwork, CompiledQuantity, LinearForm } from "../../network/compiled.js";
import { type Polynomial, Polynomials } from "./polynomial.js";

/**
 * Each quantity as a polynomial in the rows' parameters; null where it is none, because of a division that doesn't
 * simplify.
 */
export function quantityPolynomials(network: CompiledNetwork): (Polynomial | null)[] {
  const polynomials = new Polynomials();
  return network.quantities.map((quantity) => evaluate(quantity, network, polynomials));
}

/** The program run on polynomials; the twin of `evaluateQuantity`, which runs it on numbers. */
function evaluate(quantity: CompiledQuantity, network: CompiledNetwork, polynomials: Polynomials): Polynomial | null {
  const stack: (Polynomial | null)[] = [];
  for (const step of quantity.program) {
    if (step.op === "form") {
      stack.push(formPolynomial(step.form, network, polynomials));
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

/** Summed up the tree, family by family, as a node's probability is a factor of all below it. */
function formPolynomial(form: LinearForm, network: CompiledNetwork, polynomials: Polynomials): Polynomial {
  const { familyParent, familyRow, nodeCount } = network;
  let constant = polynomials.constant(form.constant);
  const sums = new Array<Polynomial>(nodeCount).fill(polynomials.zero);
  form.indices.forEach((index, t) => {
    const weight = polynomials.constant(form.weights[t]);
    if (index < nodeCount) {
      sums[index] = weight;
      return;
    }
    const entry = index - nodeCount;
    const value = polynomials.entry(entry >> 1, (entry & 1) as 0 | 1);
    constant = polynomials.add(constant, polynomials.multiply(weight, value));
  });
  for (let f = familyParent.length - 1; f >= 0; f--) {
    for (const entry of [0, 1] as const) {
      const below = polynomials.multiply(polynomials.entry(familyRow[f], entry), sums[2 * f + 1 + entry]);
      sums[familyParent[f]] = polynomials.add(sums[familyParent[f]], below);
    }
  }
  return polynomials.add(constant, sums[0]);
}
