import type { Fit } from "../documents.js";
import type { Draws } from "../engines/engine.js";
import { version } from "../generated/version.js";
import { exportNames } from "../network/names.js";

export { exportNames };

/** Draws as files that other programs read: CmdStan's CSV, one file a chain, or one Arrow file. */
export type DrawsFormat = "cmdstan" | "arrow";

export interface DrawsFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** The code of a divergent transition in a trace, and of one that wasn't finite. */
const firstDivergent = 2;

/** @param name of the files, without an ending */
export async function drawsFiles(name: string, fit: Fit, draws: Draws, format: DrawsFormat): Promise<DrawsFile[]> {
  if (format === "arrow") return [{ name: `${name}.arrow`, content: await arrowFile(fit, draws) }];
  return Array.from({ length: draws.chains }, (_, chain) => ({
    name: `${name}-${chain + 1}.csv`,
    content: cmdstanCsv(fit, draws, chain),
  }));
}

/** One chain as CmdStan writes it. Independent draws have no sampler's columns but lp__, which is 0. */
function cmdstanCsv(fit: Fit, { draws, values, trace }: Draws, chain: number): string {
  const sampler = ["lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"];
  const columns = [...(trace === null ? ["lp__"] : sampler), ...exportNames(fit.quantities.map(({ name }) => name))];
  const lines = [...settings(fit, draws, chain).map((line) => `# ${line}`), columns.join(",")];
  if (trace !== null) {
    lines.push("# Adaptation terminated", `# Step size = ${trace.stepSize[chain * draws]}`);
  }
  for (let i = chain * draws; i < (chain + 1) * draws; i++) {
    const own =
      trace === null
        ? [0]
        : [
            trace.logDensity[i],
            trace.acceptance[i],
            trace.stepSize[i],
            trace.depth[i],
            trace.leapfrogs[i],
            trace.outcome[i] >= firstDivergent ? 1 : 0,
            trace.energy[i],
          ];
    lines.push([...own, ...values.map((quantity) => quantity[i])].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** The head that CmdStan's readers look for, and who made the file. */
function settings(fit: Fit, draws: number, chain: number): string[] {
  return [
    "stan_version_major = 2",
    "stan_version_minor = 35",
    "stan_version_patch = 0",
    `model = ${fit.network}_model`,
    "method = sample (Default)",
    "  sample",
    `    num_samples = ${draws}`,
    `    num_warmup = ${fit.warmup ?? 0}`,
    "    save_warmup = false (Default)",
    "    thin = 1 (Default)",
    `    algorithm = ${fit.sampler ?? "fixed_param"}`,
    `id = ${chain + 1}`,
    "random",
    `  seed = ${fit.seed}`,
    `written by rat-engine ${version}`,
  ];
}

/** An Arrow IPC file: chain and draw from 1, the quantities, and what the sampler did. */
async function arrowFile(fit: Fit, { chains, draws, values, trace }: Draws): Promise<Uint8Array> {
  const { tableFromArrays, tableToIPC } = await import("apache-arrow");
  const kept = chains * draws;
  const names = exportNames(fit.quantities.map(({ name }) => name));
  const table = tableFromArrays({
    chain: Int32Array.from({ length: kept }, (_, i) => 1 + Math.floor(i / draws)),
    draw: Int32Array.from({ length: kept }, (_, i) => 1 + (i % draws)),
    ...Object.fromEntries(names.map((name, q) => [name, Float64Array.from(values[q])])),
    ...(trace === null
      ? {}
      : {
          lp__: trace.logDensity,
          accept_stat__: trace.acceptance,
          n_leapfrog__: trace.leapfrogs,
          energy__: trace.energy,
        }),
  });
  return tableToIPC(table, "file");
}
