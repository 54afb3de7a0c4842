import type { FileSystem, ReadableFile } from './file-system.ts';

interface Entry {
  readonly file: Promise<ReadableFile>;
  users: number;
  kept: boolean;
}

/** A file in use. Released once. */
export interface Lease {
  readonly file: ReadableFile;
  release(): void;
}

/**
 * Files held open for reading, the least recently used closed first. A file in use stays open until it is released,
 * also when it has been forgotten or its name is gone.
 */
export class OpenFiles {
  readonly #fileSystem: FileSystem;
  readonly #limit: number;
  readonly #entries = new Map<string, Entry>();

  constructor(fileSystem: FileSystem, limit: number) {
    this.#fileSystem = fileSystem;
    this.#limit = limit;
  }

  /** Opens a file or takes the one that is open. Rejects as `FileSystem.open` does. */
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

  /** Closes a file as soon as nobody uses it; the next to ask opens it anew. */
  forget(path: string): void {
    const entry = this.#entries.get(path);
    if (entry === undefined) return;
    this.#entries.delete(path);
    entry.kept = false;
    this.#closeUnused(entry);
  }

  /** Closes all that nobody uses, and the others when they are released. */
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
    // Nothing was written through it, so neither a failed open nor a failed close is news here.
    entry.file.then((file) => file.close()).catch(() => undefined);
  }
}
