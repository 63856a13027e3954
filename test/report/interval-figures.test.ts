import { DOMParser } from "linkedom";
import { beforeAll, describe, expect, it } from "vitest";
import type { Comparison } from "../../src/documents.js";
import { densitiesFigure, fitDensities, mostFits } from "../../src/report/densities-figure.js";
import { differencesFigure } from "../../src/report/differences-figure.js";
import { toPng } from "../../src/report/figure.js";
import { tickFormat, tightScale } from "../../src/report/scale.js";
import { systemsFigure } from "../../src/report/systems-figure.js";
import { configurations } from "../../src/reproduce/printed.js";
import { type SystemIntervals, systemQuantities } from "../../src/reproduce/systems.js";
import { sampleFit } from "./samples.js";

const columnWidth = 340;

function parse(svg: string) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement as unknown as Element;
  return { svg, root, panels: all(root, "g.panel") };
}

const all = (element: Element, selector: string) => [...element.querySelectorAll(selector)];
const number = (element: Element, name: string) => Number(element.getAttribute(name));
/** Where a symbol stands: x and y of its transform or its centre. */
function placeOf(symbol: Element): [number, number] {
  const moved = /translate\(([^,]+),([^)]+)\)/.exec(symbol.getAttribute("transform") ?? "");
  return moved ? [Number(moved[1]), Number(moved[2])] : [number(symbol, "cx"), number(symbol, "cy")];
}
const symbolsOf = (panel: Element) => all(panel, "g.symbols > *");
const noteOf = (symbol: Element) => symbol.querySelector("title")?.textContent ?? "";
const bad = /NaN|null|undefined|Infinity/;
/** Value of a pixel, from the labels of the axis and where they stand. */
function axisOf(panel: Element): (x: number) => number {
  const ticks = all(panel, '[aria-label="x-axis tick label"] text').map((text) => ({
    value: Number(text.textContent?.replace("−", "-")),
    x: placeOf(text)[0],
  }));
  const [a, b] = [ticks[0], ticks[ticks.length - 1]];
  return (x) => a.value + ((x - a.x) / (b.x - a.x)) * (b.value - a.value);
}

function fitsColumn(svg: string): void {
  const { root } = parse(svg);
  expect(number(root, "width")).toBe(columnWidth);
  const sizes = all(root, "[font-size]").map((element) => number(element, "font-size"));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10);
}

describe("systemsFigure", () => {
  const systems: SystemIntervals[] = configurations.map((system, i) => ({
    ...system,
    intervals: new Map(
      systemQuantities.map((name, q) => {
        const mean = 0.1 + 0.03 * i + 0.001 * q;
        return [name, { mean, lower: mean - 0.01, upper: mean + 0.02 }] as const;
      }),
    ),
  }));
  let figure: ReturnType<typeof parse>;
  beforeAll(async () => {
    figure = parse(await systemsFigure(systems));
  });

  it("has a mark of each of 27 systems in each of 8 panels, at its value's place and in its row", () => {
    expect(figure.panels.map((panel) => panel.getAttribute("data-quantity"))).toEqual([...systemQuantities]);
    for (const [q, panel] of figure.panels.entries()) {
      const valueAt = axisOf(panel);
      const marks = symbolsOf(panel).map((symbol) => ({ note: noteOf(symbol), place: placeOf(symbol) }));
      expect(marks).toHaveLength(27);
      const rows = configurations.map(({ dataset, retriever, generator }, i) => {
        const own = marks.filter(({ note }) => note.startsWith(`${dataset}, ${retriever}, ${generator}: `));
        expect(own).toHaveLength(1);
        expect(valueAt(own[0].place[0])).toBeCloseTo(0.1 + 0.03 * i + 0.001 * q, 2);
        return own[0].place[1];
      });
      expect([...rows].sort((a, b) => a - b)).toEqual(rows);
      const ends = all(panel, "g.intervals line").map(
        (line) => valueAt(number(line, "x2")) - valueAt(number(line, "x1")),
      );
      expect(ends).toHaveLength(27);
      for (const width of ends) expect(width).toBeCloseTo(0.03, 3);
    }
  });

  it("tells generators apart by shape and shade, and fits a column", () => {
    const groups = all(figure.panels[0], "g.symbols");
    expect(new Set(groups.map((group) => group.getAttribute("fill"))).size).toBe(3);
    expect(new Set(groups.map((group) => group.firstElementChild?.getAttribute("d") ?? "circle")).size).toBe(3);
    fitsColumn(figure.svg);
    expect(figure.svg).not.toMatch(bad);
    for (const name of ["HotpotQA", "hybrid", "Apertus"]) expect(figure.root.textContent).toContain(name);
  });

  it("leaves out a quantity that a system lacks", async () => {
    const { svg, panels } = parse(await systemsFigure([{ ...systems[0], intervals: new Map() }, ...systems.slice(1)]));
    expect(svg).not.toMatch(bad);
    expect(symbolsOf(panels[0])).toHaveLength(26);
  });
});

