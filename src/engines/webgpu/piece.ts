import { interruption } from "../../errors.js";
import type { RunOptions } from "../engine.js";
import type { Buffers } from "./buffers.js";
import { bufferUsage, type Device, mapMode } from "./device.js";
import type { DispatchSize } from "./dispatch-size.js";
import { roundIterations } from "./layout.js";
import { PassClock } from "./pass-clock.js";

export type Stage = "upload" | "warmup" | "sampling" | "summary" | "readBack";

/** Seconds that each stage took, added up over pieces. */
export class StageTimes {
  /** By the host's clock, waiting included. */
  readonly host: Record<Stage, number> = { upload: 0, warmup: 0, sampling: 0, summary: 0, readBack: 0 };
  /** By the GPU's own, of its compute passes alone; 0 where it has none. */
  readonly gpu: Record<Stage, number> = { upload: 0, warmup: 0, sampling: 0, summary: 0, readBack: 0 };
}

export interface PieceOptions extends Pick<RunOptions, "warmup" | "draws" | "seed" | "level" | "signal"> {
  /** Told the share of the work that is done. */
  readonly onShare?: (share: number) => void;
  readonly times?: StageTimes;
}

/** Refits that are on the GPU at once: samples and summarises them, dispatch by dispatch. */
export class Piece {
  private stage: Stage = "upload";

  constructor(
    private readonly device: Device,
    private readonly buffers: Buffers,
    private readonly refits: number,
    private readonly size: DispatchSize,
    private readonly options: PieceOptions,
  ) {}

  /** @param words the refits' records; @throws RatError (interrupted) between dispatches, (unavailable) on a lost device */
  async sample(words: Uint32Array<ArrayBuffer>): Promise<void> {
    const { warmup, draws } = this.options;
    const { handle } = this.device;
    await this.timed("upload", async () => {
      handle.queue.writeBuffer(this.buffers.records, 0, words);
      await this.dispatch("start", [this.refits], { firstRefit: 0, firstRound: 0, endRound: 0 });
    });
    const warmupRounds = Math.ceil(warmup / roundIterations);
    const rounds = warmupRounds + Math.ceil(draws / roundIterations);
    await this.timed("warmup", () => this.advance(0, warmupRounds, rounds));
    await this.timed("sampling", () => this.advance(warmupRounds, rounds, rounds));
  }

  /** Summaries of all draws: [refits][RESULT_WORDS]. */
  async summarise(): Promise<Float32Array> {
    const { layout } = this.buffers.program;
    await this.timed("summary", async () => {
      this.device.handle.queue.writeBuffer(this.buffers.quantiles, 0, this.quantiles());
      const chunk = Math.max(1, Math.floor(this.size.refits(1, this.refits)));
      for (let first = 0; first < this.refits; first += chunk) {
        const count = Math.min(chunk, this.refits - first);
        await this.dispatch("summarise", [layout.QUANTITIES, count], { firstRefit: first, firstRound: 0, endRound: 0 });
      }
    });
    return this.timed("readBack", async () => {
      const bytes = await this.read(this.buffers.results, this.refits * layout.RESULT_WORDS * 4);
      return new Float32Array(bytes);
    });
  }

  /** All draws, as changes from the reference: [refits][quantities][draws][chains]. */
  async readDraws(): Promise<Float32Array> {
    const { QUANTITIES, CHAINS } = this.buffers.program.layout;
    return new Float32Array(
      await this.read(this.buffers.draws, this.refits * QUANTITIES * CHAINS * this.options.draws * 4),
    );
  }

  /** [refits][STATE_WORDS][chains], after the last draw. */
  async readStates(): Promise<Float32Array> {
    const { STATE_WORDS, CHAINS } = this.buffers.program.layout;
    return new Float32Array(await this.read(this.buffers.states, this.refits * STATE_WORDS * CHAINS * 4));
  }

  private async advance(first: number, end: number, all: number): Promise<void> {
    for (let round = first; round < end; ) {
      const span = this.size.rounds(this.refits, end - round);
      for (let refit = 0; refit < this.refits; ) {
        const count = this.size.refits(span, this.refits - refit);
        const begin = performance.now();
        await this.dispatch("advance", [count], { firstRefit: refit, firstRound: round, endRound: round + span });
        this.size.measured(count * span, (performance.now() - begin) / 1000);
        refit += count;
        this.options.onShare?.((round * this.refits + span * refit) / (all * this.refits));
      }
      round += span;
    }
  }

  private async dispatch(
    stage: "start" | "advance" | "summarise",
    groups: readonly [number, number?],
    range: { firstRefit: number; firstRound: number; endRound: number },
  ): Promise<void> {
    const { signal, seed, warmup, draws } = this.options;
    if (signal?.aborted) throw interruption(signal);
    const { handle } = this.device;
    await this.device.checked(`shader ${stage}`, () => {
      const { firstRefit, firstRound, endRound } = range;
      const job = [seed % 2 ** 32, Math.floor(seed / 2 ** 32), firstRefit, firstRound, endRound, warmup, draws, 0];
      handle.queue.writeBuffer(this.buffers.job, 0, Uint32Array.from(job));
      const encoder = handle.createCommandEncoder();
      const clock = this.options.times && this.device.hasTimestamps ? new PassClock(handle) : null;
      const pass = encoder.beginComputePass(clock?.descriptor);
      pass.setPipeline(this.buffers.program.pipelines[stage]);
      pass.setBindGroup(0, this.buffers.group);
      pass.dispatchWorkgroups(...groups);
      pass.end();
      clock?.resolve(encoder);
      handle.queue.submit([encoder.finish()]);
      return clock === null ? handle.queue.onSubmittedWorkDone() : this.clocked(clock);
    });
  }

  /** Ranks (0-based) and fractions of the lower end, the median and the upper end: Hyndman and Fan's type 8. */
  private quantiles(): Uint32Array<ArrayBuffer> {
    const { draws, level } = this.options;
    const count = draws * this.buffers.program.layout.CHAINS;
    const words = new Uint32Array(12);
    const fractions = new Float32Array(words.buffer, 32);
    [(1 - level) / 2, 0.5, (1 + level) / 2].forEach((probability, i) => {
      const place = Math.min(Math.max(probability * (count + 1 / 3) - 2 / 3, 0), count - 1);
      const rank = Math.floor(place);
      words[2 * i] = rank;
      words[2 * i + 1] = Math.min(rank + 1, count - 1);
      fractions[i] = place - rank;
    });
    return words;
  }

  private async read(source: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    const { handle } = this.device;
    return this.device.checked("reading back", async () => {
      const target = handle.createBuffer({ size: bytes, usage: bufferUsage.mapRead | bufferUsage.copyDestination });
      const encoder = handle.createCommandEncoder();
      encoder.copyBufferToBuffer(source, 0, target, 0, bytes);
      handle.queue.submit([encoder.finish()]);
      await target.mapAsync(mapMode.read);
      const copy = target.getMappedRange().slice(0);
      target.destroy();
      return copy;
    });
  }

  private async clocked(clock: PassClock): Promise<void> {
    const seconds = await clock.seconds();
    if (this.options.times) this.options.times.gpu[this.stage] += seconds;
  }

  private async timed<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    this.stage = stage;
    const begin = performance.now();
    const result = await work();
    if (this.options.times) this.options.times.host[stage] += (performance.now() - begin) / 1000;
    return result;
  }
}
