// eval "$(npm run --silent software-adapter)": `rat ... --engine webgpu` runs on the CPU from then on in this shell, by
// the software adapter that the tests use (test/support/software.ts). For machines without a GPU; Linux on x64.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const file = fileURLToPath(new URL("../test/support/software.ts", import.meta.url));
const { module } = await runnerImport(file, { logLevel: "error", configFile: false });
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
for (const [name, value] of Object.entries(module.softwareEnvironment()))
  console.log(`export ${name}=${quoted(value)}`);
