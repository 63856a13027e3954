import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isConstant, type Polynomial, Polynomials } from "../../src/engines/exact/polynomial.js";
import { quantityPolynomials } from "../../src/engines/exact/symbolic.js";
import { nodeProbabilities, rowEntries } from "../../src/network/density.js";
import { compileNetwork, type NetworkDefinition, rat, ratJudge, ratJudgeIndependent } from "../../src/network/index.js";
import { evaluateQuantity } from "../../src/network/quantity.js";
import { anyDefinition } from "../support/arbitrary.js";

/** The value of a polynomial at theta by row, straight from its definition. */
function valueAt(p: Polynomial, theta: ArrayLike<number>): number {
  if (isConstant(p)) return p.constant;
  const degree = p.children.length - 1;
  const t = theta[p.row];
  return p.children.reduce((sum, child, i) => sum + t ** i * (1 - t) ** (degree - i) * valueAt(child, theta), 0);
}

const polynomialsOf = (definition: NetworkDefinition, ...expressions: string[]) =>
  quantityPolynomials(compileNetwork(definition, { quantities: expressions.map((e) => ({ name: e, expression: e })) }));

const same = (definition: NetworkDefinition, one: string, other: string): void => {
  const [left, right] = polynomialsOf(definition, one, other);
  expect(left, `${one} is a polynomial`).not.toBeNull();
  expect(left, `${one} = ${other}`).toBe(right);
};

interface Step {
  operator: "add" | "subtract" | "multiply";
  row: number;
  entry: 0 | 1;
  scale: number;
}

/** How a random polynomial in three rows is built: a walk of additions and multiplications of entries and constants. */
const recipe: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    operator: fc.constantFrom<Step["operator"]>("add", "subtract", "multiply"),
    row: fc.nat({ max: 2 }),
    entry: fc.constantFrom<0 | 1>(0, 1),
    scale: fc.integer({ min: -3, max: 3 }),
  }),
  { maxLength: 7 },
);

function follow(polynomials: Polynomials, steps: readonly Step[]): Polynomial {
  return steps.reduce<Polynomial>((p, { operator, row, entry, scale }) => {
    const factor = polynomials.multiply(polynomials.constant(scale), polynomials.entry(row, entry));
    return polynomials[operator](p, polynomials.add(factor, polynomials.constant(1)));
  }, polynomials.one);
}

describe("polynomials as diagrams", () => {
  const point = [0.3, 0.8, 0.45];

  it("are a ring: one object for equal polynomials, with the values of sums and products", () => {
    const property = fc.property(recipe, recipe, recipe, (a, b, c) => {
      const ring = new Polynomials();
      const [p, q, r] = [follow(ring, a), follow(ring, b), follow(ring, c)];
      expect(ring.add(p, q)).toBe(ring.add(q, p));
      expect(ring.multiply(p, q)).toBe(ring.multiply(q, p));
      expect(ring.add(ring.add(p, q), r)).toBe(ring.add(p, ring.add(q, r)));
      expect(ring.multiply(p, ring.add(q, r))).toBe(ring.add(ring.multiply(p, q), ring.multiply(p, r)));
      expect(ring.subtract(p, p)).toBe(ring.zero);
      const [x, y] = [valueAt(p, point), valueAt(q, point)];
      const size = 1 + Math.abs(x) + Math.abs(y);
      expect(Math.abs(valueAt(ring.add(p, q), point) - (x + y)) / size).toBeLessThan(1e-12);
      expect(Math.abs(valueAt(ring.multiply(p, q), point) - x * y) / size ** 2).toBeLessThan(1e-12);
    });
    fc.assert(property, { seed: 3, numRuns: 200 });
  });

  it("divide where the quotient is a polynomial, and only there", () => {
    const ring = new Polynomials();
    const [x, y] = [ring.entry(0, 1), ring.entry(1, 1)];
    const sum = ring.add(x, ring.multiply(ring.constant(2), y));
    const square = ring.multiply(sum, sum);
    expect(ring.divide(square, sum)).toBe(sum);
    expect(ring.divide(ring.multiply(square, y), square)).toBe(y);
    expect(ring.divide(ring.zero, sum)).toBe(ring.zero);
    expect(ring.divide(x, ring.constant(4))).toBe(ring.multiply(ring.constant(0.25), x));
    expect(ring.divide(sum, square)).toBeNull();
    expect(ring.divide(ring.one, x)).toBeNull();
    expect(ring.divide(ring.add(square, ring.one), sum)).toBeNull();
    expect(ring.divide(x, ring.zero)).toBeNull();
    const property = fc.property(recipe, recipe, (a, b) => {
      const p = follow(ring, a);
      const q = follow(ring, b);
      fc.pre(q !== ring.zero);
      expect(ring.divide(ring.multiply(p, q), q)).toBe(p);
    });
    fc.assert(property, { seed: 4, numRuns: 200 });
  });
});

