import {
  newPackId,
  packFiles,
  parsePackId,
  StorageError,
  type ByteRange,
  type PackFile,
  type PackId,
  type PackStore,
  type PackUpload,
} from '@packhouse/git';
import { isAccountId } from '@packhouse/base';
import { allDone, fill, readRanges } from './file-reads.ts';
import { FileUpload } from './file-upload.ts';
import type { FileSystem, ReadableFile } from './file-system.ts';
import { linkFiles } from './link-file.ts';
import { layFrames, payloadRoom } from '../packs/framing.ts';
import { OpenFiles, type Lease } from './open-files.ts';
import { checkPackId } from '../packs/pack-id.ts';
import type { PackStores } from '../packs/pack-stores.ts';
import type { PackReservations } from '../packs/reservations.ts';
import { PendingFile, pendingSuffix } from './pending-file.ts';
import { checkRanges, streamBounds } from '../packs/ranges.ts';
import { ChunkPool, chunkSize, readAhead } from '../packs/read-ahead.ts';
import { RepoFolders } from './repo-folders.ts';
import { SharedPacks } from './shared-packs.ts';

/** Maximum number of open files, over all repositories. */
const openFilesMax = 64;

const defaultPartSize = 8 * 1_048_576;

export interface FilePacksOptions {
  /** Bytes per part of an upload. Packs up to three parts stay in memory until they are stored. Default 8 MiB. */
  readonly partSize?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * Returns the reservations of a repository, if several processes use the folder. Default: the times of files and the
   * memory of this process say which packs are new.
   */
  readonly reservations?: (account: string, id: string) => PackReservations;
  /**
   * Called before files are begun or removed, and once that is durable. Throws if the folder is another one by now, as
   * when a network file system is no longer mounted there.
   */
  readonly demandPresent?: () => void;
}

/**
 * Stores packs as files: `<root>/<account>/<repo id>/<pack id>.pack`, `.idx`, `.graph`, private to the owner. A pack
 * that forks share has a name in the folder of each: `share` links the files, or copies them if the file system has no
 * links.
 */
export function filePacks(root: string, fileSystem: FileSystem, options: FilePacksOptions = {}): PackStores {
  const shared: Shared = {
    fileSystem,
    partSize: options.partSize ?? defaultPartSize,
    // A file that another process removes must not keep its bytes.
    open: new OpenFiles(fileSystem, options.reservations === undefined ? openFilesMax : 0),
    pool: new ChunkPool(),
    folders: new RepoFolders(fileSystem, root),
    shared: new SharedPacks(options.now ?? Date.now),
    now: options.now ?? Date.now,
    reservations: options.reservations ?? (() => undefined),
    demandPresent: options.demandPresent ?? (() => undefined),
  };
  const open = (account: string, id: string): FilePackStore => {
    if (!isAccountId(account)) throw new RangeError('Not an account id');
    if (!/^[0-9a-z]{16}$/.test(id)) throw new RangeError('Not a repository id');
    return new FilePackStore(shared, account, id);
  };
  return {
    repo: open,
    async share(account, from, to, ids) {
      return open(account, to).take(open(account, from), ids);
    },
    close: () => shared.open.close(),
  };
}

interface Shared {
  readonly fileSystem: FileSystem;
  readonly partSize: number;
  readonly open: OpenFiles;
  readonly pool: ChunkPool;
  readonly folders: RepoFolders;
  readonly shared: SharedPacks;
  readonly now: () => number;
  readonly reservations: (account: string, id: string) => PackReservations | undefined;
  readonly demandPresent: () => void;
}

class FilePackStore implements PackStore {
  readonly partSize: number;
  readonly #shared: Shared;
  readonly #account: string;
  readonly #id: string;
  readonly #reservations: PackReservations | undefined;

  constructor(shared: Shared, account: string, id: string) {
    this.#shared = shared;
    this.partSize = shared.partSize;
    this.#account = account;
    this.#id = id;
    this.#reservations = shared.reservations(account, id);
  }

