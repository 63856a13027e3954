// Stan's warmup schedule as a pure function of the iteration (Stan Reference Manual, "Automatic parameter tuning"; the
// default of stan-dev/stan src/stan/mcmc/windowed_adaptation.hpp): a first fast interval, slow windows that double, a
// last fast interval. A warmup too short for them is cut 15 % / 75 % / 10 % with one slow window, which here does
// update the metric. Below 20 iterations only the step size adapts.
import { WARMUP_COLLECT, WARMUP_UPDATE } from "./layout";

const FIRST: i32 = 75;
const LAST: i32 = 50;
const WINDOW: i32 = 25;
const LEAST: i32 = 20;

/** What to do after `iteration` (from 0) of `total` besides adapting the step size: bits WARMUP_COLLECT, WARMUP_UPDATE. */
export function warmupActions(iteration: i32, total: i32): i32 {
  if (total < LEAST) return 0;
  const short = total < FIRST + WINDOW + LAST;
  const start = short ? (total * 15) / 100 : FIRST;
  const end = total - (short ? total / 10 : LAST);
  if (iteration < start || iteration >= end) return 0;
  let size = short ? end - start : WINDOW;
  let close = windowEnd(start + size, size, end);
  while (close <= iteration) {
    size *= 2;
    close = windowEnd(close + size, size, end);
  }
  return iteration == close - 1 ? WARMUP_COLLECT | WARMUP_UPDATE : WARMUP_COLLECT;
}

/** The end of a window of `size`; one that would leave less than the next one needs takes all that is left. */
function windowEnd(close: i32, size: i32, end: i32): i32 {
  return close + 2 * size > end ? end : close;
}
