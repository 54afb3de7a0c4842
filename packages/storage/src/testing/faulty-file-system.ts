import type { FileEntry, FileSystem, ReadableFile, WritableFile } from '../files/file-system.ts';
import { Inode, parentsOf, VolatileDisk } from './volatile-disk.ts';

/** An operation that changes something, or makes it durable. */
export interface FileOperation {
  /** Counted from 0. */
  readonly index: number;
  readonly kind: 'create' | 'write' | 'sync' | 'rename' | 'link' | 'remove' | 'make folder' | 'sync folder';
  readonly path: string;
}

/** An operation that only looks. */
export interface FileRead {
  /** Counted from 0, apart from those of {@link FileOperation}. */
  readonly index: number;
  readonly kind: 'open' | 'read' | 'list';
  readonly path: string;
}

/**
 * - `fail`: rejects, nothing happened. `fail late`: rejects although it happened.
 * - `lost`: resolves although nothing happened, as a disk does that lies.
 * - `power cut`: rejects, and so does all that follows; a write, rename or link may have happened, a sync has not.
 */
export type Fault = 'fail' | 'fail late' | 'lost' | 'power cut';

export interface FaultyFileSystemOptions {
  /** Asked before each operation. Default: no faults. */
  readonly fault?: (operation: FileOperation) => Fault | undefined;
  /** Called before each read; true makes it fail. Default: none fails. */
  readonly readFault?: (read: FileRead) => boolean;
  /** The code of failures, such as `ENOSPC`. Default `EIO`. */
  readonly code?: string;
  /** Folders that exist and are durable from the start, with those above them. */
  readonly folders?: readonly string[];
  /** Most bytes that one read gives, so that callers meet short reads. Default: no limit. */
  readonly readMax?: number;
  /** What every link is refused with, as file systems do that have none: `EPERM`, for example. Default: links are made. */
  readonly linkRefusal?: string;
  /** Milliseconds since 1970, for times of files. Default `Date.now`. */
  readonly now?: () => number;
}

/** What a faulty file system rejects with. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly code: string;

  constructor(code: string) {
    super(`The file system failed: ${code}`);
    this.code = code;
  }
}

/** A file system in memory that fails as told, and forgets what was not synced when its power is cut. */
export class FaultyFileSystem implements FileSystem {
  readonly #options: FaultyFileSystemOptions;
  readonly #disk: VolatileDisk;
  #operations = 0;
  #reads = 0;
  #dead = false;

  constructor(options: FaultyFileSystemOptions = {}, disk?: VolatileDisk) {
    this.#options = options;
    const folders = (options.folders ?? []).flatMap((folder) => [...parentsOf(folder), folder]);
    this.#disk = disk ?? new VolatileDisk(folders.map((folder) => [folder, 'folder']));
  }

  /** How many operations there were. */
  get operations(): number {
    return this.#operations;
  }

  /** How many reads there were. */
  get reads(): number {
    return this.#reads;
  }

  /** Paths of all files there are, unsynced ones included. */
  get files(): readonly string[] {
    return this.#disk.paths().filter((path) => this.#disk.get(path) instanceof Inode);
  }

