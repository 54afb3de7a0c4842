const encoder = new TextEncoder();
const [pieceMin, pieceMax] = [1024, 256 * 1024];
/** Bytes of the longest character. */
const characterMax = 4;

/** The content of a file as a client sent it, in pieces, so that memory never has it twice. */
export class SentContent {
  /** False if half of a surrogate pair was among the text, which holds U+FFFD in its place. */
  isWellFormed = true;
  /** Bytes so far; of text in UTF-8. Those above the maximum are not kept. */
  size = 0;
  readonly #max: number;
  readonly #hold: (bytes: number) => void;
  readonly #pieces: Uint8Array[] = [];
  #last: Uint8Array = new Uint8Array(0);
  #filled = 0;
  #held = 0;

  /** @param hold receives the bytes that the content takes by now. It may throw. */
  constructor(max: number, hold: (bytes: number) => void) {
    this.#max = max;
    this.#hold = hold;
  }

  get isTooLarge(): boolean {
    return this.size > this.#max;
  }

  /** Adds text that splits no pair of surrogates. */
  append(text: string): void {
    if (!text.isWellFormed()) this.isWellFormed = false;
    for (let rest = text; rest !== '' && !this.isTooLarge;) {
      if (this.#last.length - this.#filled < characterMax) this.#grow();
      const { read, written } = encoder.encodeInto(rest, this.#last.subarray(this.#filled));
      this.#filled += written;
      this.size += written;
      rest = rest.slice(read);
    }
    if (this.isTooLarge) this.#drop();
  }

  /** Returns what was kept. */
  pieces(): readonly Uint8Array[] {
    this.#endPiece();
    return this.#pieces;
  }

  #grow(): void {
    this.#endPiece();
    const size = Math.min(pieceMax, Math.max(pieceMin, this.size));
    this.#held += size;
    this.#hold(this.#held);
    this.#last = new Uint8Array(size);
  }

  #endPiece(): void {
    if (this.#filled > 0) this.#pieces.push(this.#last.subarray(0, this.#filled));
    this.#last = new Uint8Array(0);
    this.#filled = 0;
  }

  #drop(): void {
    this.#endPiece();
    this.#pieces.length = 0;
    this.#held = 0;
    this.#hold(0);
  }
}

/** The values of the digits by their character codes; others have none. */
const digits = new Int8Array(256).fill(-1);
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  digits[digit.charCodeAt(0)] = value;
}
const space = new Set([...'\t\n\f\r '].map((one) => one.charCodeAt(0)));
const padding = '='.charCodeAt(0);

/**
 * Decodes base64 in place, as `atob` does (RFC 4648 §4): white space is skipped, and padding may be absent. Returns
 * undefined for other text.
 */
export function decodeBase64(pieces: readonly Uint8Array[]): Uint8Array[] | undefined {
  let bits = 0;
  let count = 0;
  let padded = 0;
  const decoded: Uint8Array[] = [];
  for (const piece of pieces) {
    let end = 0;
    for (let at = 0; at < piece.length;) {
      if (count % 4 === 0 && padded === 0) {
        // Four digits at once: nearly the whole text.
        for (; at + 4 <= piece.length; at += 4) {
          bits =
            ((digits[piece[at] as number] as number) << 18) |
            ((digits[piece[at + 1] as number] as number) << 12) |
            ((digits[piece[at + 2] as number] as number) << 6) |
            (digits[piece[at + 3] as number] as number);
          // One of them is no digit.
          if (bits < 0) break;
          piece[end++] = bits >> 16;
          piece[end++] = bits >> 8;
          piece[end++] = bits;
        }
      }
      if (at === piece.length) break;
      const byte = piece[at++] as number;
      const digit = digits[byte] as number;
      if (digit >= 0 && padded === 0) {
        bits = ((bits << 6) | digit) & 0xffff;
        count += 1;
        // The first digit of four makes no byte whole.
        if (count % 4 !== 1) piece[end++] = bits >> (2 * (4 - (count % 4 || 4)));
      } else if (byte === padding) padded += 1;
      else if (!space.has(byte)) return undefined;
    }
    decoded.push(piece.subarray(0, end));
  }
  const isWhole = padded === 0 ? count % 4 !== 1 : padded <= 2 && (count + padded) % 4 === 0;
  return isWhole ? decoded : undefined;
}
