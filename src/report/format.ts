/** Numbers as people read them: fixed decimals, never a rounding that says more than the number does. */

/** What stands for a number that doesn't apply. */
export const absent = "–";

const isNumber = (value: number | null | undefined): value is number => value != null && Number.isFinite(value);

/**
 * Decimals that show the smallest of these errors with `digits` significant digits, within [least, most].
 * One number of decimals serves a whole column, so that its points stay aligned.
 */
export function decimalsFor(errors: readonly (number | null)[], digits: number, least = 4, most = 8): number {
  const smallest = Math.min(...errors.filter((error) => isNumber(error) && error > 0).map(Number));
  if (!Number.isFinite(smallest)) return least;
  return Math.min(most, Math.max(least, digits - 1 - Math.floor(Math.log10(smallest))));
}

/** Doubles from here on have no decimals that mean anything. */
const tooLarge = 1e15;

/** Fixed decimals, with no sign on a zero. */
export function fixed(value: number | null | undefined, decimals: number): string {
  if (!isNumber(value)) return absent;
  if (Math.abs(value) >= tooLarge) return value.toExponential(decimals);
  const text = value.toFixed(decimals);
  return Number(text) === 0 && text.startsWith("-") ? text.slice(1) : text;
}

/** The same with a sign on all but zero. */
export function signed(value: number | null, decimals: number): string {
  const text = fixed(value, decimals);
  return isNumber(value) && value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/**
 * Fixed decimals for what lies in [-1, 1], where a bound means certainty: a number strictly between 0 and 1 (or
 * -1 and 0) never prints as one of them, but as "<0.0001" or ">0.9999".
 */
export function bounded(value: number | null, decimals: number): string {
  const text = fixed(value, decimals);
  if (!isNumber(value) || Number.isInteger(value) || Math.abs(value) > 1) return text;
  const rounded = Number(text);
  if (!Number.isInteger(rounded)) return text;
  const unit = 10 ** -decimals;
  if (value > 0) return rounded === 0 ? `<${unit.toFixed(decimals)}` : `>${(1 - unit).toFixed(decimals)}`;
  return rounded === 0 ? `>-${unit.toFixed(decimals)}` : `<-${(1 - unit).toFixed(decimals)}`;
}

/** An average and its standard error; a positive error too small for the decimals is "<". */
export function withError(text: string, error: number | null, decimals: number): string {
  if (text === absent) return absent;
  return isNumber(error) ? `${text} ± ${bounded(error, decimals)}` : `${text} ± ${absent}`;
}

/** Whole numbers with thousands separators, rounded down: an effective sample size of 399.9 is not 400. */
export function whole(value: number | null): string {
  return isNumber(value) ? Math.floor(value).toLocaleString("en-US") : absent;
}

/** A time in words of the size that people think in. */
export function duration(seconds: number): string {
  if (seconds < 0.0005) return seconds > 0 ? "<1 ms" : "0 ms";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const rounded = Math.round(seconds);
  const [hours, minutes] = [Math.floor(rounded / 3600), Math.floor((rounded % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rounded % 60} s`;
}

/** Up to 3 significant digits above zero: rates, step sizes, leapfrog steps. */
export function brief(value: number | null): string {
  if (!isNumber(value)) return absent;
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

/** An interval level as a percentage: 0.95 is "95%", 0.999 "99.9%". */
export function percent(level: number): string {
  return `${Number((100 * level).toPrecision(12))}%`;
}

/** Cuts the middle out of a long name: file names differ at both ends. */
export function shorten(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - (most - 1 - head)).join("")}`;
}

/** The least and the most of some whole numbers, or the one that all are. */
export function range(values: readonly number[]): string {
  return [...new Set([Math.min(...values), Math.max(...values)])].map(whole).join(" to ");
}

/** How many there are of a thing: "1 chain", "2 chains". */
export function counted(text: string, thing: string): string {
  return `${text} ${thing}${text === "1" ? "" : "s"}`;
}
