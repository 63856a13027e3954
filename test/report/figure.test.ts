import { DOMParser } from "linkedom";
import { describe, expect, it } from "vitest";
import type { Sweep } from "../../src/documents.js";
import { allocationFigure, type Measure, toPng } from "../../src/report/figure.js";
import { tickFormat, valueScale } from "../../src/report/scale.js";
import { baseStyle, strategyStyles } from "../../src/report/style.js";
import { fitText, textWidth, wrapText } from "../../src/report/svg.js";
import { defaultStrategies, sampleSweep } from "./samples.js";

const two = [sampleSweep(), sampleSweep({ source: "hotpotqa-hybrid-apertus", scale: 0.82 })];

async function draw(sweeps: readonly Sweep[], measure: Measure = "mae") {
  const svg = await allocationFigure(sweeps, measure);
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement as unknown as Element;
  return { svg, root, panels: [...root.querySelectorAll("g.panel")] };
}

const all = (element: Element, selector: string) => [...element.querySelectorAll(selector)];
const attribute = (elements: Element[], name: string) => elements.map((element) => element.getAttribute(name));
/** The first symbol's outline and whether it is filled, which together tell symbols apart. */
const symbolLook = (group: Element) => [
  group.querySelector("path, circle")?.getAttribute("d") ?? "circle",
  group.getAttribute("fill") === "white",
];

