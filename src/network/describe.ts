import { compileNetwork } from "./compile.js";
import type { CompiledNetwork } from "./compiled.js";
import type { NetworkDefinition, QuantityDefinition, Setting } from "./definition.js";
import { isAmbiguous } from "./fold.js";
import { policyOf } from "./policy.js";

/** What `rat network check --json` prints: a network as it was understood. */
export interface NetworkDocument {
  readonly network: string;
  readonly variables: readonly NetworkVariable[];
  readonly rows: readonly NetworkRow[];
  /** The assignments that can happen. */
  readonly cells: readonly Setting[];
  readonly patterns: NetworkPatterns;
  /** Shares of adherence, as `--policy` reads them; null where there is no policy. */
  readonly policy: string | null;
  readonly quantities: readonly QuantityDefinition[];
  /** Shown with `--quantities all`. */
  readonly moreQuantities: readonly QuantityDefinition[];
}

export interface NetworkVariable {
  readonly name: string;
  readonly levels: readonly string[];
  readonly spellings: Readonly<Record<string, string>>;
  readonly parents: readonly string[];
}

/** One row of a conditional probability table. */
export interface NetworkRow {
  readonly name: string;
  readonly variable: string;
  /** Settings of the parents that it is for; none: all. */
  readonly when: readonly Setting[];
  /** Dirichlet concentrations in the order of the levels; null where the level is certain. */
  readonly prior: readonly number[] | null;
  /** The certain level; null where there is none. */
  readonly always: string | null;
}

export interface NetworkPatterns {
  /** What records can show, told apart by what it leaves possible. @asType integer @minimum 0 */
  readonly count: number;
  /** Those that cost a logarithm in every step of a sampler: what is seen fits several branches of the tree of cells. */
  readonly ambiguous: readonly Setting[];
}

/** @throws RatError (data) for what is no network */
export function describeNetwork(definition: NetworkDefinition): NetworkDocument {
  const { name, variables, quantities, moreQuantities = [] } = definition;
  const network = compileNetwork(definition, { quantities: [...quantities, ...moreQuantities] });
  return {
    network: name,
    variables: variables.map(({ name, levels, spellings = {}, parents = [] }) => ({
      name,
      levels,
      spellings,
      parents,
    })),
    rows: variables.flatMap((variable) =>
      variable.rows.map((row) => ({
        name: row.name,
        variable: variable.name,
        when: row.when ?? [],
        prior: row.always === undefined ? (row.prior ?? variable.levels.map(() => 1)) : null,
        always: row.always ?? null,
      })),
    ),
    cells: network.cells.map(({ levels }) => settingOf(network, levels)),
    patterns: {
      count: network.patterns.length,
      ambiguous: network.patterns.filter(isAmbiguous).map(({ levels }) => settingOf(network, levels)),
    },
    policy: policyOf(definition),
    quantities,
    moreQuantities,
  };
}

/** The levels that are seen, by variable. */
const settingOf = ({ variables }: CompiledNetwork, levels: readonly number[]): Setting =>
  Object.fromEntries(variables.flatMap(({ name, levels: all }, v) => (levels[v] < 0 ? [] : [[name, all[levels[v]]]])));