describe("densitiesFigure", () => {
  const one = (source: string, shift = 0) => {
    const fit = sampleFit({ source });
    const values = fit.quantities.map(({ mean }) =>
      Float64Array.from({ length: 500 }, (_, i) => (mean ?? 0) + shift + 0.004 * Math.sin(i) ** 3),
    );
    return fitDensities(fit, values);
  };

  it("has a panel a quantity, in a grid, with a curve and an interval of each fit", async () => {
    const { svg, panels, root } = parse(await densitiesFigure([one("a"), one("b", 0.1), one("c", 0.2)]));
    const names = sampleFit().quantities.map(({ name }) => name);
    expect(panels.map((panel) => panel.getAttribute("data-quantity"))).toEqual(names);
    expect(new Set(panels.map((panel) => placeOf(panel)[0])).size).toBe(2);
    for (const panel of panels) {
      const lines = all(panel, "g.line");
      expect(lines.map((line) => all(line, "path").length)).toEqual([1, 1, 1]);
      expect(new Set(lines.map((line) => line.getAttribute("stroke-dasharray"))).size).toBe(3);
      expect(symbolsOf(panel)).toHaveLength(3);
      expect(all(panel, "g.intervals line")).toHaveLength(3);
    }
    expect(all(root, "g.legend-entry")).toHaveLength(3);
    fitsColumn(svg);
    expect(svg).not.toMatch(bad);
  });

  it("has no legend but the name for one fit, and a line where all draws are the same", async () => {
    const fit = sampleFit({ source: "only.csv" });
    const values = fit.quantities.map(({ mean }) => new Float64Array(100).fill(mean ?? 0));
    const { svg, root, panels } = parse(await densitiesFigure([fitDensities(fit, values)]));
    expect(all(root, "g.legend")).toHaveLength(0);
    expect(all(root, "text").map((text) => text.textContent)).toContain("only.csv");
    for (const panel of panels) expect(all(panel, "g.line path")).toHaveLength(1);
    expect(svg).not.toMatch(bad);
  });

  it("works for quantities without a number, and for none", async () => {
    const fit = sampleFit();
    const quantities = fit.quantities.map((own) => ({ ...own, mean: null, lower: null, upper: null }));
    const lost = fitDensities(
      { ...fit, quantities },
      quantities.map(() => new Float64Array(10).fill(Number.NaN)),
    );
    expect(await densitiesFigure([lost])).not.toMatch(bad);
    expect(await densitiesFigure([fitDensities({ ...fit, quantities: [] }, [])])).not.toMatch(bad);
  });

  it("says how many of many fits it shows; escapes names and shortens long ones", async () => {
    const name = `a & "b" <c> \u0007 ${"long".repeat(40)}.csv`;
    const fits = Array.from({ length: mostFits + 1 }, (_, i) => one(i === 0 ? name : `f${i}`, 0.01 * i));
    const { svg, root, panels } = parse(await densitiesFigure(fits, 30));
    expect(all(root, "g.legend-entry")).toHaveLength(mostFits);
    const looks = all(panels[0], "g.symbols").map(
      (group) => `${group.getAttribute("fill") === "white"} ${group.firstElementChild?.getAttribute("d") ?? "circle"}`,
    );
    expect(new Set(looks).size).toBe(mostFits);
    expect(root.textContent).toContain(`The first ${mostFits} of 30 fits`);
    expect(svg).not.toContain("\u0007");
    expect(all(root, "text").some((text) => /^a & "b".*….*\.csv$/.test(text.textContent ?? ""))).toBe(true);
    await expect(toPng(svg)).resolves.toBeInstanceOf(Uint8Array);
  });
});

