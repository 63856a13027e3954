import { openGpu } from "#gpu";
import { RatError } from "../../errors.js";
import { noGpu } from "./no-gpu.js";

/** GPUBufferUsage by the numbers of the WebGPU specification: in Node there is no such global. */
export const bufferUsage = {
  mapRead: 0x1,
  mapWrite: 0x2,
  copySource: 0x4,
  copyDestination: 0x8,
  uniform: 0x40,
  storage: 0x80,
  indirect: 0x100,
  queryResolve: 0x200,
} as const;

/** GPUMapMode likewise. */
export const mapMode = { read: 0x1, write: 0x2 } as const;

/** Buffers of this size hold the largest batches we send; more would only be kept from other programs. */
const largestBufferBytes = 2 ** 30;

/** Error scopes are a stack; whatever can go wrong on the GPU falls into one of these. */
const errorFilters = ["internal", "out-of-memory", "validation"] as const;

/** Compiler errors that are shown: the first is the cause of most others. */
const shownMessages = 5;

/** Limits that decide what can run, of an adapter. */
const reportedLimits = [
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupsPerDimension",
] as const;

/** An adapter, as `rat doctor` shows it. */
export interface AdapterReport {
  /** All that is known of it, in one line. */
  readonly words: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  readonly isSoftware: boolean;
  /** Whether passes can be timed on the GPU. */
  readonly hasTimestamps: boolean;
  readonly limits: Readonly<Record<(typeof reportedLimits)[number], number>>;
}

/**
 * A device of the fastest adapter; of a software adapter where there is no other.
 * @throws RatError (unavailable) where there is no WebGPU, no adapter or no device
 */
export async function openDevice(): Promise<Device> {
  const gpu = await openGpu();
  const adapter =
    (await gpu.requestAdapter({ powerPreference: "high-performance" })) ??
    (await gpu.requestAdapter({ forceFallbackAdapter: true })); // some give their software adapter on request only
  if (adapter === null) {
    throw noGpu();
  }
  const atMost = (limit: number): number => Math.min(limit, largestBufferBytes);
  try {
    const handle = await adapter.requestDevice({
      label: "rat",
      requiredLimits: {
        // All draws of a batch are one binding, and by default that ends at 128 MiB.
        maxStorageBufferBindingSize: atMost(adapter.limits.maxStorageBufferBindingSize),
        // Such a binding needs a buffer as large, and by default those end at 256 MiB.
        maxBufferSize: atMost(adapter.limits.maxBufferSize),
        // All else stays at the defaults, which every adapter has: shaders keep to 8 storage bindings, 16 KiB of
        // workgroup memory and 256 invocations.
      },
      requiredFeatures: adapter.features.has("timestamp-query") ? ["timestamp-query"] : [],
    });
    return new Device(gpu, adapter, handle);
  } catch (error) {
    throw new RatError(
      "unavailable",
      `the GPU (${adapterWords(adapter)}) can't be opened: ${(error as Error).message}; use --engine wasm`,
      {},
      { cause: error },
    );
  }
}

/**
 * A GPU that is open, with what it says put into errors. It holds the objects that it came from, since Dawn fails where
 * one of them is collected.
 */
export class Device {
  /** The adapter: who made it, what it is, and whether it is software. */
  readonly words: string;
  readonly isSoftware: boolean;
  /** Whether passes can be timed on the GPU: the feature timestamp-query. */
  readonly hasTimestamps: boolean;
  readonly limits: GPUSupportedLimits;
  /** Why the device was lost, in words; pending as long as it isn't, and for good once it is disposed of. */
  readonly lost: Promise<string>;
  private lostReason: string | null = null;
  private isDisposed = false;
  /** The first error since the last `checked` that no scope was open for. */
  private stray: GPUError | null = null;

  constructor(
    readonly gpu: GPU,
    readonly adapter: GPUAdapter,
    readonly handle: GPUDevice,
  ) {
    this.words = adapterWords(adapter);
    this.isSoftware = isSoftwareAdapter(adapter);
    this.hasTimestamps = handle.features.has("timestamp-query");
    this.limits = handle.limits;
    this.lost = new Promise((resolve) => {
      handle.lost.then(({ reason, message }) => {
        if (this.isDisposed) return;
        const said = message.trim().replace(/\.$/, "") || "no reason was given";
        this.lostReason = reason === "destroyed" ? `it was destroyed (${said})` : said;
        resolve(this.lostReason);
      });
    });
    handle.addEventListener("uncapturederror", (event) => {
      event.preventDefault(); // it goes into an error instead of the console
      this.stray ??= event.error;
    });
  }

  /** Whether it was lost, other than by `dispose`. */
  get isLost(): boolean {
    return this.lostReason !== null;
  }