describe("quantities as polynomials", () => {
  it("see that equal things are equal", () => {
    same(rat, "P(R=1) + P(R=0)", "1");
    same(rat, "P(A=1 | R=1) * P(R=1) + P(A=1, R=0)", "P(A=1)");
    same(rat, "P(T=1 | R=1)", "P(T=1 | R=1, A=0) * P(A=0 | R=1)");
    same(rat, "P(T=1, R=1) / P(R=1)", "P(T=1 | R=1)");
    same(rat, "P(T=1) * P(A=1) / P(T=1)", "P(A=1)");
    same(rat, "P(R=1) * P(R=1) + P(R=1) * P(R=0)", "P(R=1)");
    same(rat, "P(G=1, A=0)", "P(R=1, T=1)");
    same(ratJudgeIndependent, "P(R_J=1 | R=1, A=0)", "P(R_J=1 | R=1)");
    same(ratJudgeIndependent, "P(T_J=1 | T=1, R=0)", "P(T_J=1 | T=1)");
  });

  it("are none where a division doesn't simplify", () => {
    expect(polynomialsOf(rat, "P(R=1 | T=1)", "P(A=1) / P(T=1)", "1 / P(R=1)")).toEqual([null, null, null]);
    expect(polynomialsOf(ratJudge(), "P(T_J=1 | T=1)", "1 + P(R=1) * P(T_J=1 | T=0)")).toEqual([null, null]);
  });

  it("find a row behind a condition that doesn't matter to it", () => {
    const [tprR, fprT] = polynomialsOf(ratJudgeIndependent, "P(R_J=1 | R=1)", "P(T_J=1 | T=0)");
    const { rowNames } = compileNetwork(ratJudgeIndependent);
    expect([...tprR!.rows].map((row) => rowNames[row])).toEqual(["TPR_R"]);
    expect([...fprT!.rows].map((row) => rowNames[row])).toEqual(["FPR_T"]);
  });

  it("stay small: a chain of seven variables has a diagram as long as the chain", () => {
    const chain: NetworkDefinition = {
      name: "chain",
      variables: Array.from({ length: 7 }, (_, v) => ({
        name: `V${v}`,
        levels: ["0", "1"],
        parents: v === 0 ? [] : [`V${v - 1}`],
        rows: v === 0 ? [{ name: "v0" }] : ["0", "1"].map((l) => ({ name: `v${v}${l}`, when: [{ [`V${v - 1}`]: l }] })),
      })),
      quantities: [{ name: "last", expression: "P(V6=1)" }],
    };
    const nodes = new Set<Polynomial>();
    const visit = (p: Polynomial): void => {
      if (nodes.has(p)) return;
      nodes.add(p);
      p.children.forEach(visit);
    };
    visit(quantityPolynomials(compileNetwork(chain))[0]!);
    expect(nodes.size).toBeLessThanOrEqual(2 * 7 + 2);
  });

  it("have the values of their programs, for any network", () => {
    const logits = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 60, maxLength: 60 });
    const property = fc.property(anyDefinition, logits, (definition, at) => {
      const { variables } = definition;
      const last = variables[variables.length - 1];
      const event = `${last.name}=${last.levels[0]}`;
      const expressions = [
        "P(G=1)",
        `P(${event})`,
        `P(G=1) * P(${event}) - 2 * P(G=1)`,
        `(1 - P(${event})) * P(G=0) * P(G=1)`,
      ];
      const network = compileNetwork(definition, {
        quantities: expressions.map((expression) => ({ name: expression, expression })),
      });
      const entries = rowEntries(at.slice(0, network.rowNames.length));
      const values = [...nodeProbabilities(network, entries), ...entries];
      const theta = network.rowNames.map((_, row) => entries[2 * row + 1]);
      quantityPolynomials(network).forEach((polynomial, q) => {
        expect(polynomial).not.toBeNull();
        const expected = evaluateQuantity(network.quantities[q], values);
        expect(Math.abs(valueAt(polynomial!, theta) - expected)).toBeLessThan(1e-12);
      });
    });
    fc.assert(property, { seed: 5, numRuns: 100 });
  });
});
