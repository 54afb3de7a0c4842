import { packFiles, parsePackId, StorageError, type ByteRange, type PackFile, type PackId, type PackStore, type PackUpload } from '@packhouse/git';
import { withoutFirst } from './buffer-list.ts';
import { FileUpload } from './file-upload.ts';
import type { FileSystem, ReadableFile } from './file-system.ts';
import { layFrames, payloadRoom } from './framing.ts';
import { OpenFiles, type Lease } from './open-files.ts';
import { checkPackId, newPackId } from './pack-id.ts';
import { PendingFile, pendingSuffix } from './pending-file.ts';
import { checkRanges, streamBounds } from './ranges.ts';
import { ChunkPool, chunkSize, readAhead } from './read-ahead.ts';

/** Reads under way for one call of `read`: enough to keep a disk busy, not so many that others starve. */
const readsAtOnce = 4;

/** Files kept open, over all repositories. */
const openFilesMax = 64;

const partSize = 8 * 1_048_576;

/** Shared by the stores of all repositories. */
export interface FilePacks {
  /** The packs of one repository; does no I/O. @throws {RangeError} for an account or id that is none. */
  repo(account: string, id: string): PackStore;
  /** Closes the files held open for reading. */
  close(): void;
}

/** Packs as files: `<root>/<account>/<repo id>/<pack id>.pack`, `.idx`, `.graph`, private to the owner. */
export function filePacks(root: string, fileSystem: FileSystem): FilePacks {
  const shared: Shared = { fileSystem, open: new OpenFiles(fileSystem, openFilesMax), pool: new ChunkPool(), folders: new Map() };
  return {
    repo(account, id) {
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(account)) throw new RangeError('Not an account id');
      if (!/^[0-9a-z]{16}$/.test(id)) throw new RangeError('Not a repository id');
      return new FilePackStore(shared, [root, `${root}/${account}`, `${root}/${account}/${id}`]);
    },
    close: () => shared.open.close(),
  };
}

interface Shared {
  readonly fileSystem: FileSystem;
  readonly open: OpenFiles;
  readonly pool: ChunkPool;
  /** Folders that this process made sure of. */
  readonly folders: Map<string, Promise<void>>;
}

class FilePackStore implements PackStore {
  readonly partSize: number = partSize;
  readonly #shared: Shared;
  /** From the root down to the repository's own. */
  readonly #folders: readonly [string, string, string];

  constructor(shared: Shared, folders: readonly [string, string, string]) {
    this.#shared = shared;
    this.#folders = folders;
  }