  /**
   * Does some work with the device and throws what the GPU finds wrong with it. Calls may be nested and may overlap: error
   * scopes are a stack that all share, so they are open only until `work` first waits. What goes wrong later is thrown too,
   * but by the first of overlapping calls to end.
   * @param what the work, in the words an error starts with
   * @throws RatError internal: a fault of ours; unavailable: out of memory, or the device is lost
   */
  async checked<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    this.assertIsThere(what);
    for (const filter of errorFilters) this.handle.pushErrorScope(filter);
    const working = (async () => work())(); // async: whatever it throws waits until the scopes are closed
    const scopes = errorFilters.map(() => this.popScope());
    const [outcome] = await Promise.allSettled([working]);
    const found = (await Promise.all(scopes)).find((error) => error !== null);
    const error = found ?? (await this.takeStray());
    if (this.isLost) this.assertIsThere(what); // the cause of whatever else went wrong
    if (error !== null) throw gpuError(what, error);
    if (outcome.status === "fulfilled") return outcome.value;
    throw isPipelineError(outcome.reason) ? gpuError(what, outcome.reason) : outcome.reason;
  }

  /**
   * Compiles a shader.
   * @throws RatError (internal) with the line and what the compiler says
   */
  async compile(label: string, code: string): Promise<GPUShaderModule> {
    this.assertIsThere(`shader ${label}`);
    this.handle.pushErrorScope("validation");
    const module = this.handle.createShaderModule({ label, code });
    const scope = this.popScope();
    const { messages } = await module.getCompilationInfo();
    const error = await scope;
    if (this.isLost) this.assertIsThere(`shader ${label}`);
    const faults = messages.filter(({ type }) => type === "error").slice(0, shownMessages);
    if (faults.length > 0) {
      throw new RatError("internal", faults.map((fault) => compilerWords(label, code, fault)).join("\n"));
    }
    if (error !== null) throw gpuError(`shader ${label}`, error);
    return module;
  }

  /** Frees all that the device holds; what still waits for it is rejected with an AbortError. */
  dispose(): void {
    this.isDisposed = true;
    this.handle.destroy();
  }

  /** Devices that are gone give objects as before, which do nothing, and no errors. */
  private assertIsThere(what: string): void {
    if (this.lostReason !== null) {
      const remedy = "run it again, or use --engine wasm";
      throw new RatError("unavailable", `${what}: the GPU was lost: ${this.lostReason}; ${remedy}`);
    }
    if (this.isDisposed) throw new RatError("internal", `${what}: the GPU is closed already`);
  }

  /** The error that no scope was open for, after all that went before has been heard of. */
  private async takeStray(): Promise<GPUError | null> {
    this.handle.pushErrorScope("validation");
    await this.popScope(); // empty, but answered in its turn
    const { stray } = this;
    this.stray = null;
    return stray;
  }

  /** A device that is lost has no errors any more; some reject instead of saying so. */
  private popScope(): Promise<GPUError | null> {
    return this.handle.popErrorScope().catch(() => null);
  }
}

/** The adapters of this machine, each once; none where there is no WebGPU. */
export async function describeAdapters(): Promise<AdapterReport[]> {
  const gpu = await openGpu().catch(() => null);
  const requests: GPURequestAdapterOptions[] = [
    { powerPreference: "high-performance" },
    { powerPreference: "low-power" },
    { forceFallbackAdapter: true },
  ];
  const reports = new Map<string, AdapterReport>();
  for (const request of requests) {
    const adapter = (await gpu?.requestAdapter(request)) ?? null;
    if (adapter === null) continue;
    const report = reportOf(adapter);
    reports.set(JSON.stringify(report), report);
  }
  return [...reports.values()];
}

function reportOf(adapter: GPUAdapter): AdapterReport {
  const { vendor, architecture, device, description } = adapter.info;
  const limits = reportedLimits.map((name) => [name, adapter.limits[name]]);
  return {
    words: adapterWords(adapter),
    vendor,
    architecture,
    device,
    description,
    isSoftware: isSoftwareAdapter(adapter),
    hasTimestamps: adapter.features.has("timestamp-query"),
    limits: Object.fromEntries(limits) as AdapterReport["limits"],
  };
}

/** Browsers say less than Dawn, each something else: all that there is. */
function adapterWords(adapter: GPUAdapter): string {
  const { vendor, architecture, device, description } = adapter.info;
  // Dawn gives "SwiftShader Device (Subzero)" as swiftshader-device-subzero-; Chromium may give a number.
  const model = device.startsWith("0x") ? "" : device.replace(/^-+|-+$/g, "");
  const known = [[vendor, architecture].filter(Boolean).join(" "), model, description].filter(Boolean);
  return `${known.join(", ") || "an adapter without a name"}${isSoftwareAdapter(adapter) ? " (software)" : ""}`;
}

/** By what it says of itself, or by the names of those that exist, since not every implementation says it. */
function isSoftwareAdapter({ info }: GPUAdapter): boolean {
  const { vendor, architecture, device, description, isFallbackAdapter } = info;
  const names = [vendor, architecture, device, description].join(" ");
  return isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|\bwarp\b|basic render/i.test(names);
}

/** GPUOutOfMemoryError is a global in browsers only, so that its name has to do. */
function gpuError(what: string, error: GPUError | GPUPipelineError): RatError {
  const message = error.message.replaceAll(/\n\s+at .*/g, "").trim(); // Dawn adds lines of its own source
  return error.constructor.name === "GPUOutOfMemoryError"
    ? new RatError("unavailable", `${what}: the GPU is out of memory${message && `: ${message}`}`, {}, { cause: error })
    : new RatError("internal", `${what}: ${message || error.constructor.name}`, {}, { cause: error });
}

const isPipelineError = (error: unknown): error is GPUPipelineError =>
  (error as Partial<Error> | null)?.name === "GPUPipelineError";

/** `shader hmc, line 12: what is wrong`, and the line. */
function compilerWords(label: string, code: string, { lineNum, message }: GPUCompilationMessage): string {
  const line = code.split("\n")[lineNum - 1]; // lines count from 1; 0: of no line
  return line === undefined
    ? `shader ${label}: ${message}`
    : `shader ${label}, line ${lineNum}: ${message}\n  ${line.trim()}`;
}
