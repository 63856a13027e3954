import { createEngine, presetSource, RatError, rat, type SweepOptions, type SweepPlan, sweep } from "rat-engine";

let release = (): void => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});

/** What tests call in the page; everything goes there and back as plain data. */
const tools = {
  /** Something in the page that waits for the test, or the other way round. */
  released,
  release,
  /** Devices in the order in which they were opened. */
  devices: [] as GPUDevice[],
  createEngine,
  rat,
  sweepOf,
  errorOf,
  abortSweep,
  startTicking,
};

declare global {
  var inPage: typeof tools;
}
globalThis.inPage = tools;

// What the engine opens is seen here too: tests take its device away.
if (typeof GPUAdapter !== "undefined") {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    tools.devices.push(device);
    return device;
  };
}

const source = "hotpotqa-hybrid-qwen3.5";

/** A sweep of one system, with its rows and what was told on the way. */
async function sweepOf(options: SweepOptions, onProgress?: (finished: number) => void) {
  const rows: Parameters<NonNullable<SweepOptions["onRows"]>>[0][number][] = [];
  const notices: string[] = [];
  let plan: SweepPlan | undefined;
  const { sweeps } = await sweep([presetSource(source)], {
    ...options,
    onStart: (started) => {
      plan = started;
    },
    onRows: (more) => void rows.push(...more),
    onNotice: (notice) => notices.push(notice),
    ...(onProgress && { onProgress }),
  });
  return { ...sweeps[0], sampling: plan?.sampling, rows, notices };
}

async function errorOf(work: () => Promise<unknown>) {
  try {
    await work();
    return null;
  } catch (error) {
    const { name, message } = error as Error;
    return { name, message, kind: error instanceof RatError ? error.kind : null };
  }
}

/** Aborts a sweep some time after its start, or once refits are finished; how it ended, and how long after. */
async function abortSweep(options: SweepOptions, when: number | "working") {
  const controller = new AbortController();
  let aborted = 0;
  let finished = 0;
  const abort = (): void => {
    if (aborted > 0) return;
    aborted = performance.now();
    controller.abort();
  };
  if (when !== "working") setTimeout(abort, when);
  const sweeping = (): Promise<unknown> =>
    sweepOf({ ...options, signal: controller.signal }, (now) => {
      finished = now;
      if (when === "working" && now > 0) setTimeout(abort);
    });
  const error = await errorOf(sweeping);
  return { error, finished, milliseconds: performance.now() - aborted };
}

/** Counts how late a timer of 5 ms comes, until it is called: gaps between one tick and the next, in milliseconds. */
function startTicking(): () => number[] {
  const gaps: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    gaps.push(now - last);
    last = now;
  }, 5);
  return () => {
    clearInterval(timer);
    return gaps;
  };
}
