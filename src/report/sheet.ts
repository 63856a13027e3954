/** What every figure begins and ends with. Drawing libraries load on the first figure: they would slow every start. */
import type * as PlotModule from "@observablehq/plot";
import { append, fontFamily, printable, setAttributes, wrapText } from "./svg.js";

export const textSize = 12;
export const softInk = "#3c444d";

/** An SVG that is being drawn, and with what. */
export interface Sheet {
  readonly Plot: typeof PlotModule;
  readonly svg: Element;
  readonly width: number;
  /** Around all of it. */
  readonly edge: number;
}

/** A column of a paper or a phone, in pixels. */
export const columnWidth = 340;

/** @param title what a reader who can't see is told first */
export async function newSheet(title: string, width: number, edge: number): Promise<Sheet> {
  const [Plot, { DOMParser }] = await Promise.all([import("@observablehq/plot"), import("linkedom")]);
  // An XML document, not an HTML one: only that escapes names in attributes.
  const document = new DOMParser().parseFromString("<svg/>", "image/svg+xml") as unknown as Document;
  const svg = document.documentElement;
  setAttributes(svg, {
    xmlns: "http://www.w3.org/2000/svg",
    role: "img",
    "font-family": fontFamily,
    "font-size": textSize,
    fill: "#14181d",
  });
  append(svg, "title", {}, title);
  append(svg, "rect", { width: "100%", height: "100%", fill: "#ffffff" });
  return { Plot, svg, width, edge };
}

/** Bold lines at the top; returns the y below. */
export function drawTitle({ svg, width, edge }: Sheet, text: string, size: number): number {
  const lines = wrapText(text, size, width - 2 * edge);
  lines.forEach((line, i) => {
    append(svg, "text", { x: edge, y: edge + size + 1.3 * size * i, "font-size": size, "font-weight": 600 }, line);
  });
  return edge + size + 1.3 * size * (lines.length - 1);
}

/** Small lines over the whole width; returns the y below. */
export function drawCaption({ svg, width, edge }: Sheet, text: string, top: number): number {
  const lines = wrapText(text, 11, width - 2 * edge);
  lines.forEach((line, i) => {
    append(svg, "text", { x: edge, y: top + 11 + 15 * i, "font-size": 11, fill: softInk }, line);
  });
  return top + 15 * lines.length;
}

/** The SVG's text, as high as what was drawn. */
export function finishSheet({ svg, width, edge }: Sheet, bottom: number): string {
  const height = Math.ceil(bottom + edge);
  setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  // Plot writes names as they are.
  return `${printable(svg.outerHTML)}\n`;
}
