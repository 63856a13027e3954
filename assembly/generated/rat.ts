// Generated from the network "rat" by src/network/emit-assembly.ts (npm run generate). Do not edit.
import { rowLogDensity, Table } from "../density";
import { add, broadcast, constant, div, mul, negate, sub } from "../lanes";
import { exp, logisticBelow } from "../special";

@unmanaged
@final
export class Rat {
  @inline private get table(): Table {
    return changetype<Table>(changetype<usize>(this));
  }
  @inline get rows(): usize {
    return 5;
  }
  @inline get values(): usize {
    return this.table.values;
  }
  guessScale(scale: usize): void {
    this.table.guessScale(scale);
  }
  start(k: usize, u: f64): f64 {
    return this.table.start(k, u);
  }

  /** Node probabilities from the entries that `gradient` left. */
  @inline complete<V>(): void {
    const values = this.values;
    const entries = values + 11 * sizeof<V>();
    const rest0 = load<V>(entries, 0 * sizeof<V>());
    const theta0 = load<V>(entries, 1 * sizeof<V>());
    const rest1 = load<V>(entries, 2 * sizeof<V>());
    const theta1 = load<V>(entries, 3 * sizeof<V>());
    const rest2 = load<V>(entries, 4 * sizeof<V>());
    const theta2 = load<V>(entries, 5 * sizeof<V>());
    const rest3 = load<V>(entries, 6 * sizeof<V>());
    const theta3 = load<V>(entries, 7 * sizeof<V>());
    const rest4 = load<V>(entries, 8 * sizeof<V>());
    const theta4 = load<V>(entries, 9 * sizeof<V>());
    store<V>(values, constant<V>(1.0));
    const p1 = rest0;
    const p2 = theta0;
    const p3 = mul<V>(p1, rest1);
    const p4 = mul<V>(p1, theta1);
    const p5 = mul<V>(p2, rest2);
    const p6 = mul<V>(p2, theta2);
    const p7 = mul<V>(p3, rest3);
    const p8 = mul<V>(p3, theta3);
    const p9 = mul<V>(p5, rest4);
    const p10 = mul<V>(p5, theta4);
    store<V>(values, p1, 1 * sizeof<V>());
    store<V>(values, p2, 2 * sizeof<V>());
    store<V>(values, p3, 3 * sizeof<V>());
    store<V>(values, p4, 4 * sizeof<V>());
    store<V>(values, p5, 5 * sizeof<V>());
    store<V>(values, p6, 6 * sizeof<V>());
    store<V>(values, p7, 7 * sizeof<V>());
    store<V>(values, p8, 8 * sizeof<V>());
    store<V>(values, p9, 9 * sizeof<V>());
    store<V>(values, p10, 10 * sizeof<V>());
  }

  /** Row entries and node probabilities at x. */
  @inline down<V>(x: usize): void {
    this.table.rowEntries<V>(x);
    this.complete<V>();
  }

