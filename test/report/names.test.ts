import { describe, expect, it } from "vitest";
import { shorten } from "../../src/report/format.js";
import { shortNames } from "../../src/report/names.js";

const cut = (name: string): string => shorten(name, 20);
const shortOf = (...names: string[]): string[] => [...shortNames(names, cut).values()];

describe("names that are too long", () => {
  it("are cut in the middle where that tells them apart", () => {
    expect(shortOf("short", "a name of thirty characters ab")).toEqual(["short", "a name of …acters ab"]);
  });

  it("are cut where they are alike, at words, where it doesn't", () => {
    const system = (name: string): string => `long.csv [system=gpt-4o-${name}-hybrid]`;
    const names = ["mini-2024-07-18", "mini-2024-08-06", "maxi-2024-07-18"];
    expect(shortOf(...names.map(system))).toEqual(names.map((name) => `…${name}…`));
  });

  it("are numbered where what differs is too long itself", () => {
    const middle = (digit: number): string => `${"x".repeat(30)}${digit}${"y".repeat(30)}`;
    const short = shortOf(middle(1), middle(2), middle(3));
    expect(new Set(short).size).toBe(3);
    expect(short[1]).toMatch(/^2 x+…y+$/);
  });

  it("come back by name, however often one occurs; one alone, and none", () => {
    expect(shortNames(["b", "a", "b"], cut)).toEqual(
      new Map([
        ["b", "b"],
        ["a", "a"],
      ]),
    );
    expect(shortOf("x".repeat(40))).toEqual([cut("x".repeat(40))]);
    expect(shortOf()).toEqual([]);
  });

  it("may begin with one another", () => {
    expect(shortOf("x".repeat(30), "x".repeat(31))).toEqual(["1 xxxxxxxx…xxxxxxxxx", "2 xxxxxxxx…xxxxxxxxx"]);
  });
});
