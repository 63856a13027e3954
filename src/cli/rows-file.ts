import { createReadStream } from "node:fs";
import { dataError, RatError } from "../errors.js";
import { parseRow, type Row, rowFault, rowHeader } from "../experiments/rows.js";
import type { SweepPlan } from "../sweep.js";
import { reasonOf } from "./io.js";

const newline = 10;

/** Whole replicates of a file of rows, and where in it they end. */
export interface StoredRows {
  readonly replicates: AsyncGenerator<readonly Row[]>;
  /** Bytes of the header and of the replicates read so far: what comes after was torn by the end of its run. */
  readonly bytes: () => number;
}

/**
 * Reads back what a sweep kept, replicate by replicate; a torn last row, or a last replicate that isn't whole, is left out.
 * @throws RatError (data) for a file that is not of this plan, naming the line
 */
export function readStoredRows(path: string, plan: SweepPlan): StoredRows {
  let bytes = 0;
  async function* replicates(): AsyncGenerator<readonly Row[]> {
    const { cells, quantities } = plan;
    let rows: Row[] = [];
    let line = 0;
    let read = 0;
    for await (const { text, size } of linesOf(path)) {
      line++;
      read += size;
      if (line === 1) {
        if (text !== rowHeader(quantities))
          throw dataError("the header is not that of this run's rows", { file: path, line });
        bytes = read;
        continue;
      }
      const row = parseRow(text, quantities.length);
      const fault = rowFault(row, line - 2, plan);
      if (fault !== null) throw dataError(fault, { file: path, line });
      rows.push(row as Row);
      if (rows.length < cells.length) continue;
      bytes = read;
      yield rows;
      rows = [];
    }
  }
  return { replicates: replicates(), bytes: () => bytes };
}

/** Whole lines of a file with their size in bytes; a last line without its end is torn, and left out. */
async function* linesOf(path: string): AsyncGenerator<{ text: string; size: number }> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path)) {
      const data = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
      let start = 0;
      for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, start)) {
        yield { text: data.toString("utf8", start, end), size: end + 1 - start };
        start = end + 1;
      }
      rest = data.subarray(start);
    }
  } catch (error) {
    if (error instanceof RatError) throw error;
    throw new RatError("io", `can't read this: ${reasonOf(error)}`, { file: path }, { cause: error });
  }
}
