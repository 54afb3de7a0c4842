/** Bits of a deflate stream, in the order of RFC 1951 §3.1.1. */
export class Bits {
  readonly #bits: number[] = [];

  /** A number, its lowest bit first. */
  number(value: number, count: number): this {
    for (let i = 0; i < count; i++) this.#bits.push((value >>> i) & 1);
    return this;
  }

  /** A Huffman code, its highest bit first. */
  code(value: number, count: number): this {
    for (let i = count - 1; i >= 0; i--) this.#bits.push((value >>> i) & 1);
    return this;
  }

  /** The head of a block: the last one or not, and its type (RFC 1951 §3.2.3). */
  block(last: boolean, type: number): this {
    return this.number(last ? 1 : 0, 1).number(type, 2);
  }

  /** A stored block (RFC 1951 §3.2.4). */
  stored(last: boolean, body: Uint8Array, complement: number = ~body.length & 0xffff): this {
    this.block(last, 0);
    while (this.#bits.length % 8 > 0) this.#bits.push(0);
    this.number(body.length, 16).number(complement, 16);
    for (const byte of body) this.number(byte, 8);
    return this;
  }

  /** A literal, the end of a block (256) or a length, in the fixed code (RFC 1951 §3.2.6). */
  fixed(symbol: number): this {
    if (symbol < 144) return this.code(0x30 + symbol, 8);
    if (symbol < 256) return this.code(0x190 + symbol - 144, 9);
    return symbol < 280 ? this.code(symbol - 256, 7) : this.code(0xc0 + symbol - 280, 8);
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    for (const [i, bit] of this.#bits.entries()) bytes[i >>> 3] = (bytes[i >>> 3] as number) | (bit << (i & 7));
    return bytes;
  }
}

/** The two bytes before a zlib stream, with the check bits they need (RFC 1950 §2.2). */
export function zlibHeader(method = 8, windowInfo = 7, dictionary = false, level = 2): Uint8Array {
  const first = (windowInfo << 4) | method;
  const flags = (level << 6) | (dictionary ? 0x20 : 0);
  return Uint8Array.of(first, flags + 31 - ((first * 256 + flags) % 31));
}

/** Adler-32 as RFC 1950 §2.2 defines it, highest byte first. */
export function adler32(body: Uint8Array): Uint8Array {
  let [low, high] = [1, 0];
  for (const byte of body) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return Uint8Array.of(high >>> 8, high & 0xff, low >>> 8, low & 0xff);
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A zlib stream whose blocks hold the body. */
export function madeStream(body: Uint8Array, blocks: Bits, header: Uint8Array = zlibHeader()): Uint8Array {
  return joined(header, blocks.bytes(), adler32(body));
}

export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes that do not compress, the same for the same length. */
export function noise(length: number): Uint8Array {
  let state = 0x9e37_79b9;
  return new Uint8Array(length).map(() => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  });
}

/** Text as sources have it: words that come again, near and far. */
export function prose(length: number): Uint8Array {
  const words = ['return', ' = ', 'const ', '(value)', ';\n', 'export ', '    ', 'import ', '{ ', ' }'].map(ascii);
  const picks = noise(length);
  const text = new Uint8Array(length);
  for (let at = 0, i = 0; at < length; i++) {
    const pick = picks[i] as number;
    const word = words[pick % 24] ?? Uint8Array.of(97 + (pick % 26));
    text.set(word.subarray(0, length - at), at);
    at += word.length;
  }
  return text;
}
