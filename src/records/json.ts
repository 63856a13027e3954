import { dataError, type RatError } from "../errors.js";
import { show } from "../values.js";
import { parseObject, placeOf } from "./jsonl.js";
import { maxRowChars, type RawRow, type RowParser } from "./row.js";

const expected = "an array of objects";

/**
 * JSON: an array of objects. The text is cut at the commas between the elements and each is parsed on its own, which
 * keeps memory bounded and tells the line of each, as JSON.parse of the whole does not.
 */
export class JsonArrayParser implements RowParser {
  private line = 1;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private isClosed = false;
  private element = "";
  private elementLine = 0;
  private elements = 0;

  constructor(private readonly file: string | undefined) {}

  push(text: string): RawRow[] {
    const rows: RawRow[] = [];
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i);
      if (char === newline) this.line++;
      if (this.inString) {
        this.stepInString(char);
        continue;
      }
      if (char <= space) continue;
      if (this.depth === 0) {
        this.open(text[i]);
        start = i + 1;
        continue;
      }
      const isComma = char === comma && this.depth === 1;
      if (char === openBrace || char === openBracket) this.depth++;
      else if (char === closeBrace || char === closeBracket) this.depth--;
      if (isComma || this.depth === 0) {
        this.addElement(text.slice(start, i), rows, isComma);
        start = i + 1;
        if (!isComma) this.close(char);
        continue;
      }
      if (this.elementLine === 0) this.elementLine = this.line;
      this.inString = char === quote;
    }
    if (!this.isClosed) this.element += text.slice(start);
    if (this.element.length > maxRowChars) throw this.error(`an element is longer than ${maxRowChars} characters`);
    return rows;
  }

  end(): RawRow[] {
    if (!this.isClosed) throw this.error("the array is not closed: the file ends early");
    return [];
  }

  private stepInString(char: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (char === backslash) this.isEscaped = true;
    else this.inString = char !== quote;
  }

  private open(char: string): void {
    if (this.isClosed) throw this.error(`${show(char)} after the end of the array; one object a line is .jsonl`);
    if (char !== "[") {
      throw this.error(`expected ${expected}, found ${show(char)}; a file of one object a line is named .jsonl`);
    }
    this.depth = 1;
  }

  private close(char: number): void {
    if (char !== closeBracket) throw this.error("a closing } has no opening {");
    this.isClosed = true;
  }

  private addElement(rest: string, rows: RawRow[], isFollowed: boolean): void {
    const text = this.element + rest;
    const line = this.elementLine || this.line;
    this.element = "";
    this.elementLine = 0;
    if (this.elements === 0 && !isFollowed && text.trim() === "") return;
    this.elements++;
    rows.push({ line, values: parseObject(text, this.file, line, expected) });
  }

  private error(message: string): RatError {
    return dataError(message, placeOf(this.file, this.line));
  }
}

const newline = 0x0a;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
