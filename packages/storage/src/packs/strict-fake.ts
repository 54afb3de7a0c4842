import {
  newPackId,
  packFiles,
  StorageError,
  type ByteRange,
  type PackFile,
  type PackId,
  type PackStore,
  type PackUpload,
} from '@packhouse/git';
import { byteLength } from './buffer-list.ts';
import { framePayload, layFrames, payloadRoom } from './framing.ts';
import { PartSizes } from './part-sizes.ts';
import { streamBounds } from './ranges.ts';
import { StrictBucket, type StrictBucketOptions } from './strict-bucket.ts';

/** Chunks are smaller than elsewhere, so that callers meet many of them. */
const chunkMax = 3 * 65_520;

export interface StrictFakeOptions extends StrictBucketOptions {
  /** Default 5 MiB. */
  readonly partSize?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * A pack store over {@link StrictBucket}, for tests: it refuses what object storage refuses, demands that ids come
 * from `reserve`, and spoils each chunk of a stream as soon as the next one is asked for.
 */
export function strictFakePackStore(options: StrictFakeOptions = {}): PackStore {
  return new StrictFake(options);
}

class StrictFake implements PackStore {
  readonly partSize: number;
  readonly #bucket: StrictBucket;
  readonly #now: () => number;
  readonly #reserved = new Map<PackId, number>();

  constructor(options: StrictFakeOptions) {
    this.partSize = options.partSize ?? 5 * 1_048_576;
    this.#bucket = new StrictBucket(options);
    this.#now = options.now ?? Date.now;
  }

  async reserve(): Promise<PackId> {
    const id = newPackId();
    this.#reserved.set(id, this.#now());
    return id;
  }

  async put(id: PackId, file: PackFile, chunks: readonly Uint8Array[]): Promise<void> {
    this.#demandReserved(id);
    await storing(() => this.#bucket.put(`${id}.${file}`, byteLength(chunks), chunks));
  }

  async upload(id: PackId): Promise<PackUpload> {
    this.#demandReserved(id);
    const bucket = this.#bucket;
    const multipart = await storing(() => bucket.begin(`${id}.pack`));
    const sizes = new PartSizes(this.partSize);
    return {
      write: (index, part) =>
        storing(async () => {
          sizes.add(index, part.length);
          await bucket.uploadPart(multipart, index + 1, part);
        }),
      complete: (size) =>
        storing(async () => {
          sizes.checkComplete(size);
          await bucket.complete(multipart);
        }),
      abort: async () => {
        await bucket.abort(multipart).catch(() => undefined);
      },
    };
  }

  async read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
    return storing(() => Promise.all(ranges.map(({ offset, length }) => this.#get(id, file, offset, length))));
  }

  async *stream(id: PackId, start = 0, end?: number): AsyncGenerator<Uint8Array, void, undefined> {
    const bounds = streamBounds(await this.#size(id), start, end);
    for (let at = bounds.start; at < bounds.end; at += chunkMax) {
      const chunk = await this.read(id, 'pack', [{ offset: at, length: Math.min(chunkMax, bounds.end - at) }]);
      yield* spoiled(chunk[0] as Uint8Array);
    }
  }

  async *framed(id: PackId): AsyncGenerator<Uint8Array, void, undefined> {
    const size = await this.#size(id);
    const step = payloadRoom(chunkMax);
    for (let at = 0; at < size; at += step) {
      const [chunk] = await this.read(id, 'pack', [{ offset: at, length: Math.min(step, size - at) }]);
      const frames = layFrames(new Uint8Array(chunkMax), chunk?.length ?? 0);
      frames.payloads.forEach(
        (payload, i) => chunk && payload.set(chunk.subarray(i * framePayload, (i + 1) * framePayload)),
      );
      yield* spoiled(frames.bytes);
    }
  }

  async remove(id: PackId): Promise<void> {
    await storing(() => this.#bucket.delete(packFiles.map((file) => `${id}.${file}`)));
    this.#reserved.delete(id);
  }

  async leftovers(before: number): Promise<readonly PackId[]> {
    return [...this.#reserved].filter(([, at]) => at < before).map(([id]) => id);
  }

  #demandReserved(id: PackId): void {
    if (!this.#reserved.has(id)) throw new StorageError(`Pack ${id} is not reserved`);
  }

  async #size(id: PackId): Promise<number> {
    const size = await this.#bucket.head(`${id}.pack`);
    if (size === null) throw new StorageError(`There is no pack ${id}`);
    return size;
  }

  async #get(id: PackId, file: PackFile, offset: number, length: number): Promise<Uint8Array> {
    const bytes = await this.#bucket.get(`${id}.${file}`, offset, length);
    if (bytes === null) throw new StorageError(`There is no ${file} file of pack ${id}`);
    return bytes;
  }
}

async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StorageError
      ? error
      : new StorageError(error instanceof Error ? error.message : 'failed', { cause: error });
  }
}

function* spoiled(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
  try {
    yield chunk;
  } finally {
    chunk.fill(0xaa);
  }
}