  get #folder(): string {
    return this.#shared.folders.path(this.#account, this.#id);
  }

  /** Without reservations, writes nothing, since the folder itself records what was begun. */
  async reserve(): Promise<PackId> {
    const id = newPackId();
    await this.#reservations?.reserve([id], this.#shared.now());
    return id;
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
    return new FileUpload(await this.#create(id, 'pack'), this.partSize, (error) =>
      storageError('store', id, 'pack', error),
    );
  }

  async read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
    const lease = await this.#acquire(id, file);
    try {
      checkRanges(ranges, lease.file.size);
      return await readRanges(lease.file, ranges);
    } catch (error) {
      throw storageError('read', id, file, error);
    } finally {
      lease.release();
    }
  }

  path(id: PackId): string {
    return this.#path(id, 'pack');
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
      // The disk writes between the headers, so no payload byte is copied.
      const { payloads, bytes } = layFrames(buffer, length);
      await fill(file, payloads, from);
      return bytes;
    });
  }

  async remove(id: PackId): Promise<void> {
    const paths = packFiles.map((file) => this.#path(id, file));
    const { demandPresent } = this.#shared;
    try {
      demandPresent();
      this.#shared.shared.forget(this.#folder, id);
      for (const path of paths) this.#shared.open.forget(path);
      await allDone(
        paths.flatMap((path) => [path, path + pendingSuffix]).map((path) => this.#shared.fileSystem.remove(path)),
      );
      await this.#syncRemovals();
      demandPresent();
    } catch (error) {
      throw new StorageError(`Cannot remove pack ${id}: ${reason(error)}`, { cause: error });
    }
    // Last: until the bytes are gone, only the note leads to them.
    await this.#reservations?.drop(id);
  }

  /** Callers forget a removed pack, so its bytes must not return after a power cut: no caller would look for them. */
  async #syncRemovals(): Promise<void> {
    try {
      await this.#shared.fileSystem.syncFolder(this.#folder);
    } catch (error) {
      // A missing folder has no files.
      if (reason(error) !== 'ENOENT') throw error;
    }
  }

  /** Adds packs of another repository, see {@link PackStores.share}. */
  async take(from: FilePackStore, ids: readonly PackId[]): Promise<boolean> {
    const [source, folder] = [from.#folder, this.#folder];
    // First: from its first name on, the pack must not look like the leftover of a failed push.
    await this.#reservations?.reserve(ids, this.#shared.now());
    try {
      await this.#shared.folders.ensure(this.#account, this.#id);
      for (const id of ids) {
        const names = packFiles.map((file) => `${checkPackId(id)}.${file}`);
        if (this.#reservations === undefined) this.#shared.shared.note(folder, id);
        if ((await linkFiles(this.#shared.fileSystem, source, folder, names)) === 'missing') return false;
      }
      this.#shared.demandPresent();
      return true;
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError(`Cannot share packs: ${reason(error)}`, { cause: error });
    }
  }

  async leftovers(before: number): Promise<readonly PackId[]> {
    if (this.#reservations !== undefined) return this.#reservations.before(before);
    const latest = new Map<PackId, number>();
    try {
      for (const { name, modifiedAt } of await this.#shared.fileSystem.list(this.#folder)) {
        const id = idOf(name);
        if (id !== undefined) latest.set(id, Math.max(modifiedAt, latest.get(id) ?? 0));
      }
    } catch (error) {
      throw new StorageError(`Cannot list packs: ${reason(error)}`, { cause: error });
    }
    const { shared } = this.#shared;
    return [...latest].flatMap(([id, at]) => (at < before && !shared.isSince(this.#folder, id, before) ? [id] : []));
  }

  #path(id: PackId, file: PackFile): string {
    return `${this.#folder}/${checkPackId(id)}.${file}`;
  }

  async #create(id: PackId, file: PackFile): Promise<PendingFile> {
    checkPackId(id);
    try {
      this.#shared.demandPresent();
      await this.#shared.folders.ensure(this.#account, this.#id);
      const { fileSystem, demandPresent } = this.#shared;
      return await PendingFile.create(fileSystem, this.#folder, `${id}.${file}`, demandPresent);
    } catch (error) {
      throw storageError('store', id, file, error);
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
      const count = Math.ceil((end - start) / step);
      const fillChunk = (index: number, buffer: Uint8Array): Promise<Uint8Array> => {
        const at = start + index * step;
        return read(lease.file, buffer, at, Math.min(step, end - at));
      };
      // A framed chunk is longer than its payload, so only a single plain one may have its own size.
      const size = step === chunkSize && count === 1 ? end - start : chunkSize;
      yield* readAhead(count, this.#shared.pool, fillChunk, size);
    } catch (error) {
      throw storageError('read', id, 'pack', error);
    } finally {
      lease.release();
    }
  }
}

/** Returns the id of the pack with a file of this name, complete or unfinished. */
function idOf(name: string): PackId | undefined {
  const [id = '', file, suffix, ...more] = name.split('.');
  if (!packFiles.some((known) => known === file) || more.length > 0) return undefined;
  return suffix === undefined || `.${suffix}` === pendingSuffix ? parsePackId(id) : undefined;
}

/** Says what could not be done to a file of a pack; passes on what says so already. */
function storageError(action: 'store' | 'read', id: PackId, file: PackFile, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(`Cannot ${action} the ${file} file of pack ${id}: ${reason(error)}`, { cause: error });
}

/** The system's code (`ENOSPC`) if there is one: its text would tell paths. */
function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
