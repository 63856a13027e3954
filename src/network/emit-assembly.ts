import type { CompiledNetwork } from "./compiled.js";
import { upwardSweep } from "./emit-sweep.js";
import { touchedNodes } from "./shape.js";

/**
 * A compiled network's density as a straight-line AssemblyScript class, the same numbers as `Table` to rounding: rows and
 * families are unrolled, patterns stay a loop, so that any missingness runs on it. Worth it for small networks alone; large
 * ones spill.
 */
export function emitDensity(network: CompiledNetwork, className: string): string {
  const K = network.rowNames.length;
  const touched = touchedNodes(network);
  return `${header(network.name, className)}
  @inline get rows(): usize {
    return ${K};
  }
${delegates}
  /** Node probabilities from the entries that \`gradient\` left. */
  @inline complete<V>(): void {
    const values = this.values;
    const entries = values + ${network.nodeCount} * sizeof<V>();
${lines(4, [
  ...Array.from({ length: K }, (_, k) => [
    `const rest${k} = load<V>(entries, ${2 * k} * sizeof<V>());`,
    `const theta${k} = load<V>(entries, ${2 * k + 1} * sizeof<V>());`,
  ]).flat(),
  "store<V>(values, constant<V>(1.0));",
  ...nodes(network),
  ...Array.from({ length: network.nodeCount - 1 }, (_, i) => `store<V>(values, p${i + 1}, ${i + 1} * sizeof<V>());`),
])}
  }

  /** Row entries and node probabilities at x. */
  @inline down<V>(x: usize): void {
    this.table.rowEntries<V>(x);
    this.complete<V>();
  }

  /** Gradient at x into g, both [${K}]. */
  @inline gradient<V>(x: usize, g: usize): void {
    const values = this.values;
    const entries = values + ${network.nodeCount} * sizeof<V>();
    const fixed = this.table.fixed;
${rowEntries(K)}
    if (this.table.patterns == 0) {
${lines(
  6,
  Array.from({ length: K }, (_, k) => gradientOf(k, [], [])),
)}
      return;
    }
${lines(4, [
  ...nodes(network),
  "const expected = this.table.expected;",
  ...touched.flatMap((node) => [
    `store<V>(values, p${node}, ${node} * sizeof<V>());`,
    `store<V>(expected, zero, ${node} * sizeof<V>());`,
  ]),
  "this.table.spread<V>();",
  ...up(network, touched),
])}
  }

  /** Log density at the x that \`gradient\` was last called with. */
  @inline logDensity<V>(x: usize): V {
    const fixed = this.table.fixed;
    let sum = this.table.patternLogDensity<V>();
    if (isVector<V>()) {
      const entries = this.values + ${network.nodeCount} * sizeof<V>();
${lines(
  6,
  Array.from(
    { length: K },
    (_, k) => `sum = add<V>(sum, rowLogDensity<V>(x + ${16 * k}, entries + ${32 * k + 16}, fixed + ${16 * k}));`,
  ),
)}
    } else {
      const softplus = this.table.softplus;
${lines(
  6,
  Array.from(
    { length: K },
    (_, k) => `sum = add<V>(sum, rowLogDensity<V>(x + ${8 * k}, softplus + ${8 * k}, fixed + ${16 * k}));`,
  ),
)}
    }
    return sum;
  }
}
`;
}

const header = (name: string, className: string): string =>
  `// Generated from the network "${name}" by src/network/emit-assembly.ts (npm run generate). Do not edit.
import { rowLogDensity, Table } from "../density";
import { add, broadcast, constant, div, mul, negate, sub } from "../lanes";
import { exp, logisticBelow } from "../special";

@unmanaged
@final
export class ${className} {
  @inline private get table(): Table {
    return changetype<Table>(changetype<usize>(this));
  }`;

const delegates = `  @inline get values(): usize {
    return this.table.values;
  }
  guessScale(scale: usize): void {
    this.table.guessScale(scale);
  }
  start(k: usize, u: f64): f64 {
    return this.table.start(k, u);
  }
`;

const lines = (indent: number, all: readonly string[]): string =>
  all.map((line) => " ".repeat(indent) + line).join("\n");

/** 1 - theta and theta of every row, kept in variables and stored. */
function rowEntries(K: number): string {
  const rows = Array.from({ length: K }, (_, k) => k);
  return lines(4, [
    "const one = constant<V>(1.0);",
    "const zero = constant<V>(0.0);",
    ...rows.flatMap((k) => [`let rest${k} = zero;`, `let theta${k} = zero;`]),
    "if (isVector<V>()) {",
    ...rows.flatMap((k) => [
      `  const u${k} = exp<V>(negate<V>(load<V>(x, ${16 * k})));`,
      `  theta${k} = div<V>(one, add<V>(one, u${k}));`,
      `  rest${k} = mul<V>(u${k}, theta${k});`,
    ]),
    "} else {",
    "  const softplus = this.table.softplus;",
    ...rows.flatMap((k) => [
      `  const x${k} = load<f64>(x, ${8 * k});`,
      `  const below${k} = logisticBelow(Math.abs(x${k}));`,
      `  const small${k} = f64x2.extract_lane(below${k}, 1);`,
      `  store<f64>(softplus, f64x2.extract_lane(below${k}, 0), ${8 * k});`,
      `  rest${k} = <V>(x${k} >= 0.0 ? small${k} : 1.0 - small${k});`,
      `  theta${k} = <V>(x${k} >= 0.0 ? 1.0 - small${k} : small${k});`,
    ]),
    "}",
    ...rows.flatMap((k) => [
      `store<V>(entries, rest${k}, ${2 * k} * sizeof<V>());`,
      `store<V>(entries, theta${k}, ${2 * k + 1} * sizeof<V>());`,
    ]),
  ]);
}

/** p of each node: its parent's times the entry that leads to it. */
function nodes({ familyParent, familyRow }: CompiledNetwork): string[] {
  return Array.from(familyParent, (parent, f) =>
    ["rest", "theta"].map((entry, e) => {
      const value = `${entry}${familyRow[f]}`;
      return `const p${2 * f + 1 + e} = ${parent === 0 ? value : `mul<V>(p${parent}, ${value})`};`;
    }),
  ).flat();
}

/** Expected records from the touched nodes upwards, then each row's gradient. */
function up(network: CompiledNetwork, touched: readonly number[]): string[] {
  const spread = (node: number): string => `load<V>(expected, ${node} * sizeof<V>())`;
  const { sums, success, failure } = upwardSweep(network, touched, spread);
  return [
    ...sums.map(({ node, terms }) => `const e${node} = ${sum(terms)};`),
    ...network.rowNames.map((_, k) => gradientOf(k, success[k], failure[k])),
  ];
}

/** (s + E1) (1 - theta) - (f + E0) theta */
function gradientOf(k: number, success: readonly string[], failure: readonly string[]): string {
  const s = sum([`broadcast<V>(fixed + ${16 * k})`, ...success]);
  const f = sum([`broadcast<V>(fixed + ${16 * k + 8})`, ...failure]);
  return `store<V>(g, sub<V>(mul<V>(${s}, rest${k}), mul<V>(${f}, theta${k})), ${k} * sizeof<V>());`;
}

const sum = (terms: readonly string[]): string => terms.reduce((all, term) => `add<V>(${all}, ${term})`);
