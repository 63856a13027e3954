import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RatError } from "../../src/errors.js";
import { nodeProbabilities } from "../../src/network/density.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { evaluateQuantity } from "../../src/network/quantity.js";

/** theta_R, theta_A-, theta_A+, theta_T-, theta_T+: sums of few powers of 2, so that their arithmetic is exact. */
const theta = [1 / 4, 1 / 8, 3 / 4, 1 / 2, 5 / 8];

function evaluate(expression: string): number {
  const network = compileNetwork(rat, { quantities: [{ name: "q", expression }] });
  const entries = theta.flatMap((t) => [1 - t, t]);
  return evaluateQuantity(network.quantities[0], [...nodeProbabilities(network, entries), ...entries]);
}

describe("arithmetic", () => {
  it.each([
    ["1", 1],
    ["1 - 2 - 3", -4],
    ["1 - (2 - 3)", 2],
    ["2 + 3 * 4", 14],
    ["2 * 3 + 4", 10],
    ["(2 + 3) * 4", 20],
    ["8 / 4 / 2", 1],
    ["8 / (4 / 2)", 4],
    ["8 ÷ 4 × 2", 4],
    ["5 − 2 − 1", 2],
    ["-2", -2],
    ["−2", -2],
    ["--2", 2],
    ["-2 * 3", -6],
    ["2 * -3", -6],
    ["2 / -4", -0.5],
    ["1 - -1", 2],
    ["1 − −1", 2],
    ["-(1 + 2) * 2", -6],
    ["-1 - 1", -2],
    ["((((7))))", 7],
    ["2*(3+4)*5", 70],
    [".5 + 1.", 1.5],
    ["1e-3 * 1E3", 1],
    ["2.5e+1", 25],
    [" \t1\n+ 2 ", 3],
    ["P(R=1)", 1 / 4],
    ["P ( R = 1 )", 1 / 4],
    ["P(R=0, A=1)", 3 / 32],
    ["P(R=0 & A=1)", 3 / 32],
    ["P(A=1,R=0)", 3 / 32],
    ["P(A=1|R=0)", 1 / 8],
    ["P(T=1 | A=0, R=1)", 5 / 8],
    ["P(T=1 | R=1 & A=0)", 5 / 8],
    ["P(A=1 | R=0) - P(A=1 | R=1)", -5 / 8],
    ["P(A=1 | R=1) / P(A=1 | R=0)", 6],
    ["P(R=1, A=1) / P(R=1)", 3 / 4],
    ["1 - P(R=1)", 3 / 4],
    ["-P(R=1)", -1 / 4],
    ["2 * P(R=1) * 2", 1],
    ["P(R=1) * P(R=1)", 1 / 16],
    ["P(R=1) / 4", 1 / 16],
    ["1 / P(R=1)", 4],
    ["(1 - P(A=1 | R=0)) * (1 - P(R=1))", 21 / 32],
    ["P(R=1) - P(R=1)", 0],
    ["P(R=1) + P(R=0)", 1],
    ["P(G=1)", 3 / 32 + 5 / 128],
    ["P(G=1 | R=0)", 1 / 8],
    ["0 * P(R=1)", 0],
  ])("%s = %d, exactly", (expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });
});

type Tree =
  | { kind: "leaf"; text: string; value: number }
  | { kind: "negative"; inner: Tree }
  | { kind: "+" | "-" | "*"; left: Tree; right: Tree }
  /** By a power of 2, which is exact. */
  | { kind: "/"; left: Tree; power: number };

const leaves: { text: string; value: number }[] = [
  { text: "P(R=1)", value: 1 / 4 },
  { text: "P(A=1 | R=0)", value: 1 / 8 },
  { text: "P(R=0, A=0, T=1)", value: (3 / 4) * (7 / 8) * (1 / 2) },
  { text: "P(A=1)", value: (3 / 4) * (1 / 8) + (1 / 4) * (3 / 4) },
  { text: "2", value: 2 },
  { text: "0.5", value: 0.5 },
  { text: "3", value: 3 },
];

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    fc.constantFrom(...leaves).map((leaf): Tree => ({ kind: "leaf", ...leaf })),
    tie("tree").map((inner): Tree => ({ kind: "negative", inner })),
    fc
      .tuple(fc.constantFrom("+" as const, "-" as const, "*" as const), tie("tree"), tie("tree"))
      .map(([kind, left, right]): Tree => ({ kind, left, right })),
    fc.tuple(tie("tree"), fc.constantFrom(0.5, 2, 4)).map(([left, power]): Tree => ({ kind: "/", left, power })),
  ),
}));

function treeValue(t: Tree): number {
  if (t.kind === "leaf") return t.value;
  if (t.kind === "negative") return -treeValue(t.inner);
  if (t.kind === "/") return treeValue(t.left) / t.power;
  const [left, right] = [treeValue(t.left), treeValue(t.right)];
  return t.kind === "+" ? left + right : t.kind === "-" ? left - right : left * right;
}

