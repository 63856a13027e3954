// What tsc leaves undone: the command must be executable, and nothing may stay of sources that are gone, since dist is
// packed whole.
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

for (const entry of readdirSync(at("dist"), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = `${entry.parentPath}/${entry.name}`.slice(at("dist/").length);
  if (!existsSync(at(`src/${path.replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts")}`))) rmSync(at(`dist/${path}`));
}

const bin = at("dist/cli/bin.js");
if (existsSync(bin)) chmodSync(bin, 0o755);
