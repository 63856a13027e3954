import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build, createLogger, createServer, preview, type Rolldown } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A page of this checkout that is served; `rat-engine` in it is the checkout itself, as it is built. */
export interface Served {
  readonly url: string;
  /** All that Vite had to say. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** Built as users' projects are. */
export interface Site extends Served {
  readonly chunks: readonly Rolldown.OutputChunk[];
}

/** @param folder of the page in the checkout */
export async function openSite(folder: string): Promise<Site> {
  const { common, warnings, scratch } = settings(folder);
  const built = await build({ ...common, build: { outDir: scratch, emptyOutDir: true } });
  if (!("output" in built)) throw new Error("one build was asked for");
  const server = await preview({ ...common, build: { outDir: scratch }, preview: anyPort });
  return {
    url: server.resolvedUrls?.local[0] ?? "",
    warnings,
    chunks: built.output.filter((part) => part.type === "chunk"),
    async close() {
      await server.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** As while a page is written. @param folder of the page in the checkout */
export async function openServer(folder: string): Promise<Served> {
  const { common, warnings, scratch } = settings(folder);
  const server = await createServer({ ...common, cacheDir: scratch, server: anyPort });
  await server.listen();
  return {
    url: server.resolvedUrls?.local[0] ?? "",
    warnings,
    async close() {
      await server.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

const anyPort = { host: "127.0.0.1", port: 0 };

function settings(folder: string) {
  const warnings: string[] = [];
  const customLogger = createLogger("warn");
  for (const method of ["warn", "warnOnce", "error"] as const) {
    customLogger[method] = (message) => void warnings.push(message);
  }
  const common = { root: join(root, folder), configFile: false, customLogger, logLevel: "warn" } as const;
  return { common, warnings, scratch: mkdtempSync(join(tmpdir(), "rat-page-")) };
}

/** Collects what goes wrong in a page without anybody catching it, or is told on its console. */
export function complaintsOf(page: Page, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(`${error.stack ?? error}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
}

/** Makes the page's thread, not its workers, that many times slower. */
export async function cpuSlowdown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, by the wall and of the thread's own time. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly frames?: readonly { processId: number }[] } };
}

/**
 * Milliseconds that each task of the page's thread kept it busy while something was done: by the clock of the thread or by
 * that of the wall, whichever shows less. The wall's counts what other processes took away, the thread's is coarse.
 */
export async function busyTimes(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  let trace: Buffer;
  try {
    await work();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20))); // a task is seen once it is over
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString());
  const frames = traceEvents.find(({ name }) => name === "TracingStartedInBrowser")?.args?.data?.frames ?? [];
  const thread = traceEvents.find(
    ({ name, pid, args }) => name === "thread_name" && args?.name === "CrRendererMain" && pid === frames[0]?.processId,
  );
  if (thread === undefined) throw new Error("the trace doesn't show the page's thread");
  return traceEvents
    .filter(({ name, pid, tid }) => name === "RunTask" && pid === thread.pid && tid === thread.tid)
    .map(({ dur = 0, tdur = dur }) => Math.min(dur, tdur) / 1000);
}
