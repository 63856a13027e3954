import { bufferUsage, mapMode } from "./device.js";

/** Begin and end, 8 bytes each. */
const bytes = 16;

/** Times one compute pass by the GPU's own clock: the feature timestamp-query. */
export class PassClock {
  private readonly queries: GPUQuerySet;
  private readonly resolved: GPUBuffer;
  private readonly read: GPUBuffer;

  constructor(device: GPUDevice) {
    this.queries = device.createQuerySet({ type: "timestamp", count: 2 });
    const { queryResolve, copySource, copyDestination, mapRead } = bufferUsage;
    this.resolved = device.createBuffer({ size: bytes, usage: queryResolve | copySource });
    this.read = device.createBuffer({ size: bytes, usage: copyDestination | mapRead });
  }

  get descriptor(): GPUComputePassDescriptor {
    return { timestampWrites: { querySet: this.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } };
  }

  /** Must be the last thing that is encoded. */
  resolve(encoder: GPUCommandEncoder): void {
    encoder.resolveQuerySet(this.queries, 0, 2, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.read, 0, bytes);
  }

  /** Waits for the pass and frees the clock. */
  async seconds(): Promise<number> {
    await this.read.mapAsync(mapMode.read);
    const [begin, end] = new BigUint64Array(this.read.getMappedRange());
    for (const part of [this.queries, this.resolved, this.read]) part.destroy();
    return Number(end - begin) / 1e9;
  }
}
