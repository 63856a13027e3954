import { WebGpuEngine } from "../../../dist/engines/webgpu/engine.js";
import type { Batch, RunOptions } from "../../../dist/index.js";
import { bufferUsage, type Device, mapMode } from "../../../src/engines/webgpu/device.js";
import { useSoftwareAdapter } from "../../support/software.js";

/** Memory that a test's shader reads or writes, by the number of its binding. */
export interface Binding {
  readonly binding: number;
  readonly type: "read-only-storage" | "storage" | "uniform";
  readonly contents: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;
}

/** Runs a shader once; returns what each binding holds afterwards, in their order. */
export async function computed(
  device: Device,
  code: string,
  entryPoint: string,
  bindings: readonly Binding[],
  ...groups: [x: number, y?: number]
): Promise<ArrayBuffer[]> {
  const module = await device.compile(entryPoint, code);
  return device.checked(entryPoint, async () => {
    const { handle } = device;
    const computeStage = 0x4;
    const groupLayout = handle.createBindGroupLayout({
      entries: bindings.map(({ binding, type }) => ({ binding, visibility: computeStage, buffer: { type } })),
    });
    const layout = handle.createPipelineLayout({ bindGroupLayouts: [groupLayout] });
    const pipeline = await handle.createComputePipelineAsync({ layout, compute: { module, entryPoint } });
    const { storage, uniform, copySource, copyDestination } = bufferUsage;
    const buffers = bindings.map(({ contents, type }) => {
      const kind = type === "uniform" ? uniform : storage;
      return handle.createBuffer({ size: contents.byteLength, usage: kind | copySource | copyDestination });
    });
    bindings.forEach(({ contents }, i) => {
      handle.queue.writeBuffer(buffers[i], 0, contents);
    });
    const entries = bindings.map(({ binding }, i) => ({ binding, resource: { buffer: buffers[i] } }));
    const encoder = handle.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, handle.createBindGroup({ layout: groupLayout, entries }));
    pass.dispatchWorkgroups(...groups);
    pass.end();
    const reads = bindings.map(({ contents }, i) => {
      const read = handle.createBuffer({
        size: contents.byteLength,
        usage: bufferUsage.mapRead | bufferUsage.copyDestination,
      });
      encoder.copyBufferToBuffer(buffers[i], 0, read, 0, contents.byteLength);
      return read;
    });
    handle.queue.submit([encoder.finish()]);
    await Promise.all(reads.map((read) => read.mapAsync(mapMode.read)));
    const held = reads.map((read) => read.getMappedRange().slice(0));
    for (const buffer of [...buffers, ...reads]) buffer.destroy();
    return held;
  });
}

/** An engine on the software adapter, as it is built. */
export function openWebGpu(): Promise<WebGpuEngine> {
  useSoftwareAdapter();
  return WebGpuEngine.open({ workers: 1 });
}

/** Some refits of a batch, as a batch. */
export function part({ network, counts, ids }: Batch, first: number, end: number): Batch {
  const patterns = network.patterns.length;
  return { network, counts: counts.slice(first * patterns, end * patterns), ids: ids.slice(first, end) };
}

/** Short, for tests of everything but the numbers' precision; neither warmup nor draws fill their last round. */
export const short: RunOptions = { sampler: "hmc", chains: 4, warmup: 40, draws: 60, seed: 5, level: 0.95 };
