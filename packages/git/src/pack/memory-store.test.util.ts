import { randomBytes } from 'node:crypto';
import {
  parsePackId,
  StorageError,
  type ByteRange,
  type PackFile,
  type PackId,
  type PackStore,
  type PackUpload,
} from '../ports/pack-store.ts';

/** A pack store in memory, as strict about parts as object storage is. */
export class MemoryStore implements PackStore {
  readonly partSize: number;
  /** Files by `<id>.<file>`. */
  readonly files: Map<string, Uint8Array> = new Map<string, Uint8Array>();
  readonly reserved: Set<PackId> = new Set<PackId>();
  /** Counts of what was asked for. */
  reads = 0;
  bytesRead = 0;
  /** Stretches that were streamed: start and end. */
  readonly ranges: [number, number][] = [];

  constructor(partSize: number) {
    this.partSize = partSize;
  }

  async reserve(): Promise<PackId> {
    const id = parsePackId(randomBytes(16).toString('hex')) as PackId;
    this.reserved.add(id);
    return id;
  }

  async put(id: PackId, file: PackFile, chunks: readonly Uint8Array[]): Promise<void> {
    if (this.files.has(`${id}.${file}`)) throw new StorageError('put twice');
    this.files.set(`${id}.${file}`, new Uint8Array(Buffer.concat(chunks)));
  }

  async upload(id: PackId): Promise<PackUpload> {
    const parts: Uint8Array[] = [];
    return {
      write: async (index, part) => {
        if (parts[index] !== undefined || part.length > this.partSize) throw new StorageError('bad part');
        // The bytes are looked at late, and parts do not end in order, so that a buffer used again too early shows.
        for (let turn = index % 3; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
        parts[index] = part.slice();
      },
      complete: async (size) => {
        const sizes = Array.from(parts, (part) => part?.length ?? 0);
        if (sizes.slice(0, -1).some((length) => length !== this.partSize))
          throw new StorageError('parts are not equal');
        if (sizes.reduce((sum, length) => sum + length, 0) !== size) throw new StorageError('parts are missing');
        await this.put(id, 'pack', parts);
      },
      abort: async () => {
        parts.length = 0;
      },
    };
  }

  async read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
    const bytes = this.files.get(`${id}.${file}`);
    if (bytes === undefined) throw new StorageError('absent');
    return ranges.map(({ offset, length }) => {
      if (length < 1 || offset + length > bytes.length) throw new StorageError('beyond the end');
      this.reads++;
      this.bytesRead += length;
      return bytes.slice(offset, offset + length);
    });
  }

  async *stream(id: PackId, start = 0, end?: number): AsyncGenerator<Uint8Array, void, undefined> {
    const bytes = this.files.get(`${id}.pack`);
    if (bytes === undefined) throw new StorageError('absent');
    const stop = end ?? bytes.length;
    this.ranges.push([start, stop]);
    // Each chunk is spoiled as soon as the next one is asked for.
    for (let at = start; at < stop; at += 150) {
      const chunk = bytes.slice(at, Math.min(at + 150, stop));
      yield chunk;
      chunk.fill(0xaa);
    }
  }

  framed(): AsyncIterable<Uint8Array> {
    throw new StorageError('not needed here');
  }

  async remove(id: PackId): Promise<void> {
    this.reserved.delete(id);
    for (const key of this.files.keys()) if (key.startsWith(id)) this.files.delete(key);
  }

  async leftovers(): Promise<readonly PackId[]> {
    return [...this.reserved];
  }
}
