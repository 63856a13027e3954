// npx vite examples/browser (after npm run build): the allocation experiment in a page, with progress and cancel.
import { presetNames, presetSource, RatError, type SweepDocument, sweep } from "rat-engine";

type Sweep = SweepDocument["sweeps"][number];

const find = <T extends Element>(selector: string): T => document.querySelector(selector) as T;
const form = find<HTMLFormElement>("form");
const run = find<HTMLButtonElement>("[type=submit]");
const cancel = find<HTMLButtonElement>("[name=cancel]");
const bar = find<HTMLProgressElement>("progress");
const status = find<HTMLElement>("[role=status]");
const results = find<HTMLElement>("section");

find("[name=preset]").append(...presetNames().map((name) => new Option(name, name)));
find<HTMLSelectElement>("[name=preset]").value = "hotpotqa-hybrid-qwen3.5";

let controller = new AbortController();
cancel.onclick = () => controller.abort();

form.onsubmit = async (event) => {
  event.preventDefault();
  const chosen = new FormData(form);
  controller = new AbortController();
  busy(true);
  bar.value = 0;
  say("Starting …");
  results.replaceChildren();
  const begin = performance.now();
  try {
    const { sweeps } = await sweep([presetSource(String(chosen.get("preset")))], {
      engine: chosen.get("engine") as "wasm" | "webgpu",
      replicates: Number(chosen.get("replicates")),
      seed: Number(chosen.get("seed")),
      signal: controller.signal,
      onStart: ({ cells, end }) => {
        bar.max = cells.length * end;
      },
      onProgress: (finished) => {
        bar.value = finished;
        if (finished > 0) say(`${whole(finished)} of ${whole(bar.max)} posteriors`);
      },
    });
    const [done] = sweeps;
    const seconds = (performance.now() - begin) / 1000;
    say(
      `${whole(done.refits)} posteriors in ${seconds.toFixed(1)} s, ${whole(done.refitsPerSecond ?? 0)} a second once ` +
        `started, on ${done.engine}: ${done.adapter ?? `${done.workers} workers`}`,
    );
    const tables = Object.keys(done.truth).map((quantity) => tableOf(done, quantity));
    const note = cell("p", "Shaded: no other strategy is better by two standard errors of their paired difference.");
    results.replaceChildren(...tables, note);
  } catch (error) {
    if (!(error instanceof RatError)) throw error;
    if (error.kind === "interrupted") say("Cancelled.");
    else say(error.describe(), true);
  } finally {
    busy(false);
  }
};

function busy(is: boolean): void {
  run.disabled = is;
  cancel.disabled = !is;
}

function say(text: string, isFailure = false): void {
  status.textContent = text;
  status.classList.toggle("failed", isFailure);
}

/** Mean absolute errors of one quantity: a strategy a row, a number of additional records a column. */
function tableOf({ cells, paired, truth }: Sweep, quantity: string): HTMLTableElement {
  const own = cells.filter((cell) => cell.quantity === quantity);
  const [base] = own;
  const adds = [...new Set(own.map(({ add }) => add))].filter((add) => add > 0);
  const isBeaten = (strategy: string, add: number): boolean =>
    paired
      .filter((pair) => pair.quantity === quantity && pair.add === add)
      .some(({ strategy: one, versus, maeDifference, maeDifferenceSe }) => {
        const worseBy = (maeDifference ?? 0) / (maeDifferenceSe ?? 1);
        return (one === strategy && worseBy > 2) || (versus === strategy && worseBy < -2);
      });

  const table = document.createElement("table");
  table
    .createCaption()
    .append(
      `Mean absolute error of ${quantity} ± standard error`,
      small(`${number(truth[quantity])} by all records; base sample alone ${number(base.mae)} ± ${number(base.maeSe)}`),
    );
  const head = table.createTHead().insertRow();
  for (const text of ["", ...adds.map((add) => `+ ${add} records`)]) head.append(cell("th", text));
  const body = table.createTBody();
  for (const strategy of new Set(own.slice(1).map((cell) => cell.strategy))) {
    const row = body.insertRow();
    row.append(cell("th", strategy));
    for (const { add, mae, maeSe } of own.filter((cell) => cell.strategy === strategy)) {
      const entry = row.insertCell();
      entry.append(number(mae), small(` ± ${number(maeSe)}`));
      entry.classList.toggle("best", !isBeaten(strategy, add));
    }
  }
  return table;
}

function cell(kind: "th" | "p", text: string): HTMLElement {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

function small(text: string): HTMLElement {
  const element = document.createElement("small");
  element.textContent = text;
  return element;
}

const number = (value: number | null): string => value?.toFixed(4) ?? "–";

const whole = (number: number): string => Math.round(number).toLocaleString("en");
