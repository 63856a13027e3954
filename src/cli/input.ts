import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { createGunzip } from "node:zlib";
import { dataError, RatError, usageError } from "../errors.js";
import { formatOfName, presetNames, readRows } from "../records/index.js";
import { presetSource, type Source } from "../source.js";
import { reasonOf } from "./io.js";

/** Files and presets of a command line as sources, in the order given: files first. `-` is standard input. */
export function sourcesOf(files: readonly string[], presets: string | undefined, signal: AbortSignal): Source[] {
  const names = (presets ?? "").split(",").map((name) => name.trim().toLowerCase());
  const twice = [...files, ...names].find((name, i, all) => name !== "" && all.indexOf(name) < i);
  if (twice !== undefined) throw usageError(`${twice === "-" ? "standard input" : twice} is named twice`);
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
  // A byte order mark stays: the reader knows what it is.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (chunk: Buffer): string => decoder.decode(chunk, { stream: true });
  try {
    if (file.endsWith(".gz")) {
      const unpacked = createGunzip();
      input.on("error", (error: Error) => unpacked.destroy(error));
      for await (const chunk of input.pipe(unpacked)) yield decoded(chunk as Buffer);
    } else {
      for await (const chunk of input) yield decoded(chunk as Buffer);
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw dataError("not UTF-8 text: save it as UTF-8", { file: name }, { cause: error });
    }
    if (signal.aborted) throw new RatError("interrupted", "interrupted", {}, { cause: error });
    throw new RatError("io", `can't read this: ${reasonOf(error)}`, { file: name }, { cause: error });
  }
}
