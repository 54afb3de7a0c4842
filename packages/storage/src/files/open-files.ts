import type { FileSystem, ReadableFile } from './file-system.ts';

interface Entry {
  readonly file: Promise<ReadableFile>;
  users: number;
  kept: boolean;
}

/** A file in use. Release it once. */
export interface Lease {
  readonly file: ReadableFile;
  release(): void;
}

/**
 * Caches files that are open for reading, and closes the least recently used first. A file in use stays open until its
 * release, even if it was evicted or its name is gone.
 */
export class OpenFiles {
  readonly #fileSystem: FileSystem;
  readonly #limit: number;
  readonly #entries = new Map<string, Entry>();

  constructor(fileSystem: FileSystem, limit: number) {
    this.#fileSystem = fileSystem;
    this.#limit = limit;
  }

  /** Opens a file, or reuses the open one. Rejects like `FileSystem.open`. */
  async acquire(path: string): Promise<Lease> {
    const entry = this.#entries.get(path) ?? { file: this.#fileSystem.open(path), users: 0, kept: true };
    entry.users += 1;
    this.#entries.delete(path);
    this.#entries.set(path, entry);
    this.#trim();
    try {
      const file = await entry.file;
      return { file, release: () => this.#release(entry) };
    } catch (error) {
      if (this.#entries.get(path) === entry) this.#entries.delete(path);
      throw error;
    }
  }

  /** Evicts a file and closes it once it is unused. The next call of `acquire` opens it again. */
  forget(path: string): void {
    const entry = this.#entries.get(path);
    if (entry === undefined) return;
    this.#entries.delete(path);
    entry.kept = false;
    this.#closeUnused(entry);
  }

  /** Closes unused files now, and the others at their release. */
  close(): void {
    for (const path of this.#entries.keys()) this.forget(path);
  }

  #release(entry: Entry): void {
    entry.users -= 1;
    this.#closeUnused(entry);
  }

  #trim(): void {
    for (const path of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) return;
      this.forget(path);
    }
  }

  #closeUnused(entry: Entry): void {
    if (entry.kept || entry.users > 0) return;
    // Nothing was written, so a failed open or close does not matter here.
    entry.file.then((file) => file.close()).catch(() => undefined);
  }
}
