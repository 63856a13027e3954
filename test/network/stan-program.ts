/**
 * A program that `emitStan` wrote, run in JavaScript: its statements are translated word by word, with no knowledge of the
 * network. Throws for anything but the few statements that such a program has.
 */
export interface StanProgram {
  readonly dataLength: number;
  readonly parameters: readonly string[];
  readonly quantities: readonly string[];
  /** Log density on the logits of the parameters, with the Jacobian that Stan adds; and the quantities. */
  readonly run: (theta: ArrayLike<number>, n: ArrayLike<number>) => { target: number; values: number[] };
}

const blocks = ["data", "parameters", "transformed parameters", "model", "generated quantities"] as const;

export function readStan(text: string): StanProgram {
  const code = text.replace(/\/\/.*$/gm, "");
  const found = [...code.matchAll(/^([a-z ]+) \{\n([^{}]*)^\}\n/gm)];
  const names = found.map(([, name]) => name);
  if (JSON.stringify(names) !== JSON.stringify(blocks)) throw new Error(`blocks ${names.join(", ")}`);
  if (code.replace(/^([a-z ]+) \{\n([^{}]*)^\}\n/gm, "").trim() !== "") throw new Error("text outside of the blocks");
  const [data, parameters, transformed, model, generated] = found.map(([, , body]) =>
    body
      .split(";")
      .map((statement) => statement.replace(/\s+/g, " ").trim())
      .filter((statement) => statement !== ""),
  );
  const declared = new Set<string>();
  const declare = (name: string): string => {
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || name.endsWith("__")) throw new Error(`${name} is no name in Stan`);
    if (declared.has(name)) throw new Error(`${name} is declared twice`);
    declared.add(name);
    return name;
  };
  const match = (statement: string, pattern: RegExp): readonly string[] => {
    const parts = pattern.exec(statement);
    if (parts === null) throw new Error(`can't read ${statement}`);
    return parts.slice(1);
  };
  /** Arithmetic over names that are declared: in JavaScript indices count from 0. */
  const arithmetic = (expression: string): string => {
    for (const [name] of expression.matchAll(/[A-Za-z_]\w*/g)) {
      if (!declared.has(name) && name !== "log" && !/^e\d*$/.test(name)) throw new Error(`${name} is not declared`);
    }
    if (/[^\w\s.+\-*/()[\]]/.test(expression)) throw new Error(`can't read ${expression}`);
    return expression.replace(/\bn\[(\d+)\]/g, (_, i) => `n[${i} - 1]`).replace(/\blog\(/g, "Math.log(");
  };
  const assignment = (statement: string): string => {
    const [name, expression] = match(statement, /^real (\w+) = (.+)$/);
    const value = arithmetic(expression);
    return `const ${declare(name)} = ${value};`;
  };

  const [dataLength] = match(data.join(";"), /^array\[(\d+)\] real<lower=0> n$/);
  declare("n");
  const parameterNames = parameters.map((statement) => {
    const [name] = match(statement, /^real<lower=0, upper=1> (\w+)$/);
    return declare(name);
  });
  const lines = [`const [${parameterNames.join(", ")}] = theta;`, "let target = 0;", ...transformed.map(assignment)];
  for (const statement of model) {
    if (statement.startsWith("target += ")) lines.push(`target += ${arithmetic(statement.slice(10))};`);
    else {
      const [name, a, b] = match(statement, /^(\w+) ~ beta\(([\d.e+-]+), ([\d.e+-]+)\)$/);
      if (!parameterNames.includes(name)) throw new Error(`${name} is no parameter`);
      // Its normalising constant dropped, as by Stan; then the Jacobian of the logit.
      lines.push(`target += (${a} - 1) * Math.log(${name}) + (${b} - 1) * Math.log(1 - ${name});`);
      lines.push(`target += Math.log(${name}) + Math.log(1 - ${name});`);
    }
  }
  const quantities = generated.map((statement) => match(statement, /^real (\w+) = /)[0]);
  lines.push(...generated.map(assignment), `return { target, values: [${quantities.join(", ")}] };`);
  const run = new Function("theta", "n", lines.join("\n")) as StanProgram["run"];
  return { dataLength: Number(dataLength), parameters: parameterNames, quantities, run };
}
