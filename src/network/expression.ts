import { usageError } from "../errors.js";

/** Variable and level names that must hold together. */
export type Event = readonly { readonly variable: string; readonly level: string; readonly position: number }[];

export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "probability"; readonly event: Event; readonly condition: Event; readonly position: number }
  | {
      readonly kind: "add" | "subtract" | "multiply" | "divide";
      readonly left: Expression;
      readonly right: Expression;
      readonly position: number;
    };

const operators: Record<string, "add" | "subtract" | "multiply" | "divide"> = {
  "+": "add",
  "-": "subtract",
  "−": "subtract",
  "*": "multiply",
  "×": "multiply",
  "/": "divide",
  "÷": "divide",
};

/**
 * Parses arithmetic over numbers, P(event) and P(event | condition); events are `R=1` joined by `,` or `&`.
 * @throws RatError (usage) that names the position, counted from 1.
 */
export function parseExpression(text: string): Expression {
  const parser = new Parser(text);
  const expression = parser.sum();
  parser.end();
  return expression;
}

/** Parentheses and signs within each other; nobody writes as many, and each takes a place on the stack. */
const deepest = 200;

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  sum(): Expression {
    let left = this.product();
    for (let op = this.operator("+-−"); op; op = this.operator("+-−")) {
      left = { kind: operators[op.symbol], left, right: this.product(), position: op.position };
    }
    return left;
  }

  end(): void {
    this.skipBlanks();
    if (this.at < this.text.length) this.fail("expected an operator or the end");
  }

  private product(): Expression {
    let left = this.factor();
    for (let op = this.operator("*×/÷"); op; op = this.operator("*×/÷")) {
      left = { kind: operators[op.symbol], left, right: this.factor(), position: op.position };
    }
    return left;
  }

  private factor(): Expression {
    if (++this.depth > deepest) this.fail(`more than ${deepest} parentheses or signs within each other`);
    const factor = this.factorInside();
    this.depth--;
    return factor;
  }

  private factorInside(): Expression {
    const minus = this.operator("-−");
    if (minus) {
      const zero: Expression = { kind: "number", value: 0 };
      return { kind: "subtract", left: zero, right: this.factor(), position: minus.position };
    }
    if (this.accept("(")) {
      const inner = this.sum();
      this.expect(")");
      return inner;
    }
    const position = this.at + 1;
    const number = this.match(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) {
      if (!Number.isFinite(Number(number))) throw expressionError(this.text, position, `${number} is too large`);
      return { kind: "number", value: Number(number) };
    }
    if (this.match(/P(?=\s*\()/y) === undefined) this.fail("expected a number, P(…) or a parenthesis");
    this.expect("(");
    const event = this.event();
    const condition = this.accept("|") ? this.event() : [];
    this.expect(")");
    return { kind: "probability", event, condition, position };
  }

  private event(): Event {
    const parts = [this.assignment()];
    while (this.accept(",") || this.accept("&")) parts.push(this.assignment());
    return parts;
  }

  private assignment(): Event[number] {
    this.skipBlanks();
    const position = this.at + 1;
    const variable = this.match(/[\p{L}_][\p{L}\p{N}_]*/uy);
    if (variable === undefined) this.fail("expected the name of a variable");
    this.expect("=");
    const level = this.match(/[^\s,&|()=]+/y);
    if (level === undefined) this.fail(`expected a level of ${variable}`);
    return { variable: variable as string, level: level as string, position };
  }

  private operator(symbols: string): { symbol: string; position: number } | undefined {
    this.skipBlanks();
    const symbol = this.text[this.at];
    if (symbol === undefined || !symbols.includes(symbol)) return undefined;
    this.at++;
    return { symbol, position: this.at };
  }

  private accept(symbol: string): boolean {
    return this.operator(symbol) !== undefined;
  }

  private expect(symbol: string): void {
    if (!this.accept(symbol)) this.fail(`expected ${JSON.stringify(symbol)}`);
  }

  private match(pattern: RegExp): string | undefined {
    this.skipBlanks();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private skipBlanks(): void {
    while (this.at < this.text.length && /\s/.test(this.text[this.at])) this.at++;
  }

  private fail(problem: string): never {
    this.skipBlanks();
    throw expressionError(this.text, this.at + 1, problem);
  }
}

/** The message shows the expression with a caret under the place. */
export function expressionError(text: string, position: number, problem: string): Error {
  return usageError(`${problem} at position ${position}\n  ${text}\n  ${" ".repeat(position - 1)}^`);
}
