import { base85Length, writeBase85 } from '../bytes/base85.ts';

/** Minimum bytes of a piece of a patch, except the last one. */
const pieceSize = 64 * 1024;
/** Up to so many bytes, a loop copies faster than `set`, which needs a view. */
const shortMax = 64;

/** Collects the small parts of a patch in one buffer. */
export class PatchBuffer {
  #size = 0;
  #buffer = new Uint8Array(2 * pieceSize);

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** True if a piece can be taken. */
  get isFull(): boolean {
    return this.#size >= pieceSize;
  }

  /** Copies `bytes[from..to)`. */
  add(bytes: Uint8Array, from = 0, to: number = bytes.length): void {
    this.#reserve(to - from);
    if (to - from <= shortMax) {
      for (let i = from, at = this.#size; i < to; i++, at++) this.#buffer[at] = bytes[i] as number;
    } else this.#buffer.set(bytes.subarray(from, to), this.#size);
    this.#size += to - from;
  }

  addByte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#size++] = byte;
  }

  /** Adds a byte text. */
  addText(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#buffer[this.#size + i] = text.charCodeAt(i);
    this.#size += text.length;
  }

  /** Adds `bytes[from..to)` as a line of a binary patch: a letter for their number, then their digits. */
  addBinaryLine(bytes: Uint8Array, from: number, to: number): void {
    const count = to - from;
    this.addByte(count <= 26 ? 64 + count : 96 + count - 26);
    const length = base85Length(count);
    this.#reserve(length);
    writeBase85(bytes, from, to, this.#buffer, this.#size);
    this.#size += length;
    this.addByte(10);
  }

  /** Returns a copy of everything, and begins again. */
  take(): Uint8Array {
    const taken = this.#buffer.slice(0, this.#size);
    this.#size = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    const end = this.#size + bytes;
    if (end <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(end, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#size));
    this.#buffer = larger;
  }
}
