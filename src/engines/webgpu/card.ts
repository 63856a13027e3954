import { RatError } from "../../errors.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { Buffers, capacityOf } from "./buffers.js";
import { type Device, openDevice } from "./device.js";
import { DispatchSize } from "./dispatch-size.js";
import { type Layout, layoutOf } from "./layout.js";
import { Program } from "./program.js";

/** What a piece of work on the GPU is given. */
export interface Desk {
  readonly device: Device;
  readonly buffers: Buffers;
  readonly size: DispatchSize;
}

/** Programs that stay compiled; each holds little, and compiling one takes seconds. */
const mostPrograms = 8;

/**
 * The GPU through all its devices: compiles each program once, keeps the buffers of the last one, lets one piece of work
 * on at a time, and opens a new device where one is lost.
 */
export class Card {
  private programs: Program[] = [];
  private buffers: Buffers | null = null;
  private size: DispatchSize;
  /** Settled when the last piece of work that was let on is over. */
  private last: Promise<unknown> = Promise.resolve();
  private isDisposed = false;

  private constructor(private device: Device) {
    this.size = new DispatchSize(device.isSoftware);
  }

  /** @throws RatError (unavailable) where there is no adapter */
  static async open(): Promise<Card> {
    return new Card(await openDevice());
  }

  get words(): string {
    return this.device.words;
  }

  get isSoftware(): boolean {
    return this.device.isSoftware;
  }

  /** The device of the moment: for tests that take it away. */
  get handle(): GPUDevice {
    return this.device.handle;
  }

  /** Refits at once. @throws RatError (unavailable) where not even one fits */
  capacity(layout: Layout, draws: number): number {
    const capacity = capacityOf(this.device, layout, draws);
    if (capacity > 0) return capacity;
    throw new RatError(
      "unavailable",
      `${layout.CHAINS} x ${draws} draws of ${layout.QUANTITIES} quantities don't fit this GPU's buffers ` +
        `(${this.device.limits.maxStorageBufferBindingSize} bytes); lower --draws, or use --engine wasm`,
    );
  }

  /** Compiles what work on a network needs. @param onLost as of `use` */
  async prepare(network: CompiledNetwork, chains: number, onLost: (reason: string) => void): Promise<void> {
    await this.inTurn(() => this.surviving(() => this.program(network, chains), onLost));
  }

  /**
   * Lets work on the GPU in its turn, with buffers for `refits` refits. Where the device is lost it is done again on a new
   * one, once.
   * @param onLost told why
   * @throws RatError (unavailable) where the GPU is gone for good
   */
  use<T>(
    wanted: { network: CompiledNetwork; chains: number; draws: number; refits: number },
    work: (desk: Desk) => Promise<T>,
    onLost: (reason: string) => void,
  ): Promise<T> {
    const once = async (): Promise<T> => {
      const program = await this.program(wanted.network, wanted.chains);
      const buffers = await this.buffersFor(program, wanted.refits, wanted.draws);
      return work({ device: this.device, buffers, size: this.size });
    };
    return this.inTurn(() => this.surviving(once, onLost));
  }

  dispose(): void {
    this.isDisposed = true;
    this.device.dispose();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => {
      if (this.isDisposed) throw new RatError("usage", "the engine has been disposed of");
      return work();
    });
    this.last = turn.catch(() => {});
    return turn;
  }

  private async surviving<T>(work: () => Promise<T>, onLost: (reason: string) => void): Promise<T> {
    for (let tries = 0; tries < 2; tries++) {
      if (this.device.isLost) {
        onLost(await this.device.lost);
        await this.reopen();
      }
      try {
        return await work();
      } catch (error) {
        // What fails on its way to being lost is told before the loss itself.
        if (!(await isLostSoon(this.device))) throw error;
      }
    }
    const reason = await this.device.lost;
    onLost(reason);
    throw new RatError("unavailable", `the GPU was lost twice: ${reason}; use --engine wasm`);
  }

  private async program(network: CompiledNetwork, chains: number): Promise<Program> {
    const known = this.programs.find((p) => p.network === network && p.layout.CHAINS === chains);
    if (known !== undefined) return known;
    const program = await Program.compile(this.device, network, layoutOf(network, chains));
    for (const old of this.programs.splice(0, this.programs.length + 1 - mostPrograms)) {
      if (this.buffers?.program === old) this.freeBuffers();
      old.destroy();
    }
    this.programs.push(program);
    return program;
  }

  private async buffersFor(program: Program, refits: number, draws: number): Promise<Buffers> {
    const { buffers } = this;
    if (buffers?.program === program && buffers.drawsPerChain === draws && buffers.refits >= refits) return buffers;
    this.freeBuffers();
    const made = await this.device.checked("buffers", () => new Buffers(this.device, program, refits, draws));
    this.buffers = made;
    return made;
  }

  private freeBuffers(): void {
    this.buffers?.destroy();
    this.buffers = null;
  }

  /** All that belonged to the lost device is gone with it. */
  private async reopen(): Promise<void> {
    this.programs = [];
    this.buffers = null;
    this.device = await openDevice();
    if (this.isDisposed) this.device.dispose();
    this.size = new DispatchSize(this.device.isSoftware);
  }
}

/** Whether a device is lost, or is heard of to be in a moment. */
async function isLostSoon(device: Device): Promise<boolean> {
  if (!device.isLost) await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, 50))]);
  return device.isLost;
}
