import { interruption } from "./errors.js";

/**
 * What work comes to, or a rejection as soon as one of the signals is aborted: what still comes of the work is then
 * nobody's concern.
 * @throws RatError (interrupted)
 */
export async function untilAborted<T>(work: Promise<T>, ...signals: (AbortSignal | undefined)[]): Promise<T> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(interruption(signals.find((signal) => signal?.aborted)));
  });
  for (const signal of signals) signal?.addEventListener("abort", abort);
  if (signals.some((signal) => signal?.aborted)) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  }
}
