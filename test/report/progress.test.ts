import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Progress, progressLine } from "../../src/report/progress.js";

/** A stream that says it is a terminal and keeps what it was sent. */
function terminal(isTTY: boolean, columns = 80) {
  const stream = new PassThrough();
  const chunks: string[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
  const cursor = (x: number) => stream.write(`\u001b[${x + 1}G`);
  Object.assign(stream, { isTTY, columns, cursorTo: cursor, clearLine: () => true });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => chunks.join("") };
}

describe("Progress", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["the stream is no terminal", false, false],
    ["quiet", true, true],
  ])("is silent when %s", (_name, isTTY, quiet) => {
    const { stream, text } = terminal(isTTY);
    const progress = new Progress({ stream, quiet });
    progress.start(10, "sweep");
    progress.update(5);
    progress.stop();
    expect(text()).toBe("");
  });

  it("draws label and counts on a terminal and ends its line when stopped early", () => {
    const { stream, text } = terminal(true);
    const progress = new Progress({ stream });
    progress.start(1000, "sweep");
    progress.update(400);
    progress.stop();
    expect(text()).toContain("sweep ");
    expect(text()).toContain("400/1,000");
    expect(text().endsWith("\n")).toBe(true);
    expect(text().match(/\n/g)).toHaveLength(1);
    // Line wrapping and cursor stay as they were, in case the process is killed.
    expect(text()).not.toContain("\u001b[?7l");
    expect(text()).not.toContain("\u001b[?25l");
  });

  it("can be stopped at any time, more than once, and started again", () => {
    const { stream, text } = terminal(true);
    const listeners = process.listenerCount("exit");
    const progress = new Progress({ stream });
    progress.stop();
    progress.update(1);
    progress.start(2, "first");
    progress.start(2, "second");
    progress.stop();
    progress.stop();
    expect(text().match(/\n/g)).toHaveLength(2);
    expect(process.listenerCount("exit")).toBe(listeners);
  });
});

describe("progressLine", () => {
  const state = { label: "sweep", finished: 250, total: 1000, unit: "refits", seconds: 2, columns: 100 };

  it("shows counts, rate and time left", () => {
    expect(progressLine(state)).toMatch(/^sweep █+░+ 250\/1,000 {2}125 refits\/s {2}6 s left$/);
    expect(progressLine({ ...state, total: 100_000 })).toContain("13 min 18 s left");
    expect(progressLine({ ...state, unit: "chains" })).toContain("125 chains/s");
  });

  it("promises nothing before the first refit nor after the last", () => {
    expect(progressLine({ ...state, finished: 0 })).toMatch(/^sweep ░+ 0\/1,000$/);
    expect(progressLine({ ...state, finished: 1000 })).toMatch(/^sweep █+ 1,000\/1,000 {2}500 refits\/s$/);
    expect(progressLine({ ...state, finished: 0, total: 0, seconds: 0 })).toMatch(/^sweep █+ 0\/0$/);
  });

  it("is shorter than any terminal is wide", () => {
    for (let columns = 1; columns < 200; columns++) {
      expect(progressLine({ ...state, label: "a label of some length", columns }).length).toBeLessThan(columns + 1);
      expect(progressLine({ ...state, columns }).length).toBeLessThan(Math.max(2, columns));
    }
  });
});
