import { readWeight, type Weight } from './weight.ts';

/** How much of a header is read: code points, and elements that are not empty (ERR-151). */
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

/** What ended a part, where it is no comma or semicolon. */
const endOfText = 0;
const brokenOff = -1;

const isBlank = (code: number): boolean => code === space || code === tab;

/** Index behind the first `maxCharacters` code points of a text. */
const endOfLimit = (text: string): number => {
  if (text.length <= maxCharacters) return text.length;
  let end = 0;
  for (let count = 0; count < maxCharacters && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end;
};

/**
 * Reads a list such as `text/html;level=1;q=0.5, text/*`, the value of `Accept` or `Accept-Language` (NEG-002, NEG-003,
 * NEG-007), element by element, in one pass and without copying any of it. Elements are what stands between commas
 * outside quoted strings; those that are empty, that have a weight which is not legal, or that are cut off by a limit or
 * by the end of the text within a quoted string are passed over.
 */
export class WeightedList {
  /** Where the range of the element begins and ends: all before its first semicolon, without blanks around it. */
  start = 0;
  end = 0;
  /** Weight of the element. */
  weight: Weight = 0;

  readonly #text: string;
  readonly #limit: number;
  /** What the last part of the text ends with. */
  readonly #last: number;
  #at = 0;
  #elementsLeft = maxElements;
  /** Where the part read last begins and ends, without blanks around it. */
  #partStart = 0;
  #partEnd = 0;

  constructor(text: string) {
    this.#text = text;
    this.#limit = endOfLimit(text);
    this.#last = this.#limit === text.length || text.charCodeAt(this.#limit) === comma ? endOfText : brokenOff;
  }

  /** Moves to the next element that counts; false if there is none. */
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

  /** Moves to where an element begins that is not empty; false if there is none that counts. */
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

  /** Moves behind the next comma or semicolon outside a quoted string, and says what it was. */
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

  /** Index behind the quotation mark that closes a quoted string whose content begins at an index, or -1. */
  #skipQuoted(at: number): number {
    const text = this.#text;
    while (at < this.#limit) {
      const code = text.charCodeAt(at++);
      if (code === quote) return at;
      if (code === backslash) at++;
    }
    return -1;
  }

  /** Whether the part read last is the parameter `q`. */
  #isWeight(): boolean {
    const start = this.#partStart;
    const length = this.#partEnd - start;
    if (length === 0 || (this.#text.charCodeAt(start) | space) !== lowerCaseQ) return false;
    return length === 1 || this.#text.charCodeAt(start + 1) === equals;
  }
}
