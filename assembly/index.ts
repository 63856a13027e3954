// What the host can call. No logic here.
import { Centred } from "./centred";
import { chainBytes, nutsChains } from "./chain";
import { Table } from "./density";
import { Rat } from "./generated/rat";
import { hmcBytes, hmcChains } from "./hmc";
import { Laplace, laplaceBytes } from "./laplace";
import { NETWORK_BYTES, QUANTITY_BYTES, RUN_BYTES } from "./layout";
import { prepareNormals } from "./normal";
import { Quantities } from "./quantity";
import { Run } from "./run";
import { prepareLogistic } from "./special";
import { summariseAll } from "./summary";

const table = changetype<Table>(memory.data(<i32>NETWORK_BYTES, 16));
const centred = changetype<Centred>(changetype<usize>(table));
const straight = changetype<Rat>(changetype<usize>(table));
const laplace = changetype<Laplace>(memory.data(64, 16));
const quantities = changetype<Quantities>(memory.data(<i32>QUANTITY_BYTES, 16));
const run = changetype<Run>(memory.data(<i32>RUN_BYTES, 16));

prepareLogistic();
prepareNormals();

/** Addresses of the blocks that the host fills (see layout.ts), and where memory is free. */
export function networkBlock(): usize {
  return changetype<usize>(table);
}
export function quantityBlock(): usize {
  return changetype<usize>(quantities);
}
export function runBlock(): usize {
  return changetype<usize>(run);
}
export function freeMemory(): usize {
  return __heap_base;
}

/** Bytes that RUN_WORKSPACE and RUN_APPROXIMATION must point at. */
export function workspaceBytes(dimensions: usize, quantityCount: usize): usize {
  return max(chainBytes(dimensions, quantityCount), hmcBytes(dimensions, quantityCount));
}
export function approximationBytes(dimensions: usize, families: usize): usize {
  return laplaceBytes(dimensions, families);
}

/** Samples the run's chains. */
export function nuts(): void {
  nutsChains<Table>(table, quantities, run);
}
export function hmc(): void {
  fit();
  hmcChains<Table>(table, laplace, quantities, run);
}
/** The same for networks of the base network's shape. */
export function nutsRat(): void {
  nutsChains<Rat>(straight, quantities, run);
}
export function hmcRat(): void {
  fit();
  hmcChains<Rat>(straight, laplace, quantities, run);
}
/** The same for very many records. */
export function nutsCentred(): void {
  fit();
  centred.centre(laplace);
  nutsChains<Centred>(centred, quantities, run);
}
export function hmcCentred(): void {
  fit();
  centred.centre(laplace);
  hmcChains<Centred>(centred, laplace, quantities, run);
}

function fit(): void {
  laplace.place(run.approximation, table.rows);
  laplace.fit(table);
}

/** The Laplace approximation of the network's posterior, into the run's workspace: see `Laplace.write`. */
export function approximate(): void {
  fit();
  laplace.write(run.workspace);
}

/** Summarises the draws of the run, which are then no longer in order. */
export function summarise(): void {
  summariseAll(run, quantities.count);
}
