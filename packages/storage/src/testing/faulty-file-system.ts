import type { FileEntry, FileSystem, ReadableFile, WritableFile } from '../files/file-system.ts';
import { Inode, parentsOf, VolatileDisk } from './volatile-disk.ts';

/** An operation that changes something or makes it durable. */
export interface FileOperation {
  /** Counted from 0. */
  readonly index: number;
  readonly kind: 'create' | 'write' | 'sync' | 'rename' | 'link' | 'remove' | 'make folder' | 'sync folder';
  readonly path: string;
}

/** An operation that only reads. */
export interface FileRead {
  /** Counted from 0, separately from {@link FileOperation}. */
  readonly index: number;
  readonly kind: 'open' | 'read' | 'list';
  readonly path: string;
}

/**
 * - `fail`: rejects without effect. `fail late`: rejects after its effect.
 * - `lost`: resolves without effect, like a disk that lies.
 * - `power cut`: rejects, like every later operation; a write, rename or link may have taken effect, a sync has not.
 */
export type Fault = 'fail' | 'fail late' | 'lost' | 'power cut';

export interface FaultyFileSystemOptions {
  /** Called before each operation. Default: no faults. */
  readonly fault?: (operation: FileOperation) => Fault | undefined;
  /** Called before each read; true makes it fail. Default: no read fails. */
  readonly readFault?: (read: FileRead) => boolean;
  /** The code of failures, such as `ENOSPC`. Default `EIO`. */
  readonly code?: string;
  /** Folders that exist and are durable from the start, with those above them. */
  readonly folders?: readonly string[];
  /** Maximum bytes that one read returns, to test short reads. Default: no limit. */
  readonly readMax?: number;
  /** Error code for every link, such as `EPERM`, like a file system without links. Default: links work. */
  readonly linkRefusal?: string;
  /** Milliseconds since 1970, for times of files. Default `Date.now`. */
  readonly now?: () => number;
}

/** The error of a faulty file system. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly code: string;

  constructor(code: string) {
    super(`The file system failed: ${code}`);
    this.code = code;
  }
}

/** A file system in memory that fails on demand, and loses unsynced changes at a power cut. */
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

  /** Number of operations so far. */
  get operations(): number {
    return this.#operations;
  }

  /** Number of reads so far. */
  get reads(): number {
    return this.#reads;
  }

  /** Paths of all files, including unsynced ones. */
  get files(): readonly string[] {
    return this.#disk.paths().filter((path) => this.#disk.get(path) instanceof Inode);
  }

  /**
   * Returns the file system after the power is back; this one then rejects everything. `keep` decides for each unsynced
   * change if it reached the disk (default: none did).
   */
  afterPowerCut(keep: () => boolean = () => false, options: FaultyFileSystemOptions = {}): FaultyFileSystem {
    this.#dead = true;
    return new FaultyFileSystem(options, this.#disk.survivor(keep));
  }

  /** Returns a copy with the same files, all durable. */
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
      .map((path) => {
        const { current, modifiedAt } = this.#inode(path);
        return { name: path.slice(folder.length + 1), size: current.length, modifiedAt };
      });
  }

  async #operate(kind: FileOperation['kind'], path: string, effect: () => void): Promise<void> {
    this.#demandPower();
    const fault = this.#options.fault?.({ index: this.#operations, kind, path });
    this.#operations += 1;
    // Real operations take time, so reusing a buffer too early is detected.
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

/** Copies as many bytes as available, up to `most`. */
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
