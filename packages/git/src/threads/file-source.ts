import { closeSync, openSync, readSync } from 'node:fs';
import type { PackSource } from '../pack/read/pack-source.ts';

/** Bytes that are read at once, since neighbours are likely to be next. */
const windowSize = 256 * 1024;

/** A pack file that this thread waits for. */
export class FileSource implements PackSource {
  readonly #path: string;
  #file: number | undefined;
  readonly #window = new Uint8Array(windowSize);
  #start = 0;
  #end = 0;

  constructor(path: string) {
    this.#path = path;
  }

  peek(offset: number, length: number): Uint8Array {
    const file = (this.#file ??= openSync(this.#path, 'r'));
    if (length > windowSize) return readAt(file, new Uint8Array(length), offset, length);
    if (offset < this.#start || offset + length > this.#end) {
      this.#start = this.#end = offset;
      this.#end += readAt(file, this.#window, offset, length).length;
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + length);
  }

  async load(offset: number, length: number): Promise<Uint8Array> {
    return this.peek(offset, length);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Fills as much of the buffer as the file has, but at least `least` bytes. */
function readAt(file: number, buffer: Uint8Array, offset: number, least: number): Uint8Array {
  let filled = 0;
  while (filled < least) {
    const read = readSync(file, buffer, filled, buffer.length - filled, offset + filled);
    if (read === 0) throw new Error('the pack file ends too early');
    filled += read;
  }
  return buffer.subarray(0, filled);
}