describe("differencesFigure", () => {
  const quantities = ["P(G=1)", "P(T=1)", "theta_A-"];
  const pairsOf = (names: readonly string[]): Comparison[] =>
    names.flatMap((first, i) =>
      names.slice(i + 1).flatMap((second, j) =>
        quantities.map((quantity, q) => {
          const difference = 0.05 * q + 0.02 * j - 0.03 * i;
          const [lower, upper] = [difference - 0.04, difference + 0.04];
          return { first, second, quantity, difference, lower, upper, pSecondGreater: 0.5, mcse: 0.001, paired: false };
        }),
      ),
    );
  const draw = async (comparisons: Comparison[]) => parse(await differencesFigure({ comparisons }, { level: 0.9 }));

  it.each([
    [2, 1, 1],
    [3, 1, 3],
    [4, 6, 6],
    [27, 26, 26],
  ])("of %i systems has %i panels with %i pairs, each difference at its place", async (systems, count, shown) => {
    const names = Array.from({ length: systems }, (_, i) => `s${i}.`);
    const comparisons = pairsOf(names);
    const { svg, panels, root } = await draw(comparisons);
    expect(panels).toHaveLength(count);
    expect(panels.flatMap(symbolsOf)).toHaveLength(shown * quantities.length);
    for (const panel of panels) {
      const valueAt = axisOf(panel);
      const [zero] = all(panel, "g.zero line, .zero line");
      expect(valueAt(number(zero, "x1"))).toBeCloseTo(0, 2);
      for (const symbol of symbolsOf(panel)) {
        const own = comparisons.find(({ first, second, quantity }) =>
          noteOf(symbol).startsWith(`${quantity}, ${second} − ${first}: `),
        )!;
        expect(Math.abs(valueAt(placeOf(symbol)[0]) - own.difference)).toBeLessThan(0.005);
        const isOpen = symbol.parentElement?.getAttribute("fill") === "white";
        expect(isOpen).toBe(own.lower <= 0 && own.upper >= 0);
      }
    }
    fitsColumn(svg);
    expect(svg).not.toMatch(bad);
    expect(root.textContent).toContain("90% intervals");
    expect(root.textContent?.includes("26 of 351 pairs")).toBe(systems === 27);
  });

  it("escapes names, shortens both of a pair, and leaves out what is not a number", async () => {
    const names = [`a & "b" <c> ${"long".repeat(40)}.csv`, `x<"&${"long".repeat(40)}-2.csv`];
    const comparisons = pairsOf(names).map((own, i) => (i === 0 ? { ...own, lower: Number.NaN } : own));
    const { svg, root, panels } = await draw(comparisons);
    expect(symbolsOf(panels[0])).toHaveLength(quantities.length - 1);
    expect(svg).not.toMatch(bad);
    expect(
      all(root, "text").some((text) => /^x<"&.*….*-2\.csv − a & "b".*….*\.csv$/.test(text.textContent ?? "")),
    ).toBe(true);
    await expect(toPng(svg)).resolves.toBeInstanceOf(Uint8Array);
  });
});

describe("tightScale", () => {
  it.each([
    [[0.003, 0.088], 111],
    [[-0.8, 0.5], 90],
    [[0.5], 100],
    [[0], 100],
    [[1234567, 1234999], 200],
    [[], 100],
  ])("of %j over %i pixels has labels that don't touch", (values, pixels) => {
    const { domain, ticks } = tightScale(values, pixels, 11);
    for (const value of values) expect(value >= domain[0] && value <= domain[1]).toBe(true);
    for (const tick of ticks) expect(tick >= domain[0] - 1e-9 && tick <= domain[1] + 1e-9).toBe(true);
    const labels = ticks.map(tickFormat(ticks));
    expect(new Set(labels).size).toBe(labels.length);
    const gap = ((ticks[1] - ticks[0]) / (domain[1] - domain[0])) * pixels;
    if (ticks.length > 1) expect(gap).toBeGreaterThan(5.5 * Math.max(...labels.map((label) => label.length)));
  });
});
