import { Buffer } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { constants, crc32, createInflate, deflateSync, inflateSync, type Inflate } from 'node:zlib';
import { deflateParts } from './deflate-parts.ts';
import { BlockDeflater, deflateAside, reusingDeflate } from './node-deflate.ts';
import type { ZlibHandle, ZlibInternals } from './zlib-handle.ts';
import { CodecError, type Codec, type Inflater, type InflateStep, type Sha1 } from '../ports/codec.ts';

/** The {@link Codec} of Node, Deno, Bun and workerd, on `node:zlib` and `node:crypto`. */
export function nodeCodec(): Codec {
  return {
    inflater: handleWorks() ? () => new HandleInflater() : () => new RepeatingInflater(),
    deflate: reusingDeflate(),
    deflateAside,
    deflateParts: (bytes, level) => deflateParts(new BlockDeflater(level), bytes),
    deflater: (level) => new BlockDeflater(level),
    sha1: () => new NodeSha1(),
    sha1Of: oneShotWorks() ? sha1OneShot : sha1Streamed,
    crc32: (bytes, seed = 0) => crc32(bytes, seed),
    equal: bytesEqual,
  };
}

class NodeSha1 implements Sha1 {
  readonly #hash = createHash('sha1');

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  digest(): Uint8Array {
    return new Uint8Array(this.#hash.digest());
  }
}

/** Parts up to this many bytes in all are joined first: copying costs less than a hash object. */
const joinMax = 16384;
const joined = new Uint8Array(joinMax);

/** `crypto.hash` to a Latin-1 string takes a fifth of the time of a hash object for the small objects that packs hold. */
function sha1OneShot(...parts: readonly Uint8Array[]): Uint8Array {
  let input = parts[0];
  if (parts.length !== 1 || input === undefined) {
    let length = 0;
    for (const part of parts) length += part.length;
    if (length > joinMax) return sha1Streamed(...parts);
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    input = joined.subarray(0, length);
  }
  const text = hash('sha1', input, 'binary');
  const digest = new Uint8Array(20);
  for (let i = 0; i < 20; i++) digest[i] = text.charCodeAt(i);
  return digest;
}

function sha1Streamed(...parts: readonly Uint8Array[]): Uint8Array {
  const sha1 = createHash('sha1');
  for (const part of parts) sha1.update(part);
  return new Uint8Array(sha1.digest());
}

let oneShot: boolean | undefined;

/** Tests if this runtime has a one-shot hash with the same results. */
function oneShotWorks(): boolean {
  if (oneShot !== undefined) return oneShot;
  try {
    const probe = Uint8Array.of(1, 2, 3, 254, 255);
    const expected = sha1Streamed(probe);
    oneShot = sha1OneShot(probe).every((byte, i) => byte === expected[i]);
  } catch {
    oneShot = false;
  }
  return oneShot;
}

/**
 * Uses the native inflater directly: seven times faster for small objects than `inflateSync`, which creates a new one
 * for each call.
 */
class HandleInflater implements Inflater {
  readonly #stream: Inflate;
  readonly #handle: ZlibHandle;
  readonly #left: Uint32Array;
  readonly #step: InflateStep = { consumed: 0, produced: 0 };
  #failure: string | undefined;

  constructor() {
    this.#stream = createInflate({ chunkSize: 64 });
    const internals = this.#stream as unknown as ZlibInternals;
    this.#handle = internals._handle;
    this.#left = internals._writeState;
    // The handler of the stream would destroy it. This handler keeps it, so that it can be reset.
    this.#handle.onerror = (message) => {
      this.#failure = message;
    };
    this.#handle.setErrorHandler?.((_errno, _code, message) => {
      this.#failure = message;
    });
  }

  reset(): void {
    this.#failure = undefined;
    this.#handle.reset();
  }

  step(
    input: Uint8Array,
    inputStart: number,
    inputEnd: number,
    output: Uint8Array,
    outputStart: number,
    outputEnd: number,
  ): InflateStep {
    const inputLength = inputEnd - inputStart;
    const outputLength = outputEnd - outputStart;
    this.#handle.writeSync(constants.Z_NO_FLUSH, input, inputStart, inputLength, output, outputStart, outputLength);
    if (this.#failure !== undefined) throw new CodecError(this.#failure);
    this.#step.consumed = inputLength - (this.#left[1] as number);
    this.#step.produced = outputLength - (this.#left[0] as number);
    return this.#step;
  }

  close(): void {
    this.#stream.close();
  }
}

