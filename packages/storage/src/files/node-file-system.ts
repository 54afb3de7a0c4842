import { link, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { byteLength, withoutFirst } from '../packs/buffer-list.ts';
import type { FileEntry, FileSystem, ReadableFile, WritableFile } from './file-system.ts';

/** Linux accepts at most 1,024 buffers per call. */
const buffersPerCall = 512;

/** The disk, by `node:fs`. */
export const nodeFileSystem: FileSystem = {
  async open(path) {
    const handle = await open(path, 'r');
    try {
      return new NodeReadableFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  },
  async create(path) {
    return new NodeWritableFile(await open(path, 'w', 0o600));
  },
  async rename(from, to) {
    await rename(from, to);
  },
  async link(from, to) {
    await link(from, to);
  },
  async remove(path) {
    await rm(path, { force: true });
  },
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  syncFolder,
  async list(folder) {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const entries = await Promise.all(names.map((name) => entryOf(folder, name)));
    return entries.filter((entry) => entry !== undefined);
  },
};

async function entryOf(folder: string, name: string): Promise<FileEntry | undefined> {
  try {
    const { size, mtimeMs } = await stat(join(folder, name));
    return { name, size, modifiedAt: mtimeMs };
  } catch (error) {
    // Removed since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and journals names by itself.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class NodeReadableFile implements ReadableFile {
  readonly size: number;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  async read(buffers: readonly Uint8Array[], position: number): Promise<number> {
    const [first] = buffers;
    if (buffers.length === 1 && first !== undefined)
      return (await this.#handle.read(first, 0, first.length, position)).bytesRead;
    return (await this.#handle.readv(buffers.slice(0, buffersPerCall), position)).bytesRead;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

class NodeWritableFile implements WritableFile {
  readonly #handle: FileHandle;
  #closed: Promise<void> | undefined;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(buffers: readonly Uint8Array[], position: number): Promise<void> {
    let rest = buffers;
    let at = position;
    while (rest.length > 0) {
      const { bytesWritten } = await this.#handle.writev(rest.slice(0, buffersPerCall), at);
      if (bytesWritten === 0 && byteLength(rest) > 0) throw new Error('The disk takes no more bytes');
      at += bytesWritten;
      rest = withoutFirst(rest, bytesWritten);
    }
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    this.#closed ??= this.#handle.close();
    await this.#closed;
  }
}
