import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as layout from "../../src/generated/layout.js";
import { openProbe } from "../support/kernel.js";

const source = readFileSync(new URL("../../assembly/layout.ts", import.meta.url), "utf8");
const declared = [...source.matchAll(/^export const (\w+): \w+ = (\d+);/gm)].map(([, name, value]) => [
  name,
  Number(value),
]);
const probe = openProbe();

describe("the layout", () => {
  it("has the same numbers in the kernel, on the host and in its source, and no others", () => {
    expect(declared.length).toBe(source.match(/export const/g)?.length);
    expect(Object.entries(layout).sort()).toEqual([...declared].sort());
    const compiled = declared.map(([name]) => [name, (probe[name] as WebAssembly.Global).value]);
    expect(compiled).toEqual(declared);
  });

  it.each(["NETWORK", "QUANTITY", "RUN"])(
    "puts the fields of the %s block side by side, none over another",
    (block) => {
      const fields = declared.filter(([name]) => String(name).startsWith(`${block}_`)) as [string, number][];
      const bytes = fields.find(([name]) => name === `${block}_BYTES`)![1];
      const wide = ["RUN_SEED", "RUN_REFIT", "RUN_LOWER", "RUN_UPPER"];
      let end = 0;
      for (const [name, offset] of fields.filter(([name]) => name !== `${block}_BYTES`)) {
        expect(offset, name).toBe(end);
        end = offset + (wide.includes(name) ? 8 : 4);
      }
      expect(end).toBeLessThanOrEqual(bytes);
    },
  );

  it.each(["CHAIN", "SUMMARY", "TRACE"])("numbers the fields of %s from 0 to their count", (record) => {
    const fields = declared.filter(([name]) => String(name).startsWith(`${record}_`));
    expect(fields.map(([, value]) => value)).toEqual(fields.map((_, index) => index));
    expect(fields.at(-1)?.[0]).toBe(`${record}_FIELDS`);
  });

  it("keeps the blocks and what follows apart in memory", () => {
    const blocks = [
      [probe.networkBlock(), layout.NETWORK_BYTES],
      [probe.quantityBlock(), layout.QUANTITY_BYTES],
      [probe.runBlock(), layout.RUN_BYTES],
      [probe.scratch(), probe.scratchBytes()],
      [probe.freeMemory(), 0],
    ].sort(([a], [b]) => a - b);
    for (let i = 0; i + 1 < blocks.length; i++)
      expect(blocks[i][0] + blocks[i][1]).toBeLessThanOrEqual(blocks[i + 1][0]);
    expect(blocks.at(-1)?.[0]).toBe(probe.freeMemory());
  });
});