  get #folder(): string {
    return this.#folders[2];
  }

  /** The folder is its own note of what was begun, so nothing is written here. */
  async reserve(): Promise<PackId> {
    return newPackId();
  }

  async put(id: PackId, file: PackFile, chunks: readonly Uint8Array[]): Promise<void> {
    const pending = await this.#create(id, file);
    try {
      await pending.write(chunks, 0);
      await pending.publish();
    } catch (error) {
      await pending.discard();
      throw storageError('store', id, file, error);
    }
  }

  async upload(id: PackId): Promise<PackUpload> {
    return new FileUpload(await this.#create(id, 'pack'), partSize, (error) => storageError('store', id, 'pack', error));
  }

  async read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
    const lease = await this.#acquire(id, file);
    try {
      checkRanges(ranges, lease.file.size);
      const results: Uint8Array[] = new Array(ranges.length);
      const queue = ranges.entries();
      const worker = async () => {
        for (const [index, { offset, length }] of queue) {
          const bytes = new Uint8Array(length);
          await fill(lease.file, [bytes], offset);
          results[index] = bytes;
        }
      };
      await allSettled(Array.from({ length: Math.min(readsAtOnce, ranges.length) }, worker));
      return results;
    } catch (error) {
      throw storageError('read', id, file, error);
    } finally {
      lease.release();
    }
  }

  stream(id: PackId, start = 0, end?: number): AsyncIterable<Uint8Array> {
    return this.#chunks(id, chunkSize, start, end, async (file, buffer, from, length) => {
      const chunk = buffer.subarray(0, length);
      await fill(file, [chunk], from);
      return chunk;
    });
  }

  framed(id: PackId): AsyncIterable<Uint8Array> {
    return this.#chunks(id, payloadRoom(chunkSize), 0, undefined, async (file, buffer, from, length) => {
      // The disk writes between the headers: no byte of the payload is copied.
      const { payloads, bytes } = layFrames(buffer, length);
      await fill(file, payloads, from);
      return bytes;
    });
  }

  async remove(id: PackId): Promise<void> {
    const paths = packFiles.map((file) => this.#path(id, file));
    try {
      for (const path of paths) this.#shared.open.forget(path);
      await allSettled(paths.flatMap((path) => [path, path + pendingSuffix]).map((path) => this.#shared.fileSystem.remove(path)));
    } catch (error) {
      throw new StorageError(`Cannot remove pack ${id}: ${reason(error)}`, { cause: error });
    }
  }

  async leftovers(before: number): Promise<readonly PackId[]> {
    const latest = new Map<PackId, number>();
    try {
      for (const { name, modifiedAt } of await this.#shared.fileSystem.list(this.#folder)) {
        const id = idOf(name);
        if (id !== undefined) latest.set(id, Math.max(modifiedAt, latest.get(id) ?? 0));
      }
    } catch (error) {
      throw new StorageError(`Cannot list packs: ${reason(error)}`, { cause: error });
    }
    return [...latest].filter(([, modifiedAt]) => modifiedAt < before).map(([id]) => id);
  }

  #path(id: PackId, file: PackFile): string {
    return `${this.#folder}/${checkPackId(id)}.${file}`;
  }

  async #create(id: PackId, file: PackFile): Promise<PendingFile> {
    checkPackId(id);
    try {
      await this.#makeFolder();
      return await PendingFile.create(this.#shared.fileSystem, this.#folder, `${id}.${file}`);
    } catch (error) {
      throw storageError('store', id, file, error);
    }
  }

  /** Makes sure, once a process, that the folder is there and will be after a power cut. */
  async #makeFolder(): Promise<void> {
    const { fileSystem, folders } = this.#shared;
    const [root, account, repo] = this.#folders;
    const known = folders.get(repo);
    if (known !== undefined) return known;
    const making = (async () => {
      await fileSystem.makeFolder(repo);
      // Also if it was there: whoever made it may have died before this.
      await fileSystem.syncFolder(account);
      await fileSystem.syncFolder(root);
    })();
    if (folders.size >= 10_000) folders.clear();
    folders.set(repo, making);
    try {
      await making;
    } catch (error) {
      folders.delete(repo);
      throw error;
    }
  }

  async #acquire(id: PackId, file: PackFile): Promise<Lease> {
    const path = this.#path(id, file);
    try {
      return await this.#shared.open.acquire(path);
    } catch (error) {
      throw storageError('read', id, file, error);
    }
  }

  async *#chunks(
    id: PackId,
    step: number,
    from: number,
    to: number | undefined,
    read: (file: ReadableFile, buffer: Uint8Array, from: number, length: number) => Promise<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const lease = await this.#acquire(id, 'pack');
    try {
      const { start, end } = streamBounds(lease.file.size, from, to);
      yield* readAhead(Math.ceil((end - start) / step), this.#shared.pool, (index, buffer) => {
        const at = start + index * step;
        return read(lease.file, buffer, at, Math.min(step, end - at));
      });
    } catch (error) {
      throw storageError('read', id, 'pack', error);
    } finally {
      lease.release();
    }
  }
}

/** Fills `buffers` from `position` on: a read may give less than it was asked for. */
async function fill(file: ReadableFile, buffers: readonly Uint8Array[], position: number): Promise<void> {
  let rest = buffers;
  for (let at = position; rest.length > 0; ) {
    const read = await file.read(rest, at);
    if (read === 0) throw new StorageError(`The file ends early, at ${at}`);
    at += read;
    rest = withoutFirst(rest, read);
  }
}

/** Like `Promise.all`, but waits for the others before it rejects, so that nothing goes on behind the caller's back. */
async function allSettled(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}

/** The pack that a file of this name belongs to, whole or unfinished. */
function idOf(name: string): PackId | undefined {
  const [id = '', file, suffix, ...more] = name.split('.');
  if (!packFiles.some((known) => known === file) || more.length > 0) return undefined;
  return suffix === undefined || `.${suffix}` === pendingSuffix ? parsePackId(id) : undefined;
}

function storageError(action: string, id: PackId, file: PackFile, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(`Cannot ${action} the ${file} file of pack ${id}: ${reason(error)}`, { cause: error });
}

/** The system's code (`ENOSPC`) if there is one: its text would tell paths. */
function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