describe("allocationFigure", () => {
  it("has one panel a system and quantity", async () => {
    const { panels } = await draw(two);
    expect(panels.map((p) => [p.getAttribute("data-system"), p.getAttribute("data-quantity")])).toEqual(
      two.flatMap(({ source }) => [
        [source, "P(G=1)"],
        [source, "P(T=1)"],
      ]),
    );
  });

  it.each(["mae", "width"] as const)(
    "tells the strategies of every panel apart without colour (%s)",
    async (measure) => {
      const { panels } = await draw(two, measure);
      for (const panel of panels) {
        const lines = all(panel, "g.line");
        expect(lines.map((line) => all(line, "path").length)).toEqual(defaultStrategies.map(() => 1));
        expect(new Set(attribute(lines, "stroke-dasharray")).size).toBe(defaultStrategies.length);
        expect(new Set(attribute(lines, "stroke")).size).toBe(defaultStrategies.length);
        const looks = all(panel, "g.symbols").map((group) => JSON.stringify(symbolLook(group)));
        expect(new Set(looks).size).toBe(defaultStrategies.length + 1);
      }
    },
  );

  it("has an error bar of one standard error at every point", async () => {
    const { panels } = await draw(two);
    for (const panel of panels) {
      expect(all(panel, "g.error-bars line")).toHaveLength(1 + 4 * defaultStrategies.length);
      expect(all(panel, "g.error-caps path")).toHaveLength(2 + 8 * defaultStrategies.length);
    }
    const { root } = await draw(two);
    expect(root.textContent).toContain("±1 standard error");
  });

  it("draws bars as long as their errors on the scale of the points", async () => {
    const { panels } = await draw([two[0]]);
    const bars = all(panels[0], "g.error-bars line").map((bar) => ({
      length: Math.abs(Number(bar.getAttribute("y2")) - Number(bar.getAttribute("y1"))),
      middle: (Number(bar.getAttribute("y2")) + Number(bar.getAttribute("y1"))) / 2,
    }));
    const cells = two[0].cells.filter((cell) => cell.quantity === "P(G=1)");
    const ordered = [...cells.slice(1), cells[0]];
    const perUnit = (bars[1].middle - bars[0].middle) / ((ordered[0].mae ?? 0) - (ordered[1].mae ?? 0));
    bars.forEach((bar, i) => {
      expect(bar.length).toBeCloseTo(2 * (ordered[i].maeSe ?? 0) * perUnit, 6);
    });
  });

  it("dodges the points of one budget so that no two share a place", async () => {
    const { panels } = await draw(two);
    for (const panel of panels) {
      const xs = attribute(all(panel, "g.error-bars line"), "x1").map(Number);
      expect(new Set(xs).size).toBe(xs.length);
      const gaps = [...xs].sort((a, b) => a - b).map((x, i, sorted) => (i === 0 ? 9 : x - sorted[i - 1]));
      expect(Math.min(...gaps)).toBeGreaterThan(3);
    }
  });

  it("begins every line at the base sample's point", async () => {
    const { panels } = await draw([two[0]]);
    const base = all(panels[0], "g.symbols").at(-1)?.querySelector("path")?.getAttribute("transform");
    const [, x, y] = /translate\(([\d.]+),([\d.]+)\)/.exec(base ?? "") ?? [];
    for (const line of all(panels[0], "g.line path")) {
      const [, startX, startY] = /^M([\d.]+),([\d.]+)L/.exec(line.getAttribute("d") ?? "") ?? [];
      expect(Number(startX)).toBeCloseTo(Number(x), 2);
      expect(Number(startY)).toBeCloseTo(Number(y), 2);
    }
  });

  it("shows line, dash and symbol of each strategy in one legend", async () => {
    const { root, panels } = await draw(two);
    const entries = all(root, "g.legend-entry");
    expect(entries.map((entry) => entry.querySelector("text")?.textContent)).toEqual([
      "base alone",
      ...defaultStrategies,
    ]);
    const dashes = attribute(all(root, "g.legend-entry g.line"), "stroke-dasharray");
    expect(dashes).toEqual(attribute(all(panels[0], "g.line"), "stroke-dasharray"));
    expect(all(root, "g.legend-entry g.symbols")).toHaveLength(defaultStrategies.length + 1);
  });

  it("names systems, quantities and both axes with units", async () => {
    const { root } = await draw(two);
    const texts = all(root, "text").map((text) => text.textContent);
    for (const text of ["hotpotqa-hybrid-qwen3.5", "hotpotqa-hybrid-apertus", "P(G=1)", "P(T=1)", "0", "60", "500"]) {
      expect(texts).toContain(text);
    }
    expect(texts).toContain("mean absolute error (probability)");
    expect(root.textContent).toContain("additional records (0 = base sample alone; square-root scale)");
    const width = await allocationFigure(two, "width", { level: 0.9 });
    expect(width).toContain("90% interval width (probability)");
  });

  it("is a self-contained picture on white with a title and fonts to fall back on", async () => {
    const { svg, root } = await draw(two);
    expect(svg.startsWith("<svg ")).toBe(true);
    expect(root.getAttribute("xmlns")).toBe("http://www.w3.org/2000/svg");
    expect(root.firstElementChild?.localName).toBe("title");
    expect(root.firstElementChild?.textContent).toContain("hotpotqa-hybrid-apertus");
    expect(root.querySelector("rect")?.getAttribute("fill")).toBe("#ffffff");
    expect(root.getAttribute("font-family")).toMatch(/Open Sans.*sans-serif$/);
    expect(svg).not.toMatch(/<style|<script|<image|href=|url\(|class="plot/);
    expect(Number(root.getAttribute("width"))).toBeLessThanOrEqual(720);
  });

  it.each([
    ["one system", [two[0]], 2],
    ["four systems", [...two, ...two].map((sweep, i) => ({ ...sweep, source: `system-${i}` })), 8],
    ["seven systems", Array.from({ length: 7 }, (_, i) => ({ ...two[0], source: `system-${i}` })), 14],
    ["one strategy and budget", [sampleSweep({ strategies: ["all-R"], adds: [200] })], 2],
    ["no strategy", [sampleSweep({ strategies: [] })], 2],
    ["one quantity", [sampleSweep({ quantities: ["gap_A"] })], 1],
    ["one replicate", [sampleSweep({ replicates: 1 })], 2],
    ["no cells", [{ ...two[0], cells: [] }], 0],
  ])("works for %s", async (_name, sweeps, count) => {
    for (const measure of ["mae", "width"] as const) {
      const { svg, panels } = await draw(sweeps, measure);
      expect(panels).toHaveLength(count);
      expect(svg).not.toMatch(/NaN|null|undefined|Infinity/);
    }
  });

  it("leaves out what is null and keeps the rest", async () => {
    const cells = two[0].cells.map((cell, i) => (i % 3 === 0 ? { ...cell, mae: null } : { ...cell, maeSe: null }));
    const { svg, panels } = await draw([{ ...two[0], cells, truth: {} }]);
    expect(svg).not.toMatch(/NaN|null|undefined|Infinity/);
    expect(all(panels[0], "g.error-bars line")).toHaveLength(0);
    expect(all(panels[0], "g.symbols path, g.symbols circle").length).toBeGreaterThan(10);
  });

  it("tells a dozen strategies apart by symbol or dash", () => {
    const names = [...defaultStrategies, ...Array.from({ length: 20 }, (_, i) => `mine-${i}`)];
    const styles = [...strategyStyles(names).values()];
    const looks = styles.map(({ symbol, open, dash }) => `${symbol} ${open} ${dash}`);
    expect(new Set(looks).size).toBe(names.length);
    expect(strategyStyles(["all-T"]).get("all-T")).toEqual(strategyStyles(names).get("all-T"));
    expect(styles.slice(0, 5)).not.toContainEqual(baseStyle);
  });

  it("escapes names and shortens long ones in the middle", async () => {
    const source = `a & "b" <c> \u0007 ${"long".repeat(40)}.csv`;
    const { root, svg } = await draw([sampleSweep({ source, strategies: ['x<"&', "all-R"] })]);
    expect(svg).not.toContain("\u0007");
    expect(root.querySelector("title")?.textContent).toContain('a & "b" <c> \ufffd longlong');
    expect(all(root, "text").some((text) => /^a & "b".*….*\.csv$/.test(text.textContent ?? ""))).toBe(true);
    await expect(toPng(svg)).resolves.toBeInstanceOf(Uint8Array);
  });
});

describe("toPng", () => {
  it("draws twice the size of the figure, text included, without fonts of the machine", async () => {
    const { svg, root } = await draw(two);
    const png = await toPng(svg);
    expect([...png.slice(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const view = new DataView(png.buffer, png.byteOffset);
    expect(view.getUint32(16)).toBe(2 * Number(root.getAttribute("width")));
    expect(view.getUint32(20)).toBe(2 * Number(root.getAttribute("height")));
    const silent = await toPng(svg.replace(/<text[^>]*>[^<]*<\/text>/g, ""));
    expect(png.length).toBeGreaterThan(silent.length + 20_000);
  });
});

describe("valueScale", () => {
  const cellsAt = (values: readonly number[], error: number | null = null) =>
    values.map((mae) => ({ ...two[0].cells[0], mae, maeSe: error }));

  it.each([
    [[0.0163, 0.0388], 0.001],
    [[0.05, 0.19], 0.0001],
    [[0.3], null],
    [[0], null],
    [[1e-7, 3e-7], null],
    [[0.5, 0.5000001], null],
  ])("holds %j ± %s, begins at a tick and has 2 to 8 ticks", (values, error) => {
    const { domain, ticks } = valueScale(cellsAt(values, error), "mae");
    expect(domain[0]).toBe(ticks[0]);
    expect(domain[0]).toBeLessThanOrEqual(Math.min(...values) - (error ?? 0));
    expect(domain[1]).toBeGreaterThan(Math.max(...values) + (error ?? 0));
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(8);
    const labels = ticks.map(tickFormat(ticks));
    expect(new Set(labels).size).toBe(labels.length);
    expect(new Set(labels.map((label) => label.length)).size).toBe(1);
  });
});

describe("text in figures", () => {
  it("fits and wraps by width", () => {
    expect(fitText("short", 12, 200)).toBe("short");
    expect(textWidth(fitText("x".repeat(200), 12, 100), 12)).toBeLessThanOrEqual(100);
    expect(fitText("x", 12, 1)).toBe("…");
    expect(wrapText("one two three", 12, 50)).toEqual(["one two", "three"]);
    expect(wrapText("", 12, 50)).toEqual([""]);
  });
});
