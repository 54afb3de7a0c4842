import { constants, createDeflate, deflateRaw, deflateRawSync, deflateSync, inflateSync } from 'node:zlib';
import { deflateWindow, type AsideOptions, type Deflater } from '../ports/codec.ts';
import { adler32 } from './adler32.ts';
import type { ZlibInternals } from './zlib-handle.ts';

type Deflate = (bytes: Uint8Array, level: number) => Uint8Array;

/** Larger bodies gain nothing from a stream that is used again. */
const reusedMax = 64 * 1024;
/** Bytes that zlib may add to a body that it cannot compress. */
const addedMax = 1024;
/** At level 1, some zlib writes such a body with 9 bits for each byte (Bun and Deno). */
const outputMax = reusedMax + reusedMax / 8 + addedMax;

/**
 * Returns a function that compresses to a zlib stream, with one native stream for each level: a new one takes longer
 * than compressing a small body. Without the native handle, it makes a stream each time.
 */
export function reusingDeflate(): Deflate {
  const output = new Uint8Array(outputMax);
  const streams = new Map<number, ZlibInternals>();
  const reusing: Deflate = (bytes, level) => {
    if (bytes.length > reusedMax) return deflateOnce(bytes, level);
    let stream = streams.get(level);
    if (stream === undefined) {
      stream = createDeflate({ level, chunkSize: 64 }) as unknown as ZlibInternals;
      streams.set(level, stream);
    }
    stream._handle.reset();
    stream._handle.writeSync(constants.Z_FINISH, bytes, 0, bytes.length, output, 0, output.length);
    const left = stream._writeState[0] as number;
    // A stream that fills the output may go on.
    return left === 0 ? deflateOnce(bytes, level) : output.slice(0, output.length - left);
  };
  return works(reusing) ? reusing : deflateOnce;
}

/** The output is made in chunks of 16 KiB by default, which is a lot of garbage for small objects. */
function deflateOnce(bytes: Uint8Array, level: number): Uint8Array {
  return deflateSync(bytes, { level, chunkSize: Math.min(bytes.length + 64, 16_384) });
}

let isWorking: boolean | undefined;

/** Tries the undocumented handle twice before anything relies on it. */
function works(deflate: Deflate): boolean {
  if (isWorking !== undefined) return isWorking;
  const text = new TextEncoder().encode('what goes in comes out');
  try {
    isWorking = [0, 1].every(() => {
      const inflated = inflateSync(deflate(text, 6));
      return text.every((byte, i) => byte === inflated[i]);
    });
  } catch {
    isWorking = false;
  }
  return isWorking;
}

/** Compresses a block in a thread of the runtime's pool, where it has one. */
export function deflateAside(block: Uint8Array, { level, dictionary, isLast }: AsideOptions): Promise<Uint8Array> {
  const options = {
    level,
    chunkSize: block.length + addedMax,
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    ...(dictionary && { dictionary }),
  };
  return new Promise((resolve, reject) => {
    deflateRaw(block, options, (error, part) => (error === null ? resolve(part) : reject(error)));
  });
}

/**
 * Compresses blocks one by one, each with the bytes before it as its dictionary, since `zlib` compresses either
 * everything at once or in separate threads.
 */
export class BlockDeflater implements Deflater {
  readonly #level: number;
  #sum = 1;
  #window: Uint8Array | undefined;

  constructor(level: number) {
    this.#level = level;
  }

  part(piece: Uint8Array, isLast: boolean): Uint8Array {
    this.#sum = adler32(piece, this.#sum);
    const dictionary = this.#window;
    const block = deflateRawSync(piece, {
      level: this.#level,
      finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
      ...(dictionary && { dictionary }),
    });
    this.#window = piece.slice(-deflateWindow);
    const head = dictionary === undefined ? [0x78, 0x9c] : [];
    const sum = this.#sum;
    const trailer = isLast ? [sum >>> 24, sum >>> 16, sum >>> 8, sum] : [];
    const part = new Uint8Array(head.length + block.length + trailer.length);
    part.set(head);
    part.set(block, head.length);
    part.set(trailer, head.length + block.length);
    return part;
  }
}
