// Quantities: postfix programs over the node probabilities and row entries of one draw.

import { add, broadcast, constant, div, mul, sub } from "./lanes";
import {
  QUANTITY_COUNT,
  QUANTITY_PROGRAMS,
  QUANTITY_STACK,
  STEP_ADD,
  STEP_FORM,
  STEP_MULTIPLY,
  STEP_PROBABILITY,
  STEP_SUBTRACT,
} from "./layout";

const LEAST: f64 = 2.2250738585072014e-308;
const GREATEST: f64 = 0.9999999999999999;

@unmanaged
@final
export class Quantities {
  @inline get count(): usize {
    return load<u32>(changetype<usize>(this), QUANTITY_COUNT);
  }

  /** Evaluates every quantity into out, [count] lanes. */
  @inline evaluate<V>(values: usize, out: usize): void {
    const stack = <usize>load<u32>(changetype<usize>(this), QUANTITY_STACK);
    let step = <usize>load<u32>(changetype<usize>(this), QUANTITY_PROGRAMS);
    const end = out + this.count * sizeof<V>();
    for (let result = out; result < end; result += sizeof<V>()) {
      let top = stack;
      let steps = load<u32>(step);
      step += 8;
      for (; steps > 0; steps--) {
        const code = load<u32>(step);
        if (code == STEP_FORM) {
          const terms = step + 16;
          step = terms + (<usize>load<u32>(step, 4) << 4);
          store<V>(top, form<V>(values, terms, step));
          top += sizeof<V>();
        } else if (code == STEP_PROBABILITY) {
          step += 8;
          store<V>(top - sizeof<V>(), inside<V>(load<V>(top - sizeof<V>())));
        } else {
          step += 8;
          top -= sizeof<V>();
          const left = load<V>(top - sizeof<V>());
          store<V>(top - sizeof<V>(), arithmetic<V>(code, left, load<V>(top)));
        }
      }
      store<V>(result, load<V>(stack));
    }
  }
}

/** constant + sum of weight * value; the constant stands before the terms. */
@inline function form<V>(values: usize, terms: usize, end: usize): V {
  let sum = broadcast<V>(terms - 8);
  for (let term = terms; term < end; term += 16) {
    const value = load<V>(values + <usize>load<u32>(term) * sizeof<V>());
    sum = add<V>(sum, mul<V>(broadcast<V>(term + 8), value));
  }
  return sum;
}

@inline function arithmetic<V>(code: u32, left: V, right: V): V {
  if (code == STEP_ADD) return add<V>(left, right);
  if (code == STEP_SUBTRACT) return sub<V>(left, right);
  if (code == STEP_MULTIPLY) return mul<V>(left, right);
  return div<V>(left, right);
}

/** Into the open interval (0, 1): rounding must not make a probability certain. NaN stays NaN. */
@inline function inside<V>(p: V): V {
  const least = constant<V>(LEAST);
  const greatest = constant<V>(GREATEST);
  if (isVector<V>()) return f64x2.pmax(f64x2.pmin(p, greatest), least);
  else return p < least ? least : p > greatest ? greatest : p;
}
