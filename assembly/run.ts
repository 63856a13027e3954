// The run block: what the host asks for, where results go.
import {
  CHAIN_FIELDS,
  RUN_APPROXIMATION,
  RUN_CHAIN_RESULTS,
  RUN_CHAINS,
  RUN_DRAWS,
  RUN_FIRST_CHAIN,
  RUN_LOWER,
  RUN_OUTPUT,
  RUN_REFIT,
  RUN_SEED,
  RUN_SUMMARIES,
  RUN_TRACE,
  RUN_UPPER,
  RUN_WARMUP,
  RUN_WORKSPACE,
  STREAM_CHAIN,
  TRACE_ACCEPTANCE,
  TRACE_DEPTH,
  TRACE_ENERGY,
  TRACE_FIELDS,
  TRACE_LEAPFROGS,
  TRACE_LOG_DENSITY,
  TRACE_OUTCOME,
  TRACE_STEP_SIZE,
} from "./layout";
import { Stream } from "./philox";

@unmanaged
@final
export class Run {
  @inline private at(offset: usize): u32 {
    return load<u32>(changetype<usize>(this) + offset);
  }
  get firstChain(): u32 {
    return this.at(RUN_FIRST_CHAIN);
  }
  get chains(): u32 {
    return this.at(RUN_CHAINS);
  }
  get warmup(): i32 {
    return this.at(RUN_WARMUP);
  }
  get draws(): u32 {
    return this.at(RUN_DRAWS);
  }
  get workspace(): usize {
    return this.at(RUN_WORKSPACE);
  }
  get approximation(): usize {
    return this.at(RUN_APPROXIMATION);
  }
  get summaries(): usize {
    return this.at(RUN_SUMMARIES);
  }
  get wantsTrace(): bool {
    return this.at(RUN_TRACE) != 0;
  }
  get lower(): f64 {
    return load<f64>(changetype<usize>(this), RUN_LOWER);
  }
  get upper(): f64 {
    return load<f64>(changetype<usize>(this), RUN_UPPER);
  }

  /** Starts the stream of one of the run's chains, numbered from 0. */
  start(stream: Stream, chain: u32): void {
    const seed = load<u64>(changetype<usize>(this), RUN_SEED);
    const refit = load<u64>(changetype<usize>(this), RUN_REFIT);
    stream.start(seed, refit, STREAM_CHAIN, this.firstChain + chain);
  }

  /** Draws of one quantity: f64 [chains][draws]. */
  @inline drawsOf(quantity: usize): usize {
    return this.at(RUN_OUTPUT) + ((quantity * this.chains * this.draws) << 3);
  }

  /** Keeps a chain's draw of every quantity; `values` are f64, `stride` bytes apart. */
  @inline keep(values: usize, stride: usize, quantities: usize, chain: u32, draw: u32): void {
    const step = (<usize>(this.chains * this.draws)) << 3;
    let to = <usize>this.at(RUN_OUTPUT) + ((<usize>(chain * this.draws + draw)) << 3);
    for (let q: usize = 0; q < quantities; q++) {
      store<f64>(to, load<f64>(values + q * stride));
      to += step;
    }
  }

  /** f64 [CHAIN_FIELDS] of a chain. */
  resultsOf(chain: u32): usize {
    return this.at(RUN_CHAIN_RESULTS) + <usize>(chain * CHAIN_FIELDS) * 8;
  }

  trace(
    chain: u32,
    draw: u32,
    logDensity: f64,
    acceptance: f64,
    stepSize: f64,
    depth: i32,
    leapfrogs: i32,
    outcome: i32,
    energy: f64,
  ): void {
    const to = <usize>this.at(RUN_TRACE) + <usize>((chain * this.draws + draw) * TRACE_FIELDS) * 8;
    store<f64>(to + 8 * TRACE_LOG_DENSITY, logDensity);
    store<f64>(to + 8 * TRACE_ACCEPTANCE, acceptance);
    store<f64>(to + 8 * TRACE_STEP_SIZE, stepSize);
    store<f64>(to + 8 * TRACE_DEPTH, <f64>depth);
    store<f64>(to + 8 * TRACE_LEAPFROGS, <f64>leapfrogs);
    store<f64>(to + 8 * TRACE_OUTCOME, <f64>outcome);
    store<f64>(to + 8 * TRACE_ENERGY, energy);
  }
}
