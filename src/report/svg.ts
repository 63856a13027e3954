/** Small tools for SVG text and elements; the document is that of a DOM without a browser. */

export const fontFamily = "'Open Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

const namespace = "http://www.w3.org/2000/svg";

export type Attributes = Readonly<Record<string, string | number>>;

/** A new element at the end of its parent. */
export function append(parent: Element, name: string, attributes: Attributes = {}, text?: string): Element {
  const element = parent.ownerDocument.createElementNS(namespace, name);
  setAttributes(element, attributes);
  if (text !== undefined) element.textContent = printable(text);
  parent.appendChild(element);
  return element;
}

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === "number" ? String(rounded(value)) : printable(value));
  }
}

/** Characters that XML forbids, as names of files may hold, replaced by a visible one. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  return text.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, "\ufffd");
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Width of text in the figures' font, on the generous side: other fonts may stand in for it. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) {
    if (/[iljtfrI.,:;|!'()[\] -]/.test(character)) width += 0.34;
    else if (/[mwMW@%–—…]/.test(character)) width += 0.92;
    else if (/[A-Z]/.test(character)) width += 0.67;
    else width += character.charCodeAt(0) < 0x2e80 ? 0.58 : 1;
  }
  return width * fontSize;
}

/** The text itself or as much of its two ends as fits. */
export function fitText(text: string, fontSize: number, width: number): string {
  const characters = [...text];
  let shown = text;
  for (let kept = characters.length - 1; kept >= 0 && textWidth(shown, fontSize) > width; kept--) {
    const head = Math.ceil(kept / 2);
    shown = `${characters.slice(0, head).join("")}…${characters.slice(characters.length - (kept - head)).join("")}`;
  }
  return shown;
}

/** Words in lines of at most this width. */
export function wrapText(text: string, fontSize: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, fontSize) <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
