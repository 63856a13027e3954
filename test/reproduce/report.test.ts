import { beforeAll, describe, expect, it } from "vitest";
import { type ReproduceDocument, reproduce } from "../../dist/index.js";
import { networkFigure } from "../../dist/report/network-figure.js";
import { reproduceHtml } from "../../dist/report/reproduce-html.js";
import { claimsCsv, numbersCsv, reproduceMarkdown, reproduceText } from "../../dist/report/reproduce-text.js";

let document: ReproduceDocument;
let html = "";
beforeAll(async () => {
  document = await reproduce({ seed: 3, quick: true, workers: 2 });
  html = reproduceHtml(document, { network: networkFigure() });
});

/** What a parser of XML would object to, in words. */
function faults(text: string): string[] {
  const open: string[] = [];
  const found: string[] = [];
  const body = text.replace(/^<!doctype html>\s*/, "");
  for (const [tag, closing, name, attributes, self] of body.matchAll(/<(\/?)([a-zA-Z][\w-]*)((?:\s[^<>]*?)?)(\/?)>/g)) {
    if (closing) {
      const last = open.pop();
      if (last !== name) found.push(`${tag} closes ${last}`);
    } else if (!self) open.push(name);
    if (attributes.trim() !== "" && !/^(?:\s+[\w:-]+="[^"<]*")+\s*$/.test(attributes)) found.push(tag);
  }
  const rest = body.replaceAll(/<style>.*?<\/style>/gs, "").replaceAll(/<\/?[a-zA-Z][^<>]*>/g, "");
  if (/[<>]/.test(rest)) found.push("a bare bracket");
  if (/&(?!(?:amp|lt|gt|quot|#\d+);)/.test(rest)) found.push("a bare ampersand");
  return [...found, ...open.map((name) => `${name} stays open`)];
}

describe("the HTML", () => {
  it("is well formed", () => {
    expect(faults(html)).toEqual([]);
    expect(faults("<p><b>x</p>")).not.toEqual([]);
    expect(faults("<p>a < b</p>")).not.toEqual([]);
  });

  it("has no script and refers to nothing outside", () => {
    expect(html).not.toMatch(/<script|<link|<iframe|<object|<embed|<img|<base|javascript:|\son\w+=/i);
    expect(html).not.toMatch(/https?:|\/\/[a-z]|url\(|@import|\ssrc=|data:/i);
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !target.startsWith("#"))).toEqual([]);
  });

  it("links lead to what is there, and no name is there twice", () => {
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.length).toBe(new Set(ids).size);
    const targets = [...html.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it("says what kind of evidence each table is, and that the run was quick", () => {
    for (const words of ["by construction", "independent test", "not recomputed", "A quick run"]) {
      expect(html).toContain(words);
    }
    for (const { title } of document.tables) expect(html).toContain(title.replaceAll("'", "&#39;"));
  });

  it("escapes whatever it is given", () => {
    const nasty = `<img src=x onerror="alert('1')">&`;
    const [first, ...others] = document.tables.filter(({ rows }) => rows.length > 0);
    const hostile = reproduceHtml(
      {
        ...document,
        version: nasty,
        tables: [
          {
            ...first,
            ...{ title: nasty, about: nasty, basis: nasty, heads: [nasty], notes: [nasty] },
            rows: first.rows.map((row) => ({ ...row, labels: [nasty], column: nasty, printed: nasty, variant: nasty })),
          },
          ...others,
        ],
        claims: document.claims.map((claim) => ({ ...claim, claim: nasty, decidedBy: nasty })),
        contradictions: document.contradictions.map((one) => ({ ...one, where: nasty, text: nasty })),
        experiments: document.experiments.map((one) => ({ ...one, name: nasty, about: nasty })),
      },
      {},
    );
    expect(hostile).not.toContain("<img");
    expect(faults(hostile)).toEqual([]);
  });
});

describe("the other forms", () => {
  it("Markdown has a line a number and a line a claim", () => {
    const markdown = reproduceMarkdown(document, { network: "fig1.svg" });
    const numbers = document.tables.reduce((sum, { rows }) => sum + rows.length, 0);
    const lines = markdown
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (?:---|\| printed|section)/.test(line));
    expect(lines).toHaveLength(numbers + document.claims.length);
    expect(markdown).toContain("(fig1.svg)");
  });

  it("CSV has a row a number, and a row a claim", () => {
    const numbers = document.tables.reduce((sum, { rows }) => sum + rows.length, 0);
    expect(numbersCsv(document).trimEnd().split("\n")).toHaveLength(1 + numbers);
    expect(claimsCsv(document).trimEnd().split("\n")).toHaveLength(1 + document.claims.length);
  });

  it("a terminal sees each table and every claim that doesn't hold", () => {
    const text = reproduceText(document);
    expect(text).toMatch(/^table1 +by construction +89 of 90 met$/m);
    for (const { claim, verdict } of document.claims) if (verdict !== "holds") expect(text).toContain(claim);
  });
});
