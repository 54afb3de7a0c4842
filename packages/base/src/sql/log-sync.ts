import { closeSync, constants, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const datasync = promisify(fdatasync);

/**
 * Makes the commits of a write-ahead log durable, many with one sync, while the event loop continues. A sync covers the
 * commits from before it began.
 */
export class LogSync {
  readonly #path: string;
  readonly #checkpoint: () => void;
  readonly #sync: (descriptor: number) => Promise<void>;
  #descriptor: number | undefined;
  /** Number of commits, and how many of them are durable. */
  #commits = 0;
  #durable = 0;
  #running: Promise<void> | undefined;
  /** After a failed sync, the system may have dropped what was to be synced, so that the next sync proves nothing. */
  #hasFailed = false;
  #isClosed = false;

  /**
   * @param checkpoint copies the log at `path` to the database, and syncs that. Throws if it cannot.
   * @param sync makes the contents of a file durable. Default: `fdatasync`.
   */
  constructor(path: string, checkpoint: () => void, sync: (descriptor: number) => Promise<void> = datasync) {
    this.#path = path;
    this.#checkpoint = checkpoint;
    this.#sync = sync;
  }

  committed(): void {
    this.#commits++;
  }

  /** Resolves when all commits until now are durable; undefined if they are. Rejects with the error of the system. */
  durable(): Promise<void> | undefined {
    return this.#durable === this.#commits ? undefined : this.#until(this.#commits);
  }

  /** Makes all commits durable. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.#durable < this.#commits) this.#syncNow();
    } finally {
      if (this.#running === undefined) this.#release();
    }
  }

  async #until(commits: number): Promise<void> {
    while (this.#durable < commits) await (this.#running ?? this.#start());
  }

  #start(): Promise<void> {
    return (this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isClosed) this.#release();
    }));
  }

  async #run(): Promise<void> {
    const commits = this.#commits;
    try {
      if (this.#hasFailed) this.#checkpoint();
      else await this.#sync(this.#open());
      this.#hasFailed = false;
      this.#durable = Math.max(this.#durable, commits);
    } catch (error) {
      // A closed log was synced meanwhile.
      if (this.#isClosed && this.#durable === this.#commits) return;
      this.#hasFailed = true;
      throw error;
    }
  }

  #syncNow(): void {
    try {
      if (this.#hasFailed) this.#checkpoint();
      else fdatasyncSync(this.#open());
    } catch (error) {
      // The folder was removed, and with it what would have been synced.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    this.#durable = this.#commits;
  }

  /** SQLite has no locks on this file, so it may be closed. Windows syncs only files that are open for writing. */
  #open(): number {
    return (this.#descriptor ??= openSync(this.#path, constants.O_RDWR));
  }

  #release(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
