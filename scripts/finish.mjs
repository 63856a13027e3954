// What tsc leaves undone: the command must be executable.
import { chmodSync, existsSync } from "node:fs";

const bin = new URL("../dist/cli/bin.js", import.meta.url);
if (existsSync(bin)) chmodSync(bin, 0o755);
