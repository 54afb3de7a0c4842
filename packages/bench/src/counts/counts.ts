import { DatabaseSync, StatementSync } from 'node:sqlite';
import { cost, type GitEngine } from '@packhouse/git';
import type { FileSystem } from '@packhouse/storage';
import { nodeFileSystem } from '@packhouse/storage/node';

/**
 * Costs of an operation in numbers that are the same on every machine: the work that the engine counts by kind, bytes
 * read from and written to files of packs, their syncs, statements and commits of SQLite, and bytes sent.
 */
export type Counts = Readonly<Record<string, number>>;

type Method = (...given: unknown[]) => unknown;

/** Counts the work of one service in this process. Affects all databases until {@link Counter.stop}. */
export class Counter {
  /** The file system to open the storage with. */
  readonly fileSystem: FileSystem;
  readonly #found = { read: 0, written: 0, syncs: 0, statements: 0, commits: 0 };
  readonly #undo: (() => void)[] = [];

  constructor() {
    this.fileSystem = this.#countedFiles();
    this.#countSqlite();
  }

  /** Returns the costs of an operation, which resolves to the number of bytes sent. */
  async of({ scheduler }: GitEngine, operation: () => Promise<number>): Promise<Counts> {
    const [before, found] = [scheduler.totals.slice(), { ...this.#found }];
    const sent = await operation();
    const work = Object.entries(cost).map(([name, kind]) => [
      name,
      Math.round((scheduler.totals[kind] as number) - (before[kind] as number)),
    ]);
    const rest = Object.entries(this.#found).map(([name, count]) => [name, count - found[name as keyof typeof found]]);
    return Object.fromEntries([...work, ...rest, ['sent', sent]]);
  }

  stop(): void {
    for (const undo of this.#undo) undo();
  }

  #countedFiles(): FileSystem {
    const found = this.#found;
    const bytesOf = (buffers: readonly Uint8Array[]): number => buffers.reduce((sum, { length }) => sum + length, 0);
    return {
      ...nodeFileSystem,
      async open(path) {
        const file = await nodeFileSystem.open(path);
        return {
          size: file.size,
          async read(buffers, position) {
            const read = await file.read(buffers, position);
            found.read += read;
            return read;
          },
          close: () => file.close(),
        };
      },
      async create(path) {
        const file = await nodeFileSystem.create(path);
        return {
          write(buffers, position) {
            found.written += bytesOf(buffers);
            return file.write(buffers, position);
          },
          sync() {
            found.syncs++;
            return file.sync();
          },
          close: () => file.close(),
        };
      },
      syncFolder(path) {
        found.syncs++;
        return nodeFileSystem.syncFolder(path);
      },
    };
  }

  /** Counts transactions that write; one sync of the log may serve many of them. */
  #countSqlite(): void {
    const found = this.#found;
    let transaction: 'none' | 'begun' | 'written' = 'none';
    const statements = StatementSync.prototype as unknown as Record<string, Method>;
    const databases = DatabaseSync.prototype as unknown as Record<string, Method>;
    for (const name of ['all', 'get', 'run']) {
      this.#wrap(statements, name, () => {
        found.statements++;
        if (name !== 'run') return;
        if (transaction === 'none') found.commits++;
        else transaction = 'written';
      });
    }
    this.#wrap(databases, 'exec', ([text]) => {
      if (text === 'BEGIN' || text === 'BEGIN IMMEDIATE') transaction = 'begun';
      if (text !== 'COMMIT' && text !== 'ROLLBACK') return;
      if (text === 'COMMIT' && transaction === 'written') found.commits++;
      transaction = 'none';
    });
  }

  #wrap(owner: Record<string, Method>, name: string, counted: (given: readonly unknown[]) => void): void {
    const own = owner[name] as Method;
    owner[name] = function wrapped(this: unknown, ...given: unknown[]): unknown {
      counted(given);
      return own.apply(this, given);
    };
    this.#undo.push(() => (owner[name] = own));
  }
}