/** With no more parentheses than precedence needs: sums 0, products 1, factors 2. */
function textOf(t: Tree, needed = 0): string {
  if (t.kind === "leaf") return t.text;
  if (t.kind === "negative") return `-${textOf(t.inner, 2)}`;
  const level = t.kind === "+" || t.kind === "-" ? 0 : 1;
  const right = t.kind === "/" ? String(t.power) : textOf(t.right, level + 1);
  const text = `${textOf(t.left, level)} ${t.kind} ${right}`;
  return level < needed ? `(${text})` : text;
}

describe("any arithmetic", () => {
  it("with no more parentheses than needed has the value of its tree, exactly", () => {
    fc.assert(
      fc.property(tree, (t) => {
        expect(evaluate(textOf(t)) + 0).toBe(treeValue(t) + 0);
      }),
      { numRuns: 500 },
    );
  });

  it("reads − × ÷ as - * /", () => {
    fc.assert(
      fc.property(tree, (t) => {
        const text = textOf(t);
        const typeset = text.replaceAll("-", "−").replaceAll("*", "×").replaceAll("/", "÷");
        expect(evaluate(typeset)).toBe(evaluate(text));
      }),
    );
  });
});

describe("a malformed expression is refused with its position:", () => {
  it.each<[string, number, string]>([
    ["", 1, "expected a number, P(…) or a parenthesis"],
    ["   ", 4, "expected a number, P(…) or a parenthesis"],
    ["* 2", 1, "expected a number, P(…) or a parenthesis"],
    ["1 +", 4, "expected a number, P(…) or a parenthesis"],
    ["1 + * 2", 5, "expected a number, P(…) or a parenthesis"],
    ["()", 2, "expected a number, P(…) or a parenthesis"],
    ["Q(R=1)", 1, "expected a number, P(…) or a parenthesis"],
    ["P[R=1]", 1, "expected a number, P(…) or a parenthesis"],
    ["p(R=1)", 1, "expected a number, P(…) or a parenthesis"],
    ["2 3", 3, "expected an operator or the end"],
    ["1..2", 3, "expected an operator or the end"],
    ["1e", 2, "expected an operator or the end"],
    ["P(R=1))", 7, "expected an operator or the end"],
    ["P(R=1) P(A=1)", 8, "expected an operator or the end"],
    ["P(R=1) = 1", 8, "expected an operator or the end"],
    ["(1 + 2", 7, 'expected ")"'],
    ["P(R=1", 6, 'expected ")"'],
    ["P(R=1 A=0)", 7, 'expected ")"'],
    ["P(R=1 | A=0 | T=1)", 13, 'expected ")"'],
    ["P(R)", 4, 'expected "="'],
    ["P(R 1)", 5, 'expected "="'],
    ["P()", 3, "expected the name of a variable"],
    ["P(=1)", 3, "expected the name of a variable"],
    ["P(1=R)", 3, "expected the name of a variable"],
    ["P(R=1,)", 7, "expected the name of a variable"],
    ["P(R=1 |)", 8, "expected the name of a variable"],
    ["P(| R=1)", 3, "expected the name of a variable"],
    ["P(R=)", 5, "expected a level of R"],
    ["P(R==1)", 5, "expected a level of R"],
    ["P(Q=1)", 3, "unknown variable Q (there are R, A, T, G)"],
    ["2 + P(R=1 | Z=0)", 13, "unknown variable Z (there are R, A, T, G)"],
    ["P(R=2)", 3, 'R has no level "2" (its levels: 0, 1)'],
    ["P(R=1, A=yes)", 8, 'A has no level "yes" (its levels: 0, 1)'],
    ["P(G=2)", 3, 'G has the levels 0 and 1, not "2"'],
    ["P(R=1 | A=1, T=1)", 1, "the condition can never hold"],
    ["1 + P(R=1 | R=0, R=1)", 5, "the condition can never hold"],
    ["1 / 0", 3, "division by zero"],
    ["P(R=1) ÷ (2 − 2)", 8, "division by zero"],
    ["1 / (P(R=1) - P(R=1))", 3, "division by zero"],
    ["P(A=1) / P(A=1, T=1)", 8, "division by zero"],
    ["1 + 1e999", 5, "1e999 is too large"],
  ])("%j at %d", (expression, position, problem) => {
    const error = refusal(() => evaluate(expression));
    expect(error.exitCode).toBe(64);
    const caret = `${" ".repeat(position - 1)}^`;
    expect(error.message).toBe(`${problem} at position ${position}\n  ${expression}\n  ${caret}`);
  });
});

function refusal(work: () => unknown): RatError {
  try {
    work();
  } catch (error) {
    if (error instanceof RatError) return error;
    throw error;
  }
  throw new Error("expected a RatError, but nothing was thrown");
}
