import type { CompiledQuantity, LinearForm, QuantityOperation } from "./compiled.js";
import type { QuantityDefinition } from "./definition.js";
import type { EventWeights } from "./events.js";
import { type Expression, expressionError, parseExpression } from "./expression.js";
import { combine, isConstant, linearForm, weightedNodes } from "./forms.js";
import { type CellTree, parentOf } from "./tree.js";

/** A subexpression: still one linear form, or already a program. */
type Value = { form: LinearForm } | { program: QuantityOperation[] };

/** Compiles an expression; whatever is linear in probabilities and row entries becomes one form. */
export function compileQuantity(
  definition: QuantityDefinition,
  tree: CellTree,
  events: EventWeights,
): CompiledQuantity {
  const { name, expression } = definition;
  const compiler = new QuantityCompiler(expression, tree, events);
  const parsed = parseExpression(expression);
  const program = toProgram(compiler.compile(parsed));
  if (!program.every((step) => step.op !== "form" || isComputable(step.form))) {
    throw expressionError(expression, 1, "a number in it is too large to be computed");
  }
  const certain = isCertain({ program });
  if (parsed.kind !== "probability") return { name, expression, program, probability: null };
  if (!certain) program.push({ op: "probability" });
  const probability = {
    event: events.of(parsed.event, expression),
    condition: events.of(parsed.condition, expression),
    variables: events.variablesOf([...parsed.event, ...parsed.condition]),
  };
  return { name, expression, program, probability };
}

class QuantityCompiler {
  constructor(
    private readonly text: string,
    private readonly tree: CellTree,
    private readonly events: EventWeights,
  ) {}

  compile(expression: Expression): Value {
    switch (expression.kind) {
      case "number":
        return { form: linearForm(expression.value, []) };
      case "probability":
        return this.probability(expression);
      default:
        return this.arithmetic(expression);
    }
  }

  private arithmetic(e: Extract<Expression, { left: Expression }>): Value {
    const left = this.compile(e.left);
    const right = this.compile(e.right);
    if ("form" in left && "form" in right) {
      const [x, y] = [left.form, right.form];
      if (e.kind === "add") return { form: combine(1, x, 1, y) };
      if (e.kind === "subtract") return { form: combine(1, x, -1, y) };
      if (e.kind === "multiply" && isConstant(x)) return { form: combine(x.constant, y, 0, x) };
      if (e.kind === "multiply" && isConstant(y)) return { form: combine(y.constant, x, 0, y) };
      if (e.kind === "divide" && isConstant(y)) {
        if (y.constant === 0) throw expressionError(this.text, e.position, "division by zero");
        return { form: combine(1 / y.constant, x, 0, y) };
      }
    }
    return { program: [...toProgram(left), ...toProgram(right), { op: e.kind }] };
  }

  private probability(e: Extract<Expression, { kind: "probability" }>): Value {
    const condition = this.events.of(e.condition, this.text);
    const both = this.events.of([...e.event, ...e.condition], this.text);
    const numerator = weightedNodes(this.tree, both);
    const denominator = weightedNodes(this.tree, condition);
    if (denominator.length === 0) throw expressionError(this.text, e.position, "the condition can never hold");
    if (numerator.length === 0) return { form: linearForm(0, []) };
    if (both.every((weight, c) => weight === condition[c])) return { form: linearForm(1, []) };
    const form = linearForm(
      0,
      numerator.map(({ node, weight }) => ({ index: node, weight })),
    );
    if (denominator.length === 1 && denominator[0].weight === 1) {
      const given = denominator[0].node;
      if (given === 0) return { form };
      // One child of the condition's node: the conditional probability is an entry of its row, without a division.
      if (numerator.length === 1 && numerator[0].weight === 1 && parentOf(this.tree, numerator[0].node) === given) {
        const index = entryIndex(this.tree, numerator[0].node);
        return { form: linearForm(0, [{ index, weight: 1 }]) };
      }
    }
    const given = linearForm(
      0,
      denominator.map(({ node, weight }) => ({ index: node, weight })),
    );
    return { program: [{ op: "form", form }, { op: "form", form: given }, { op: "divide" }] };
  }
}

const isComputable = ({ constant, weights }: LinearForm): boolean => [constant, ...weights].every(Number.isFinite);

const toProgram = (value: Value): QuantityOperation[] =>
  "form" in value ? [{ op: "form", form: value.form }] : value.program;

/** Index, among a quantity's values, of the row entry that leads to a node: entries follow the nodes. */
function entryIndex(tree: CellTree, node: number): number {
  const family = (node - 1) >> 1;
  return 2 * tree.familyParent.length + 1 + 2 * tree.familyRow[family] + ((node - 1) & 1);
}

/** Whether a quantity is a number that no parameter changes. */
export const isCertain = ({ program }: Pick<CompiledQuantity, "program">): boolean =>
  program.every((step) => step.op !== "form" || isConstant(step.form));

/** The smallest normal number and the last one below 1. */
export const leastProbability = 2 ** -1022;
export const greatestProbability = 1 - 2 ** -53;

/** The value of a quantity at given values (nodes, then entries); the plain twin of the kernel's evaluation. */
export function evaluateQuantity(quantity: CompiledQuantity, values: ArrayLike<number>): number {
  const stack: number[] = [];
  for (const step of quantity.program) {
    if (step.op === "form") {
      let sum = step.form.constant;
      step.form.indices.forEach((index, t) => {
        sum += step.form.weights[t] * values[index];
      });
      stack.push(sum);
      continue;
    }
    if (step.op === "probability") {
      stack.push(Math.min(Math.max(stack.pop() as number, leastProbability), greatestProbability));
      continue;
    }
    const right = stack.pop() as number;
    const left = stack.pop() as number;
    if (step.op === "add") stack.push(left + right);
    else if (step.op === "subtract") stack.push(left - right);
    else if (step.op === "multiply") stack.push(left * right);
    else stack.push(left / right);
  }
  return stack[0];
}
