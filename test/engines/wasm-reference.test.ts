import { afterAll } from "vitest";
import { WasmEngine } from "../../dist/engines/wasm/engine.js";
import { testRefits } from "../support/refits.js";
import { Engines, samplers } from "./wasm-support.js";

const engines = new Engines();
const engine = engines.add(new WasmEngine({ workers: 2 }));
afterAll(() => engines.dispose());

testRefits(
  () => engine,
  samplers.map((sampler) => [
    `${sampler} with the defaults of a sweep`,
    { sampler, chains: 2, warmup: sampler === "hmc" ? 100 : 300, draws: 1000 },
  ]),
  { sampler: "hmc", chains: 4, warmup: 100, draws: 4000 },
);
