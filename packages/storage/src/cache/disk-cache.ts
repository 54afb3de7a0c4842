import { createHash } from 'node:crypto';
import { type CacheUsage, LruCache } from '@packhouse/base';
import { fill } from '../files/file-reads.ts';
import type { FileSystem } from '../files/file-system.ts';
import { byteLength } from '../packs/buffer-list.ts';

export interface DiskCacheOptions {
  /** Folder for nothing else; created if it is missing. Several processes may share it. */
  readonly folder: string;
  readonly fileSystem: FileSystem;
  /** Maximum bytes of all files, for up to two processes. At least 64 MiB. */
  readonly max: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const digestSize = 32;

/** Maximum bytes of a file, so that a strange one costs no memory. */
const fileMax = 1_048_576;

/** Milliseconds after which an unfinished file belongs to a dead process. */
const unfinishedAge = 3_600_000;

/** The form of names, which become files. */
const nameForm = /^[0-9a-z-]{1,64}$/;

/**
 * Keeps entries as files, up to a number of bytes, and evicts the least recently used ones. Nothing is synced: a checksum
 * of name and content shows what a crash or a disk has damaged, and such an entry is missing. No failure of the disk
 * reaches the caller.
 *
 * Names must never get another content. Processes that share a folder find the entries of each other now and then.
 */
export class DiskCache implements CacheUsage {
  readonly #folder: string;
  readonly #fileSystem: FileSystem;
  readonly #now: () => number;
  /** Sizes of files by name. */
  readonly #sizes: LruCache<string, number>;
  /** Bytes that a process writes before it looks at what others wrote, and that one read may add. */
  readonly share: number;
  #written = 0;
  #hits = 0;
  #misses = 0;
  /** Removals of evicted files, for the next write to wait for. */
  #removing: Promise<unknown> = Promise.resolve();

  private constructor({ folder, fileSystem, max, now = Date.now }: DiskCacheOptions) {
    this.#folder = folder;
    this.#fileSystem = fileSystem;
    this.#now = now;
    this.share = max / 16;
    this.#sizes = new LruCache(
      max - this.share,
      (size) => size,
      (name) => this.#remove(name),
    );
  }

  /** Opens the folder with what earlier processes left there. Rejects if that is not possible. */
  static async open(options: DiskCacheOptions): Promise<DiskCache> {
    const cache = new DiskCache(options);
    await options.fileSystem.makeFolder(options.folder);
    await cache.#look();
    return cache;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** Bytes of all known entries. */
  get weight(): number {
    return this.#sizes.weight;
  }

  /** Tests if an entry is known, without reading it. */
  has(name: string): boolean {
    return this.#sizes.has(name);
  }

  /** Returns the content of an entry; undefined if it is missing, damaged or cannot be read. */
  async get(name: string): Promise<Uint8Array | undefined> {
    const found = await this.#read(checkName(name)).catch(() => undefined);
    if (found === undefined) {
      this.#misses += 1;
      this.#sizes.delete(name);
      return undefined;
    }
    this.#hits += 1;
    this.#sizes.set(name, digestSize + found.length);
    return found;
  }

  /** Stores an entry below 1 MiB, unless the disk refuses. */
  async put(name: string, content: readonly Uint8Array[]): Promise<void> {
    const size = digestSize + byteLength(content);
    // Makes room first, so that the limit also holds meanwhile.
    if (size > fileMax || !this.#sizes.set(checkName(name), size)) return;
    try {
      await this.#removing;
      await this.#write(name, content);
      // Evicted meanwhile.
      if (this.#sizes.get(name) === undefined) this.#remove(name);
      this.#written += size;
      if (this.#written > this.share) await this.#look();
    } catch {
      this.#sizes.delete(name);
      this.#remove(name);
    }
  }

  /** Drops all entries whose names begin so. */
  async drop(prefix: string): Promise<void> {
    for (const name of [...this.#sizes.keys()].filter((known) => known.startsWith(prefix))) {
      this.#sizes.delete(name);
      this.#remove(name);
    }
    await this.#removing;
  }

  async #read(name: string): Promise<Uint8Array | undefined> {
    const file = await this.#fileSystem.open(this.#path(name));
    try {
      const whole = new Uint8Array(Math.min(file.size, fileMax));
      await fill(file, [whole], 0);
      const content = whole.subarray(digestSize);
      if (Buffer.compare(digestOf(name, [content]), whole.subarray(0, digestSize)) === 0) return content;
    } finally {
      await file.close();
    }
    this.#remove(name);
    return undefined;
  }

  async #write(name: string, content: readonly Uint8Array[]): Promise<void> {
    // Another process may write the same entry.
    const unfinished = this.#path(`${name}.${crypto.randomUUID()}${unfinishedSuffix}`);
    try {
      const file = await this.#fileSystem.create(unfinished);
      try {
        await file.write([digestOf(name, content), ...content], 0);
      } finally {
        await file.close();
      }
      await this.#fileSystem.rename(unfinished, this.#path(name));
    } catch (error) {
      await this.#fileSystem.remove(unfinished).catch(() => undefined);
      throw error;
    }
  }

  /** Counts the files of all processes, the oldest first, and removes what dead ones left. */
  async #look(): Promise<void> {
    this.#written = 0;
    const files = (await this.#fileSystem.list(this.#folder)).toSorted((a, b) => a.modifiedAt - b.modifiedAt);
    const found = new Set(files.map(({ name }) => name));
    for (const name of this.#sizes.keys()) if (!found.has(name)) this.#sizes.delete(name);
    const known = new Set(this.#sizes.keys());
    for (const { name, size, modifiedAt } of files) {
      if (known.has(name)) continue;
      if (nameForm.test(name) && this.#sizes.set(name, size)) continue;
      const isTheirs = name.endsWith(unfinishedSuffix) && modifiedAt > this.#now() - unfinishedAge;
      if (!isTheirs) this.#remove(name);
    }
    await this.#removing;
  }

  /** Removes a file in the background. One that stays is found by the next look. */
  #remove(name: string): void {
    const removal = this.#fileSystem.remove(this.#path(name)).catch(() => undefined);
    const earlier = this.#removing;
    // No promise of all: its result would hold those of all earlier removals.
    this.#removing = removal.then(() => earlier);
  }

  #path(name: string): string {
    return `${this.#folder}/${name}`;
  }
}

const unfinishedSuffix = '.tmp';

function checkName(name: string): string {
  if (!nameForm.test(name)) throw new RangeError('Not a name of a cache entry');
  return name;
}

function digestOf(name: string, content: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256').update(`${name}\n`);
  for (const bytes of content) hash.update(bytes);
  return hash.digest();
}
