/** One HTML document that needs nothing else: no script, no font, no network. */

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const unprintable = /\p{Surrogate}|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/gu;

/** Text as HTML, for content and for attributes; what XML forbids becomes a visible character. */
export const escapeHtml = (text: string): string =>
  text.replace(unprintable, "\ufffd").replace(/[&<>"']/g, (character) => escapes[character]);

/** The same with the names of the model as formulas: theta_A- and R_J get their subscripts. */
export function richText(text: string): string {
  return escapeHtml(text)
    .replace(/\btheta_([A-Z])([-+~]?)/g, (_, row: string, sign: string) => `θ<sub>${row}${signs[sign] ?? ""}</sub>`)
    .replace(/\b([RT])_J\b/g, "$1<sub>J</sub>")
    .replace(/\b(TPR|FPR)_([RT])\b/g, "$1<sub>$2</sub>");
}

const signs: Readonly<Record<string, string>> = { "-": "−", "+": "+", "~": "~" };

/** An element; `content` is HTML already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | null>>,
  content: string,
): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${escapeHtml(String(value))}"`],
  );
  return `<${name}${given.join("")}>${content}</${name}>`;
}

/** @param html its content */
export const paragraph = (html: string, className: string | null = null): string =>
  element("p", { class: className }, html);

export const badge = (className: string, text: string): string =>
  element("span", { class: `badge ${className}` }, text);

/** A figure's SVG as part of a page, which needs no namespaces. */
export const inlineSvg = (svg: string): string =>
  svg
    .trim()
    .replace(/^<\?xml[^>]*\?>\s*/, "")
    .replaceAll(/ xmlns(?::\w+)?="[^"]*"/g, "");

/** The page's policy forbids what it doesn't need, should anything ever slip in. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** @param body HTML */
export function htmlDocument(title: string, body: string): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<meta name="color-scheme" content="light dark" />',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}" />`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    `<body>\n${body}\n</body>`,
    "</html>\n",
  ].join("\n");
}

const style = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1a1f26; --soft: #57606c; --line: #d6dbe1; --panel: #f5f7f9; --link: #1b5aa0;
  --good: #12683a; --bad: #a8261b; --open: #7a5600; --good-back: #e2f3e8; --bad-back: #fbe6e3; --open-back: #fbf0d5;
  --test-ink: #1b4f8a; --test-back: #e4eefa;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --ink: #e4e7eb; --soft: #a3abb5; --line: #383f48; --panel: #1d2126; --link: #84b6f0;
    --good: #7fd6a0; --bad: #f2958b; --open: #e6c26a; --good-back: #17301f; --bad-back: #3a1b18; --open-back: #33290f;
    --test-ink: #9cc5f5; --test-back: #16283d;
  }
  figure svg { filter: invert(1) hue-rotate(180deg); }
  figure svg > rect { fill: transparent; }
  figure svg [fill="white"], figure svg [fill="#ffffff"]:not(svg > rect) { fill: #e4e8ec; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 66rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Open Sans", "Helvetica Neue", Arial, sans-serif;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 .5rem; padding-top: .9rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 1.6rem 0 .3rem; }
p, ul, dl { margin: .5rem 0; max-width: 46rem; }
ul { padding-left: 1.2rem; }
a { color: var(--link); }
.soft { color: var(--soft); }
.lead { font-size: 1.08rem; }
.small { font-size: .88em; }
.notice { background: var(--open-back); border-left: 4px solid var(--open); padding: .6rem .9rem; max-width: 46rem; }
.badge {
  display: inline-block; font-size: min(.74rem, .92em); font-weight: 600; line-height: 1.2; letter-spacing: .01em; padding: .2rem .5rem;
  border-radius: .3rem; white-space: nowrap; vertical-align: .12em; border: 1px solid transparent;
}
.construction, .none { background: var(--panel); color: var(--soft); border-color: var(--line); }
.independent { background: var(--test-back); color: var(--test-ink); }
.holds { background: var(--good-back); color: var(--good); }
.fails { background: var(--bad-back); color: var(--bad); }
.undecided { background: var(--open-back); color: var(--open); }
.scroll { position: relative; overflow-x: auto; margin: .9rem 0; }
table { border-collapse: collapse; font-size: .88rem; line-height: 1.35; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { padding: .28rem .7rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
td { white-space: nowrap; }
th { font-weight: 600; vertical-align: bottom; }
thead th { border-bottom: 2px solid var(--soft); }
tbody th { text-align: left; vertical-align: top; font-weight: 500; }
.text { text-align: left; white-space: normal; }
.group { border-left: 1px solid var(--line); text-align: center; }
.first { border-left: 1px solid var(--line); }
.ours { display: block; color: var(--soft); font-size: .91em; white-space: nowrap; }
.printed { white-space: nowrap; }
.met { color: var(--good); font-weight: 700; }
.missed { color: var(--bad); font-weight: 700; }
td.miss { background: var(--bad-back); }
.best { font-weight: 750; }
.worst { font-style: italic; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.claims { width: 100%; }
.claims td { text-align: left; white-space: normal; }
.claims .number { text-align: right; white-space: nowrap; }
.claims .said { min-width: 15rem; }
.claims .how { color: var(--soft); font-size: .94em; min-width: 13rem; }
.claims .verdict { white-space: nowrap; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; display: block; }
figure.column svg { width: 27rem; }
dl.terms { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dl.terms dt { font-weight: 600; }
dl.terms dd { margin: 0; }
nav ul { columns: 2 22rem; list-style: none; padding: 0; max-width: none; }
nav li { break-inside: avoid; padding: .1rem 0; }
.contradiction { border-left: 3px solid var(--open); padding: .1rem 0 .1rem .8rem; margin: .6rem 0; max-width: 46rem; }
@media screen and (max-width: 40rem) {
  figure:not(.column) svg { max-width: none; width: 40rem; }
  body { padding: 1.2rem .9rem 3rem; font-size: 15px; }
  h1 { font-size: 1.5rem; }
  th, td { padding: .25rem .45rem; }
  dl.terms { grid-template-columns: 1fr; gap: 0; }
  dl.terms dd { margin-bottom: .5rem; }
}
@page { margin: 15mm 13mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  h1 { font-size: 18pt; } h2 { font-size: 13pt; margin-top: 1.6rem; }
  h2, h3 { break-after: avoid; }
  tr, figure, .contradiction, .notice { break-inside: avoid; }
  .scroll, figure { overflow: visible; }
  table { font-size: 8pt; }
  th, td { padding: .15rem .4rem; }
  .claims .said, .claims .how { min-width: 0; }
  a { color: inherit; text-decoration: none; }
  .badge, td.miss { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
