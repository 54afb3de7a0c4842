/** Growing bytes with variable-length integers (seven bits a byte, least significant first). */

/** Appends integers and bytes; {@link VarintWriter.bytes} is a view of what was written so far. */
export class VarintWriter {
  #buffer: Uint8Array;
  #length = 0;

  constructor(capacity = 1024) {
    this.#buffer = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  byte(value: number): void {
    if (this.#length === this.#buffer.length) this.#grow(1);
    this.#buffer[this.#length++] = value;
  }

  /** An integer from 0 to 2^53 - 1. */
  unsigned(value: number): void {
    if (this.#length + 8 > this.#buffer.length) this.#grow(8);
    let rest = value;
    while (rest > 0x7fff_ffff) {
      this.#buffer[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.#buffer[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  /** An integer of either sign, small magnitudes short (zigzag). */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) this.#grow(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #grow(need: number): void {
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + need));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** Reads what {@link VarintWriter} wrote. Never reads beyond `end`. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  position: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.position = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.position >= this.#end;
  }

  /** @throws {RangeError} at the end of the bytes, or above 2^53 - 1. */
  unsigned(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.position >= this.#end || scale > 2 ** 49) throw new RangeError('broken variable-length integer');
      const byte = this.#bytes[this.position++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('broken variable-length integer');
        return value;
      }
      scale *= 128;
    }
  }

  /** Fills `target` with the next bytes. @throws {RangeError} if there are not as many. */
  copy(target: Uint8Array): void {
    if (this.position + target.length > this.#end) throw new RangeError('not enough bytes');
    target.set(this.#bytes.subarray(this.position, this.position + target.length));
    this.position += target.length;
  }

  /** @throws {RangeError} as {@link VarintReader.unsigned}. */
  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
