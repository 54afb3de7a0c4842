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
import { joined } from '../packs/buffer-list.ts';
import { framePayload, layFrames, payloadRoom } from '../packs/framing.ts';
import { PartSizes } from '../packs/part-sizes.ts';
import { checkRanges, streamBounds } from '../packs/ranges.ts';
import { chunkSize } from '../packs/read-ahead.ts';

export interface MemoryPacksOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Bytes per part of an upload. Default 1 MiB. */
  readonly partSize?: number;
}

/** Stores the packs of one repository in memory, for tests, mocks and browsers. */
export function memoryPackStore(options: MemoryPacksOptions = {}): MemoryPackStore {
  return new MemoryPackStore(options.now ?? Date.now, options.partSize ?? 1_048_576);
}

/** See {@link memoryPackStore}. */
export class MemoryPackStore implements PackStore {
  readonly partSize: number;
  readonly #now: () => number;
  readonly #reserved = new Map<PackId, number>();
  readonly #files = new Map<string, Uint8Array>();

  constructor(now: () => number, partSize: number) {
    this.#now = now;
    this.partSize = partSize;
  }

  async reserve(): Promise<PackId> {
    const id = newPackId();
    this.#reserved.set(id, this.#now());
    return id;
  }

  async put(id: PackId, file: PackFile, chunks: readonly Uint8Array[]): Promise<void> {
    this.#publish(id, file, joined(chunks));
  }

  async upload(id: PackId): Promise<PackUpload> {
    const parts: Uint8Array[] = [];
    const sizes = new PartSizes(this.partSize);
    let open = true;
    const demandOpen = () => {
      if (!open) throw new StorageError('The upload has ended');
    };
    return {
      write: async (index, part) => {
        demandOpen();
        sizes.add(index, part.length);
        parts[index] = part.slice();
      },
      complete: async (size) => {
        demandOpen();
        open = false;
        sizes.checkComplete(size);
        this.#publish(id, 'pack', joined(parts));
      },
      abort: async () => {
        open = false;
        parts.length = 0;
      },
    };
  }

  async read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
    const bytes = this.#file(id, file);
    checkRanges(ranges, bytes.length);
    return ranges.map(({ offset, length }) => bytes.slice(offset, offset + length));
  }

  async *stream(id: PackId, start = 0, end?: number): AsyncGenerator<Uint8Array, void, undefined> {
    const bytes = this.#file(id, 'pack');
    const bounds = streamBounds(bytes.length, start, end);
    for (let at = bounds.start; at < bounds.end; at += chunkSize)
      yield bytes.slice(at, Math.min(at + chunkSize, bounds.end));
  }

  async *framed(id: PackId): AsyncGenerator<Uint8Array, void, undefined> {
    const bytes = this.#file(id, 'pack');
    const step = payloadRoom(chunkSize);
    for (let at = 0; at < bytes.length; at += step) {
      const chunk = bytes.subarray(at, at + step);
      const frames = layFrames(new Uint8Array(chunkSize), chunk.length);
      frames.payloads.forEach((payload, i) => payload.set(chunk.subarray(i * framePayload, (i + 1) * framePayload)));
      yield frames.bytes;
    }
  }

  async remove(id: PackId): Promise<void> {
    this.#reserved.delete(id);
    for (const key of this.#files.keys()) if (key.startsWith(`${id}.`)) this.#files.delete(key);
  }

  async leftovers(before: number): Promise<readonly PackId[]> {
    return [...this.#reserved].filter(([, at]) => at < before).map(([id]) => id);
  }

  /** Adds packs of another repository, as begun ones. Shares the arrays, which never change. Keeps existing packs. */
  share(from: MemoryPackStore, ids: readonly PackId[]): void {
    for (const id of ids) {
      this.#reserved.set(id, this.#now());
      for (const file of packFiles) {
        const bytes = from.#files.get(`${id}.${file}`);
        if (bytes !== undefined) this.#files.set(`${id}.${file}`, bytes);
      }
    }
  }

  #publish(id: PackId, file: PackFile, bytes: Uint8Array): void {
    const key = `${id}.${file}`;
    if (!this.#reserved.has(id)) throw new StorageError(`Pack ${id} is not reserved`);
    if (this.#files.has(key)) throw new StorageError(`The ${file} file of pack ${id} is there`);
    this.#files.set(key, bytes);
  }

  #file(id: PackId, file: PackFile): Uint8Array {
    const bytes = this.#files.get(`${id}.${file}`);
    if (bytes === undefined) throw new StorageError(`There is no ${file} file of pack ${id}`);
    return bytes;
  }
}
