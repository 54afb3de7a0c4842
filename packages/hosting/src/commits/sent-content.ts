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
