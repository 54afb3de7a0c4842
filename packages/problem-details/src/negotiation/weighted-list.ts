import { readWeight, type Weight } from './weight.ts';

/** Limits of a header: code points, and non-empty elements (ERR-151). */
export const maxCharacters = 8192;
export const maxElements = 64;

const tab = 9;
const space = 32;
const quote = 34;
const comma = 44;
const semicolon = 59;
const equals = 61;
const backslash = 92;
const lowerCaseQ = 113;

/** Ends of a part other than a comma or semicolon. */
const endOfText = 0;
const brokenOff = -1;

const isBlank = (code: number): boolean => code === space || code === tab;

/** Returns the index after the first `maxCharacters` code points. */
const endOfLimit = (text: string): number => {
  if (text.length <= maxCharacters) return text.length;
  let end = 0;
  for (let count = 0; count < maxCharacters && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end;
};

/**
 * Parses a list such as `text/html;level=1;q=0.5, text/*`, the value of `Accept` or `Accept-Language` (NEG-002,
 * NEG-003, NEG-007), in one pass without copies. Commas outside quoted strings separate elements. Skips empty elements,
 * those with a malformed weight, and those that a limit or an unclosed quoted string cuts off.
 */
export class WeightedList {
  /** Bounds of the element's range: the text before its first semicolon, trimmed. */
  start = 0;
  end = 0;
  /** Weight of the element. */
  weight: Weight = 0;

  readonly #text: string;
  readonly #limit: number;
  /** The end of the last part of the text. */
  readonly #last: number;
  #at = 0;
  #elementsLeft = maxElements;
  /** Bounds of the last part that was read, trimmed. */
  #partStart = 0;
  #partEnd = 0;

  constructor(text: string) {
    this.#text = text;
    this.#limit = endOfLimit(text);
    this.#last = this.#limit === text.length || text.charCodeAt(this.#limit) === comma ? endOfText : brokenOff;
  }

  /** Moves to the next valid element. Returns false at the end. */
  next(): boolean {
    while (this.#toElement()) {
      let ending = this.#readPart();
      this.start = this.#partStart;
      this.end = this.#partEnd;
      let weight: Weight | undefined = ~this.start;
      let weighed = false;
      while (ending === semicolon) {
        ending = this.#readPart();
        if (weighed || !this.#isWeight()) continue;
        weighed = true;
        weight = readWeight(this.#text, this.#partStart + 2, this.#partEnd);
      }
      if (ending === brokenOff) return false;
      if (weight === undefined) continue;
      this.weight = weight;
      return true;
    }
    return false;
  }

  /** Moves to the start of a non-empty element. Returns false at the end. */
  #toElement(): boolean {
    const text = this.#text;
    let at = this.#at;
    for (; at < this.#limit; at++) {
      const code = text.charCodeAt(at);
      if (code !== comma && !isBlank(code)) break;
    }
    this.#at = at;
    return at < this.#limit && this.#elementsLeft-- > 0;
  }

  /** Moves after the next comma or semicolon outside a quoted string, and returns it. */
  #readPart(): number {
    const text = this.#text;
    const limit = this.#limit;
    let at = this.#at;
    while (at < limit && isBlank(text.charCodeAt(at))) at++;
    this.#partStart = at;
    let end = at;
    let ending = this.#last;
    while (at < limit) {
      const code = text.charCodeAt(at++);
      if (code > semicolon) {
        end = at;
      } else if (code === comma || code === semicolon) {
        ending = code;
        break;
      } else if (code === quote) {
        at = this.#skipQuoted(at);
        if (at === -1) return brokenOff;
        end = at;
      } else if (!isBlank(code)) {
        end = at;
      }
    }
    this.#at = at;
    this.#partEnd = end;
    return ending;
  }

  /**
   * Returns the index after the quotation mark that closes a quoted string, or -1. `at` is the start of its content.
   */
  #skipQuoted(at: number): number {
    const text = this.#text;
    while (at < this.#limit) {
      const code = text.charCodeAt(at++);
      if (code === quote) return at;
      if (code === backslash) at++;
    }
    return -1;
  }

  /** Tests if the last part is the parameter `q`. */
  #isWeight(): boolean {
    const start = this.#partStart;
    const length = this.#partEnd - start;
    if (length === 0 || (this.#text.charCodeAt(start) | space) !== lowerCaseQ) return false;
    return length === 1 || this.#text.charCodeAt(start + 1) === equals;
  }
}