/**
 * For runtimes without the handle: keeps what the stream was fed and inflates it again from its start with each step.
 * Quadratic for a stream in many pieces, as fast as `inflateSync` for the usual stream in one.
 */
export class RepeatingInflater implements Inflater {
  #fed: Uint8Array = new Uint8Array(0);
  #fedLength = 0;
  #returned = 0;
  readonly #step: InflateStep = { consumed: 0, produced: 0 };

  reset(): void {
    this.#fedLength = 0;
    this.#returned = 0;
  }

  step(
    input: Uint8Array,
    inputStart: number,
    inputEnd: number,
    output: Uint8Array,
    outputStart: number,
    outputEnd: number,
  ): InflateStep {
    const before = this.#fedLength;
    this.#feed(input.subarray(inputStart, inputEnd));
    let used: number;
    let inflated: Uint8Array;
    try {
      // The result also has the engine because of `info`; the types do not list it.
      const result = inflateSync(this.#fed.subarray(0, this.#fedLength), {
        info: true,
        finishFlush: constants.Z_SYNC_FLUSH,
      }) as unknown as { buffer: Uint8Array; engine: { bytesWritten: number } };
      used = result.engine.bytesWritten;
      inflated = result.buffer;
    } catch (error) {
      throw new CodecError(error instanceof Error ? error.message : 'does not inflate');
    }
    const produced = Math.min(inflated.length - this.#returned, outputEnd - outputStart);
    output.set(inflated.subarray(this.#returned, this.#returned + produced), outputStart);
    this.#returned += produced;
    this.#fedLength = Math.max(before, used);
    this.#step.consumed = this.#fedLength - before;
    this.#step.produced = produced;
    return this.#step;
  }

  close(): void {
    this.#fed = new Uint8Array(0);
    this.reset();
  }

  #feed(bytes: Uint8Array): void {
    if (this.#fedLength + bytes.length > this.#fed.length) {
      const larger = new Uint8Array(2 * (this.#fedLength + bytes.length));
      larger.set(this.#fed.subarray(0, this.#fedLength));
      this.#fed = larger;
    }
    this.#fed.set(bytes, this.#fedLength);
    this.#fedLength += bytes.length;
  }
}

function bytesEqual(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean {
  if (aStart + length > a.length || bStart + length > b.length) return false;
  // The view that `compare` is called on is cheaper to make than a pair of views.
  if (rangesWork()) return asBuffer(a).compare(b, bStart, bStart + length, aStart, aStart + length) === 0;
  return asBuffer(a.subarray(aStart, aStart + length)).equals(b.subarray(bStart, bStart + length));
}

let ranges: boolean | undefined;

/**
 * Tests if `compare` accepts ranges of different-sized buffers: Deno checks the range of one against the size of the
 * other.
 */
function rangesWork(): boolean {
  if (ranges !== undefined) return ranges;
  try {
    ranges =
      Buffer.alloc(4).compare(Buffer.alloc(2), 0, 1, 3, 4) === 0 &&
      Buffer.alloc(2).compare(Buffer.alloc(4), 3, 4, 0, 1) === 0;
  } catch {
    ranges = false;
  }
  return ranges;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

let handle: boolean | undefined;

/** Tries the undocumented handle on a stream in two pieces, after a broken one, before anything relies on it. */
function handleWorks(): boolean {
  if (handle !== undefined) return handle;
  const text = new TextEncoder().encode('what goes in comes out');
  const stream = deflateSync(text);
  const input = new Uint8Array(stream.length + 5);
  input.set(stream);
  const output = new Uint8Array(text.length + 1);
  try {
    const inflater = new HandleInflater();
    try {
      inflater.step(text, 0, text.length, output, 0, output.length);
      return (handle = false);
    } catch (error) {
      if (!(error instanceof CodecError)) return (handle = false);
    }
    inflater.reset();
    const first = { ...inflater.step(input, 0, 7, output, 0, output.length) };
    const second = inflater.step(input, 7, input.length, output, first.produced, output.length);
    handle =
      first.consumed === 7 &&
      second.consumed === stream.length - 7 &&
      first.produced + second.produced === text.length &&
      text.every((byte, i) => byte === output[i]);
    inflater.close();
  } catch {
    handle = false;
  }
  return handle;
}
