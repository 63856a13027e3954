/** Figures in a run's folder. */
import { RatError } from "../errors.js";
import { needsSystemFonts, toPng } from "../report/figure.js";
import type { OutputFolder } from "./output.js";

/** Writes a figure as SVG and, where this platform can, as PNG. @param name without an ending */
export async function writeFigure(
  folder: OutputFolder,
  name: string,
  svg: string,
  onNotice: (notice: string) => void,
): Promise<void> {
  await folder.write(`${name}.svg`, svg);
  if (needsSystemFonts(svg)) {
    onNotice(`${name}.png: the package's font lacks some characters, which are blank where this machine's do too`);
  }
  try {
    await folder.write(`${name}.png`, await toPng(svg));
  } catch (error) {
    if (!(error instanceof RatError && error.kind === "unavailable")) throw error;
    onNotice(error.message);
  }
}
