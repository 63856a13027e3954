import type { CompiledNetwork } from "../../network/compiled.js";
import { bufferUsage, type Device } from "./device.js";
import type { Layout } from "./layout.js";
import { packMembers } from "./record.js";
import { emitShaders } from "./shaders.js";

/** Bindings as shaders/chain.wgsl and shaders/summary.wgsl number them. */
const bindings: readonly GPUBufferBindingType[] = [
  "read-only-storage", // records
  "read-only-storage", // members
  "storage", // states
  "storage", // adapted
  "storage", // draws
  "storage", // results
  "uniform", // job
  "uniform", // quantiles
];

const computeStage = 0x4; // GPUShaderStage.COMPUTE

/** The compiled shaders of a network and a number of chains, and what is the same for all its refits. */
export class Program {
  private constructor(
    readonly network: CompiledNetwork,
    readonly layout: Layout,
    readonly bindings: GPUBindGroupLayout,
    readonly pipelines: Readonly<Record<"start" | "advance" | "summarise", GPUComputePipeline>>,
    readonly members: GPUBuffer,
  ) {}

  static async compile(device: Device, network: CompiledNetwork, layout: Layout): Promise<Program> {
    const shaders = emitShaders(network, layout);
    return device.checked(`shaders of network ${network.name}`, async () => {
      const { handle } = device;
      const entries = bindings.map((type, binding) => ({ binding, visibility: computeStage, buffer: { type } }));
      const bindGroupLayout = handle.createBindGroupLayout({ entries });
      const pipelineLayout = handle.createPipelineLayout({ bindGroupLayouts: [bindGroupLayout] });
      const compile = async (entryPoint: keyof typeof shaders): Promise<GPUComputePipeline> => {
        const module = await device.compile(entryPoint, shaders[entryPoint]);
        return handle.createComputePipelineAsync({ layout: pipelineLayout, compute: { module, entryPoint } });
      };
      const [start, advance, summarise] = await Promise.all([
        compile("start"),
        compile("advance"),
        compile("summarise"),
      ]);
      const weights = packMembers(network, layout);
      const members = handle.createBuffer({
        label: "members",
        size: weights.byteLength,
        usage: bufferUsage.storage | bufferUsage.copyDestination,
      });
      handle.queue.writeBuffer(members, 0, weights);
      return new Program(network, layout, bindGroupLayout, { start, advance, summarise }, members);
    });
  }

  destroy(): void {
    this.members.destroy();
  }
}