  /**
   * What is found when the power is back; this file system rejects everything from now on. `keep` decides for each
   * change that was not synced whether it reached the disk (default: none did).
   */
  afterPowerCut(keep: () => boolean = () => false, options: FaultyFileSystemOptions = {}): FaultyFileSystem {
    this.#dead = true;
    return new FaultyFileSystem(options, this.#disk.survivor(keep));
  }

  /** Another one with the same files, all of them durable. */
  copy(options: FaultyFileSystemOptions = {}): FaultyFileSystem {
    return new FaultyFileSystem(
      options,
      this.#disk.survivor(() => true),
    );
  }

  async open(path: string): Promise<ReadableFile> {
    this.#look('open', path);
    const inode = this.#inode(path);
    return {
      size: inode.current.length,
      read: async (buffers, position) => {
        await Promise.resolve();
        this.#look('read', path);
        return readInto(inode.current, buffers, position, this.#options.readMax ?? Infinity);
      },
      close: async () => undefined,
    };
  }

  async create(path: string): Promise<WritableFile> {
    const inode = new Inode(this.#now());
    const folder = folderOf(path);
    await this.#operate('create', path, () => {
      this.#demandFolder(folder);
      this.#disk.change(folder, [[path, inode]]);
    });
    let open = true;
    const demandOpen = () => {
      if (!open) throw new FileFault('EBADF');
    };
    return {
      write: async (buffers, position) => {
        demandOpen();
        await this.#operate('write', path, () => {
          inode.write(buffers, position);
          inode.modifiedAt = this.#now();
        });
      },
      sync: async () => {
        demandOpen();
        await this.#operate('sync', path, () => inode.sync());
      },
      close: async () => {
        open = false;
      },
    };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#operate('rename', from, () => {
      const inode = this.#inode(from);
      this.#disk.change(folderOf(to), [
        [from, undefined],
        [to, inode],
      ]);
    });
  }

  async link(from: string, to: string): Promise<void> {
    await this.#operate('link', to, () => {
      const inode = this.#inode(from);
      this.#demandFolder(folderOf(to));
      if (this.#options.linkRefusal !== undefined) throw new FileFault(this.#options.linkRefusal);
      if (this.#disk.get(to) !== undefined) throw new FileFault('EEXIST');
      this.#disk.change(folderOf(to), [[to, inode]]);
    });
  }

  async remove(path: string): Promise<void> {
    await this.#operate('remove', path, () => {
      if (this.#disk.get(path) !== undefined) this.#disk.change(folderOf(path), [[path, undefined]]);
    });
  }

  async makeFolder(path: string): Promise<void> {
    await this.#operate('make folder', path, () => {
      for (const folder of [...parentsOf(path), path]) {
        if (this.#disk.get(folder) === undefined) this.#disk.change(folderOf(folder), [[folder, 'folder']]);
      }
    });
  }

  async syncFolder(path: string): Promise<void> {
    await this.#operate('sync folder', path, () => {
      this.#demandFolder(path);
      this.#disk.syncFolder(path);
    });
  }

  async list(folder: string): Promise<readonly FileEntry[]> {
    this.#look('list', folder);
    return this.files
      .filter((path) => folderOf(path) === folder)
      .map((path) => ({ name: path.slice(folder.length + 1), modifiedAt: this.#inode(path).modifiedAt }));
  }

  async #operate(kind: FileOperation['kind'], path: string, effect: () => void): Promise<void> {
    this.#demandPower();
    const fault = this.#options.fault?.({ index: this.#operations, kind, path });
    this.#operations += 1;
    // Real operations take their time: whoever reuses a buffer too early is found out.
    await Promise.resolve();
    this.#demandPower();
    if (fault === 'fail') throw this.#failure();
    if (fault === 'power cut') this.#dead = true;
    if (fault === undefined || fault === 'fail late' || (fault === 'power cut' && !kind.startsWith('sync'))) effect();
    if (fault === 'fail late') throw this.#failure();
    this.#demandPower();
  }

  #look(kind: FileRead['kind'], path: string): void {
    this.#demandPower();
    const isFault = this.#options.readFault?.({ index: this.#reads, kind, path }) ?? false;
    this.#reads += 1;
    if (isFault) throw this.#failure();
  }

  #failure(): FileFault {
    return new FileFault(this.#options.code ?? 'EIO');
  }

  #demandPower(): void {
    if (this.#dead) throw new FileFault('power cut');
  }

  #demandFolder(path: string): void {
    if (path !== '' && this.#disk.get(path) !== 'folder') throw new FileFault('ENOENT');
  }

  #inode(path: string): Inode {
    const entry = this.#disk.get(path);
    if (!(entry instanceof Inode)) throw new FileFault('ENOENT');
    return entry;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Copies as many bytes as there are, and as `most` allows. */
function readInto(contents: Uint8Array, buffers: readonly Uint8Array[], position: number, most: number): number {
  let read = 0;
  for (const buffer of buffers) {
    const bytes = contents.subarray(position + read, Math.min(position + read + buffer.length, position + most));
    buffer.set(bytes);
    read += bytes.length;
    if (bytes.length < buffer.length) break;
  }
  return read;
}
