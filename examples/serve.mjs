// Policy adherence of many systems at once from another Node program, through rat serve:
// node examples/serve.mjs [command that starts rat serve]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [command = "npx", ...args] = process.argv.slice(2);
const server = spawn(command, command === "npx" ? ["rat", "serve"] : args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();

createInterface({ input: server.stdout }).on("line", (line) => {
  const { id, result, error } = JSON.parse(line);
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(new Error(error.message));
  else resolve(result);
});

function ask(id, method, params) {
  server.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const observations = [
  { R: 1, A: 0, T: 1 },
  { R: 0, A: 1 },
  { R: 0, A: 0, T: 0 },
  { A: 0, T: 1 },
];
const counts = [
  [30, 15, 20, 40],
  [45, 5, 15, 40],
];
const { mean, lower, upper } = await ask(1, "refits", { observations, counts, quantities: ["P(G=1)"], seed: 1 });
mean.forEach(([average], system) => {
  console.log(
    `system ${system}: ${average.toFixed(3)} [${lower[system][0].toFixed(3)}, ${upper[system][0].toFixed(3)}]`,
  );
});
server.stdin.end();
