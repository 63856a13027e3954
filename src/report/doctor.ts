import type { DoctorDocument, EngineCheck } from "../documents.js";
import type { AdapterReport } from "../engines/webgpu/device.js";
import { brief, counted, duration, fixed, whole } from "./format.js";
import { drawGrid, numberColumn, painter, textColumn } from "./grid.js";

const columns = [
  textColumn<EngineCheck>("engine", ({ engine }) => engine),
  numberColumn<EngineCheck>("start", ({ startSeconds }) => duration(startSeconds)),
  numberColumn<EngineCheck>("refits/s", ({ refitsPerSecond }) => brief(refitsPerSecond)),
  numberColumn<EngineCheck>("ESS a refit", ({ ess }) => whole(ess)),
  numberColumn<EngineCheck>("ESS/s", ({ ess, refitsPerSecond }) => brief(ess === null ? null : ess * refitsPerSecond)),
  numberColumn<EngineCheck>("P(G=1)", ({ mean }) => fixed(mean, 5)),
  numberColumn<EngineCheck>("from exact, in se", ({ deviation }) => fixed(deviation, 1)),
  numberColumn<EngineCheck>("", ({ agrees }) => (agrees ? "agrees" : "WRONG")),
];

/** All that `rat doctor` found, for people. */
export function doctorText({ version, cores, simd, adapters, auto, exact, engines, problems }: DoctorDocument): string {
  return [
    `rat-engine ${version}, ${counted(whole(cores), "core")}, WebAssembly SIMD ${simd ? "present" : "missing"}`,
    "",
    adapters.length === 0 ? "WebGPU adapters: none" : "WebGPU adapters:",
    ...adapters.flatMap(adapterLines),
    "",
    `auto takes ${auto.engine} for a sweep of the usual size: ${auto.why}`,
    "",
    `self-test: P(G=1) of one posterior, exactly ${fixed(exact, 5)}`,
    drawGrid(columns, engines, painter(false)),
    ...problems.map((problem) => `\nproblem: ${problem}`),
  ].join("\n");
}

function adapterLines({ words, isSoftware, hasTimestamps, limits }: AdapterReport): string[] {
  const megabytes = (bytes: number): string => `${whole(bytes / 2 ** 20)} MiB`;
  return [
    `  ${words}`,
    `    ${isSoftware ? "software: right but slow" : "hardware"}; timestamps ${hasTimestamps ? "yes" : "no"}; ` +
      `storage binding ${megabytes(limits.maxStorageBufferBindingSize)}, buffer ${megabytes(limits.maxBufferSize)}, ` +
      `${limits.maxComputeInvocationsPerWorkgroup} invocations and ` +
      `${limits.maxComputeWorkgroupStorageSize / 1024} KiB a workgroup`,
  ];
}
