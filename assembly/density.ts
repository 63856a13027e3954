// The log posterior density of any compiled network on the logits of its rows, and its gradient: one sweep down the tree
// of cells, one loop over the ambiguous patterns, one sweep up (Fisher's identity; see src/network/density.ts for the
// same in plain TypeScript). V = f64: one chain; V = v128: two chains.

import { add, broadcast, constant, div, mul, sub } from "./lanes";
import {
  NETWORK_EXPECTED,
  NETWORK_FAMILIES,
  NETWORK_FAMILY_TABLE,
  NETWORK_FIXED,
  NETWORK_PATTERN_TABLE,
  NETWORK_PATTERNS,
  NETWORK_ROWS,
  NETWORK_SOFTPLUS,
  NETWORK_TOTALS,
  NETWORK_VALUES,
} from "./layout";
import { log, logisticBelow, storeLogistic } from "./special";

@unmanaged
@final
export class Table {
  @inline get rows(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_ROWS);
  }
  @inline get patterns(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_PATTERNS);
  }
  get patternTable(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_PATTERN_TABLE);
  }
  get fixed(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_FIXED);
  }
  /** Expected records of each node, after `gradient` with patterns. */
  get expected(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_EXPECTED);
  }
  /** Of one chain: softplus(-|x|) a row, after `gradient`. */
  @inline get softplus(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_SOFTPLUS);
  }
  /** Probability of each ambiguous pattern, after `gradient`. */
  get totals(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_TOTALS);
  }
  /** Node probabilities, then row entries: what quantities are made of. */
  @inline get values(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_VALUES);
  }
  @inline get families(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_FAMILIES);
  }
  @inline get familyTable(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_FAMILY_TABLE);
  }

  /** Address of the entries, which stand behind the nodes. */
  @inline entries<V>(): usize {
    return this.values + (2 * this.families + 1) * sizeof<V>();
  }

  /** Standard deviations of the logits, [rows], were the fixed counts all there is: variance 1/success + 1/failure. */
  guessScale(scale: usize): void {
    let fixed = this.fixed;
    for (let k: usize = 0; k < this.rows; k++) {
      store<f64>(scale + 8 * k, Math.sqrt(1.0 / load<f64>(fixed) + 1.0 / load<f64>(fixed, 8)));
      fixed += 16;
    }
  }

  /**
   * Where a chain may start in dimension k, u in (-1, 1): far apart, so that R-hat can see what chains disagree on. Logits
   * on (-2, 2), as in Stan, around the mode of the fixed counts, or ten standard deviations where that is less: from
   * further away warmup can fail to find a posterior so narrow.
   */
  start(k: usize, u: f64): f64 {
    const fixed = this.fixed + 16 * k;
    const success = load<f64>(fixed);
    const failure = load<f64>(fixed, 8);
    return Math.log(success / failure) + spread(success, failure) * u;
  }

  /** Row entries and node probabilities at x. */
  @inline down<V>(x: usize): void {
    this.rowEntries<V>(x);
    this.nodes<V>();
  }

  @inline rowEntries<V>(x: usize): void {
    let entries = this.entries<V>();
    let softplus = this.softplus;
    const end = x + this.rows * sizeof<V>();
    for (let at = x; at < end; at += sizeof<V>()) {
      if (isVector<V>()) {
        storeLogistic(v128.load(at), entries);
      } else {
        const logit = load<f64>(at);
        const below = logisticBelow(Math.abs(logit));
        const small = f64x2.extract_lane(below, 1);
        const positive = logit >= 0.0;
        store<f64>(entries, positive ? small : 1.0 - small);
        store<f64>(entries, positive ? 1.0 - small : small, 8);
        store<f64>(softplus, f64x2.extract_lane(below, 0));
        softplus += 8;
      }
      entries += 2 * sizeof<V>();
    }
  }

  @inline private nodes<V>(): void {
    const values = this.values;
    const entries = this.entries<V>();
    let children = values + sizeof<V>();
    let family = this.familyTable;
    const end = family + this.families * 8;
    store<V>(values, constant<V>(1.0));
    for (; family < end; family += 8) {
      const p = load<V>(values + <usize>load<u32>(family) * sizeof<V>());
      const row = entries + <usize>load<u32>(family, 4) * (2 * sizeof<V>());
      store<V>(children, mul<V>(p, load<V>(row)));
      store<V>(children, mul<V>(p, load<V>(row, sizeof<V>())), sizeof<V>());
      children += 2 * sizeof<V>();
    }
  }

  /** Completes the values after `gradient`, which leaves the nodes out where no pattern needs them. */
  @inline complete<V>(): void {
    if (this.patterns == 0) this.nodes<V>();
  }

  /** Gradient at x into g, both [rows]. Leaves the values of x, and what `logDensity` needs. */
  @inline gradient<V>(x: usize, g: usize): void {
    this.rowEntries<V>(x);
    this.fixedGradient<V>(g);
    if (this.patterns == 0) return;
    this.nodes<V>();
    this.clearExpected<V>();
    this.spread<V>();
    this.up<V>(g);
  }

  /** success * (1 - theta) - failure * theta: prior and fixed counts, Jacobian included. */
  @inline private fixedGradient<V>(g: usize): void {
    let fixed = this.fixed;
    let entries = this.entries<V>();
    const end = g + this.rows * sizeof<V>();
    for (let at = g; at < end; at += sizeof<V>()) {
      const success = mul<V>(broadcast<V>(fixed), load<V>(entries));
      store<V>(at, sub<V>(success, mul<V>(broadcast<V>(fixed + 8), load<V>(entries, sizeof<V>()))));
      fixed += 16;
      entries += 2 * sizeof<V>();
    }
  }

  @inline private clearExpected<V>(): void {
    const end = this.expected + (2 * this.families + 1) * sizeof<V>();
    for (let at = this.expected; at < end; at += sizeof<V>()) store<V>(at, constant<V>(0.0));
  }

  /**
   * Spreads each ambiguous pattern's records over its nodes in proportion to their probabilities, adding to what is
   * expected there.
   */
  @inline spread<V>(): void {
    const values = this.values;
    const expected = this.expected;
    let pattern = this.patternTable;
    let totals = this.totals;
    for (let m = this.patterns; m > 0; m--) {
      const first = pattern + 12;
      const end = first + ((<usize>load<u32>(pattern, 8)) << 2);
      let total = load<V>(values + <usize>load<u32>(first) * sizeof<V>());
      for (let at = first + 4; at < end; at += 4) {
        total = add<V>(total, load<V>(values + <usize>load<u32>(at) * sizeof<V>()));
      }
      store<V>(totals, total);
      const share = div<V>(broadcast<V>(pattern), total);
      for (let at = first; at < end; at += 4) {
        const node = <usize>load<u32>(at) * sizeof<V>();
        store<V>(expected + node, add<V>(load<V>(expected + node), mul<V>(share, load<V>(values + node))));
      }
      totals += sizeof<V>();
      pattern = (end + 7) & ~7;
    }
  }

  /** Adds up expected records, child to parent, and each family's part of its row's gradient. */
  @inline private up<V>(g: usize): void {
    const expected = this.expected;
    const entries = this.entries<V>();
    const start = this.familyTable;
    let family = start + this.families * 8;
    let children = expected + (2 * this.families + 1) * sizeof<V>();
    while (family > start) {
      family -= 8;
      children -= 2 * sizeof<V>();
      const e0 = load<V>(children);
      const e1 = load<V>(children, sizeof<V>());
      const parent = expected + <usize>load<u32>(family) * sizeof<V>();
      store<V>(parent, add<V>(load<V>(parent), add<V>(e0, e1)));
      const row = <usize>load<u32>(family, 4) * sizeof<V>();
      const theta = entries + 2 * row;
      const part = sub<V>(mul<V>(e1, load<V>(theta)), mul<V>(e0, load<V>(theta, sizeof<V>())));
      store<V>(g + row, add<V>(load<V>(g + row), part));
    }
  }

  /** Log density at the x that `gradient` was last called with. */
  @inline logDensity<V>(x: usize): V {
    return add<V>(this.fixedLogDensity<V>(x), this.patternLogDensity<V>());
  }

  @inline private fixedLogDensity<V>(x: usize): V {
    let fixed = this.fixed;
    let sum = constant<V>(0.0);
    const end = x + this.rows * sizeof<V>();
    let left = isVector<V>() ? this.entries<V>() + 16 : this.softplus;
    for (let at = x; at < end; at += sizeof<V>()) {
      sum = add<V>(sum, rowLogDensity<V>(at, left, fixed));
      fixed += 16;
      left += isVector<V>() ? 32 : 8;
    }
    return sum;
  }

  @inline patternLogDensity<V>(): V {
    let sum = constant<V>(0.0);
    let pattern = this.patternTable;
    let totals = this.totals;
    for (let m = this.patterns; m > 0; m--) {
      sum = add<V>(sum, mul<V>(broadcast<V>(pattern), log<V>(load<V>(totals))));
      totals += sizeof<V>();
      pattern = (pattern + 12 + ((<usize>load<u32>(pattern, 8)) << 2) + 7) & ~7;
    }
    return sum;
  }
}

/**
 * success log theta + failure log(1 - theta) of one row, whose success and failure are at `fixed`, from what `rowEntries`
 * left: of two chains theta, of one chain softplus(-|x|).
 */
@inline export function rowLogDensity<V>(x: usize, left: usize, fixed: usize): V {
  const success = broadcast<V>(fixed);
  const failure = broadcast<V>(fixed + 8);
  const logit = load<V>(x);
  if (isVector<V>()) {
    // log(1 - theta) = log theta - x. Where theta is clamped, log theta is x; anywhere else it is less.
    const logTheta = f64x2.pmin(log<V>(load<V>(left)), logit);
    return sub<V>(mul<V>(add<V>(success, failure), logTheta), mul<V>(failure, logit));
  } else {
    // With a = |x|: the larger entry is exp(-softplus(-a)), the smaller one exp(-a - softplus(-a)).
    const smaller = logit < 0.0 ? success : failure;
    return <V>(-(success + failure) * load<f64>(left) - smaller * Math.abs(logit));
  }
}

/** How far from the mode of a row with these counts a chain may start. */
export function spread(success: f64, failure: f64): f64 {
  return Math.min(2.0, 10.0 * Math.sqrt(1.0 / success + 1.0 / failure));
}