  /** Gradient at x into g, both [5]. */
  @inline gradient<V>(x: usize, g: usize): void {
    const values = this.values;
    const entries = values + 11 * sizeof<V>();
    const fixed = this.table.fixed;
    const one = constant<V>(1.0);
    const zero = constant<V>(0.0);
    let rest0 = zero;
    let theta0 = zero;
    let rest1 = zero;
    let theta1 = zero;
    let rest2 = zero;
    let theta2 = zero;
    let rest3 = zero;
    let theta3 = zero;
    let rest4 = zero;
    let theta4 = zero;
    if (isVector<V>()) {
      const u0 = exp<V>(negate<V>(load<V>(x, 0)));
      theta0 = div<V>(one, add<V>(one, u0));
      rest0 = mul<V>(u0, theta0);
      const u1 = exp<V>(negate<V>(load<V>(x, 16)));
      theta1 = div<V>(one, add<V>(one, u1));
      rest1 = mul<V>(u1, theta1);
      const u2 = exp<V>(negate<V>(load<V>(x, 32)));
      theta2 = div<V>(one, add<V>(one, u2));
      rest2 = mul<V>(u2, theta2);
      const u3 = exp<V>(negate<V>(load<V>(x, 48)));
      theta3 = div<V>(one, add<V>(one, u3));
      rest3 = mul<V>(u3, theta3);
      const u4 = exp<V>(negate<V>(load<V>(x, 64)));
      theta4 = div<V>(one, add<V>(one, u4));
      rest4 = mul<V>(u4, theta4);
    } else {
      const softplus = this.table.softplus;
      const x0 = load<f64>(x, 0);
      const below0 = logisticBelow(Math.abs(x0));
      const small0 = f64x2.extract_lane(below0, 1);
      store<f64>(softplus, f64x2.extract_lane(below0, 0), 0);
      rest0 = <V>(x0 >= 0.0 ? small0 : 1.0 - small0);
      theta0 = <V>(x0 >= 0.0 ? 1.0 - small0 : small0);
      const x1 = load<f64>(x, 8);
      const below1 = logisticBelow(Math.abs(x1));
      const small1 = f64x2.extract_lane(below1, 1);
      store<f64>(softplus, f64x2.extract_lane(below1, 0), 8);
      rest1 = <V>(x1 >= 0.0 ? small1 : 1.0 - small1);
      theta1 = <V>(x1 >= 0.0 ? 1.0 - small1 : small1);
      const x2 = load<f64>(x, 16);
      const below2 = logisticBelow(Math.abs(x2));
      const small2 = f64x2.extract_lane(below2, 1);
      store<f64>(softplus, f64x2.extract_lane(below2, 0), 16);
      rest2 = <V>(x2 >= 0.0 ? small2 : 1.0 - small2);
      theta2 = <V>(x2 >= 0.0 ? 1.0 - small2 : small2);
      const x3 = load<f64>(x, 24);
      const below3 = logisticBelow(Math.abs(x3));
      const small3 = f64x2.extract_lane(below3, 1);
      store<f64>(softplus, f64x2.extract_lane(below3, 0), 24);
      rest3 = <V>(x3 >= 0.0 ? small3 : 1.0 - small3);
      theta3 = <V>(x3 >= 0.0 ? 1.0 - small3 : small3);
      const x4 = load<f64>(x, 32);
      const below4 = logisticBelow(Math.abs(x4));
      const small4 = f64x2.extract_lane(below4, 1);
      store<f64>(softplus, f64x2.extract_lane(below4, 0), 32);
      rest4 = <V>(x4 >= 0.0 ? small4 : 1.0 - small4);
      theta4 = <V>(x4 >= 0.0 ? 1.0 - small4 : small4);
    }
    store<V>(entries, rest0, 0 * sizeof<V>());
    store<V>(entries, theta0, 1 * sizeof<V>());
    store<V>(entries, rest1, 2 * sizeof<V>());
    store<V>(entries, theta1, 3 * sizeof<V>());
    store<V>(entries, rest2, 4 * sizeof<V>());
    store<V>(entries, theta2, 5 * sizeof<V>());
    store<V>(entries, rest3, 6 * sizeof<V>());
    store<V>(entries, theta3, 7 * sizeof<V>());
    store<V>(entries, rest4, 8 * sizeof<V>());
    store<V>(entries, theta4, 9 * sizeof<V>());
    if (this.table.patterns == 0) {
      store<V>(g, sub<V>(mul<V>(broadcast<V>(fixed + 0), rest0), mul<V>(broadcast<V>(fixed + 8), theta0)), 0 * sizeof<V>());
      store<V>(g, sub<V>(mul<V>(broadcast<V>(fixed + 16), rest1), mul<V>(broadcast<V>(fixed + 24), theta1)), 1 * sizeof<V>());
      store<V>(g, sub<V>(mul<V>(broadcast<V>(fixed + 32), rest2), mul<V>(broadcast<V>(fixed + 40), theta2)), 2 * sizeof<V>());
      store<V>(g, sub<V>(mul<V>(broadcast<V>(fixed + 48), rest3), mul<V>(broadcast<V>(fixed + 56), theta3)), 3 * sizeof<V>());
      store<V>(g, sub<V>(mul<V>(broadcast<V>(fixed + 64), rest4), mul<V>(broadcast<V>(fixed + 72), theta4)), 4 * sizeof<V>());
      return;
    }
    const p1 = rest0;
    const p2 = theta0;
    const p3 = mul<V>(p1, rest1);
    const p4 = mul<V>(p1, theta1);
    const p5 = mul<V>(p2, rest2);
    const p6 = mul<V>(p2, theta2);
    const p7 = mul<V>(p3, rest3);
    const p8 = mul<V>(p3, theta3);
    const p9 = mul<V>(p5, rest4);
    const p10 = mul<V>(p5, theta4);
    const expected = this.table.expected;
    store<V>(values, p3, 3 * sizeof<V>());
    store<V>(expected, zero, 3 * sizeof<V>());
    store<V>(values, p4, 4 * sizeof<V>());
    store<V>(expected, zero, 4 * sizeof<V>());
    store<V>(values, p5, 5 * sizeof<V>());
    store<V>(expected, zero, 5 * sizeof<V>());
    store<V>(values, p6, 6 * sizeof<V>());
    store<V>(expected, zero, 6 * sizeof<V>());
    store<V>(values, p7, 7 * sizeof<V>());
    store<V>(expected, zero, 7 * sizeof<V>());
    store<V>(values, p8, 8 * sizeof<V>());
    store<V>(expected, zero, 8 * sizeof<V>());
    store<V>(values, p9, 9 * sizeof<V>());
    store<V>(expected, zero, 9 * sizeof<V>());
    store<V>(values, p10, 10 * sizeof<V>());
    store<V>(expected, zero, 10 * sizeof<V>());
    this.table.spread<V>();
    const e9 = load<V>(expected, 9 * sizeof<V>());
    const e10 = load<V>(expected, 10 * sizeof<V>());
    const e7 = load<V>(expected, 7 * sizeof<V>());
    const e8 = load<V>(expected, 8 * sizeof<V>());
    const e5 = add<V>(add<V>(load<V>(expected, 5 * sizeof<V>()), e9), e10);
    const e6 = load<V>(expected, 6 * sizeof<V>());
    const e3 = add<V>(add<V>(load<V>(expected, 3 * sizeof<V>()), e7), e8);
    const e4 = load<V>(expected, 4 * sizeof<V>());
    const e1 = add<V>(e3, e4);
    const e2 = add<V>(e5, e6);
    store<V>(g, sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 0), e2), rest0), mul<V>(add<V>(broadcast<V>(fixed + 8), e1), theta0)), 0 * sizeof<V>());
    store<V>(g, sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 16), e4), rest1), mul<V>(add<V>(broadcast<V>(fixed + 24), e3), theta1)), 1 * sizeof<V>());
    store<V>(g, sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 32), e6), rest2), mul<V>(add<V>(broadcast<V>(fixed + 40), e5), theta2)), 2 * sizeof<V>());
    store<V>(g, sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 48), e8), rest3), mul<V>(add<V>(broadcast<V>(fixed + 56), e7), theta3)), 3 * sizeof<V>());
    store<V>(g, sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 64), e10), rest4), mul<V>(add<V>(broadcast<V>(fixed + 72), e9), theta4)), 4 * sizeof<V>());
  }

  /** Log density at the x that `gradient` was last called with. */
  @inline logDensity<V>(x: usize): V {
    const fixed = this.table.fixed;
    let sum = this.table.patternLogDensity<V>();
    if (isVector<V>()) {
      const entries = this.values + 11 * sizeof<V>();
      sum = add<V>(sum, rowLogDensity<V>(x + 0, entries + 16, fixed + 0));
      sum = add<V>(sum, rowLogDensity<V>(x + 16, entries + 48, fixed + 16));
      sum = add<V>(sum, rowLogDensity<V>(x + 32, entries + 80, fixed + 32));
      sum = add<V>(sum, rowLogDensity<V>(x + 48, entries + 112, fixed + 48));
      sum = add<V>(sum, rowLogDensity<V>(x + 64, entries + 144, fixed + 64));
    } else {
      const softplus = this.table.softplus;
      sum = add<V>(sum, rowLogDensity<V>(x + 0, softplus + 0, fixed + 0));
      sum = add<V>(sum, rowLogDensity<V>(x + 8, softplus + 8, fixed + 16));
      sum = add<V>(sum, rowLogDensity<V>(x + 16, softplus + 16, fixed + 32));
      sum = add<V>(sum, rowLogDensity<V>(x + 24, softplus + 24, fixed + 48));
      sum = add<V>(sum, rowLogDensity<V>(x + 32, softplus + 32, fixed + 64));
    }
    return sum;
  }
}
