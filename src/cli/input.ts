import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { RatError, usageError } from "../errors.js";
import { formatOfName, presetNames, readRows } from "../records/index.js";
import { presetSource, type Source } from "../source.js";
import { reasonOf } from "./io.js";

/** Files and presets of a command line as sources, in the order given: files first. `-` is standard input. */
export function sourcesOf(files: readonly string[], presets: string | undefined, signal: AbortSignal): Source[] {
  const names = (presets ?? "").split(",").map((name) => name.trim().toLowerCase());
  const sources = [
    ...files.map((file) => fileSource(file, signal)),
    ...names.filter((name) => name !== "").map(presetSource),
  ];
  if (sources.length > 0) return sources;
  const example = presetNames()[0];
  throw usageError(`name a file of records, - for standard input, or a preset such as --preset ${example}`);
}

function fileSource(file: string, signal: AbortSignal): Source {
  const format = formatOfName(file);
  const name = file === "-" ? "standard input" : file;
  return { name, rows: readRows(textOf(file, name, signal), { file: name, ...(format === null ? {} : { format }) }) };
}

/** The text of a file in pieces; `.gz` is unpacked. @throws RatError (io) */
async function* textOf(file: string, name: string, signal: AbortSignal): AsyncGenerator<string> {
  const input = addAbortSignal(signal, file === "-" ? process.stdin : createReadStream(file));
  const decoder = new StringDecoder("utf8");
  try {
    if (file.endsWith(".gz")) {
      const unpacked = createGunzip();
      input.on("error", (error: Error) => unpacked.destroy(error));
      for await (const chunk of input.pipe(unpacked)) yield decoder.write(chunk as Buffer);
    } else {
      for await (const chunk of input) yield decoder.write(chunk as Buffer);
    }
  } catch (error) {
    if (signal.aborted) throw new RatError("interrupted", "interrupted", {}, { cause: error });
    throw new RatError("io", `can't read this: ${reasonOf(error)}`, { file: name }, { cause: error });
  }
  yield decoder.end();
}
