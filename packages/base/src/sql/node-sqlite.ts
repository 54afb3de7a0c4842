import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LruCache } from '../core/lru-cache.ts';
import type { SqlDriver, SqlValue } from './driver.ts';
import { NestedTransactions } from './nested-transactions.ts';
import { withoutNumbers, type PlacedStatement } from './numbered-parameters.ts';

/** A {@link SqlDriver} with an open database connection. */
export interface NodeSqlite extends SqlDriver {
  /** Closes the connection; later statements throw. Idempotent. */
  close(): void;
}

export interface NodeSqliteOptions {
  /** Milliseconds to wait for another connection's write. Default 10,000. */
  readonly busyTimeout?: number;
  /** Opens an existing file for reading only, even while another process writes to it. Default false. */
  readonly readOnly?: boolean;
  /** Called before each commit. If it throws, the transaction is rolled back. */
  readonly beforeCommit?: (() => void) | undefined;
}

/**
 * Number of cached statements. It exceeds what adapters use, except for lists whose statement depends on the request.
 */
const statementCacheSize = 256;

/**
 * Opens or creates the database file at `path`, or one in memory for `:memory:`. Uses a write-ahead log, synchronous
 * `FULL` (a completed commit survives a power cut, GIT-155) and foreign keys. Only its owner can read a created file.
 *
 * @throws the error of `node:sqlite` if the file cannot be opened or is not a database.
 */
export function openNodeSqlite(path: string, options: NodeSqliteOptions = {}): NodeSqlite {
  const { readOnly = false } = options;
  if (path !== ':memory:' && !readOnly) makePrivate(path);
  const database = new DatabaseSync(path, {
    readOnly,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
  });
  try {
    // Deno ignores the `timeout` option.
    database.exec(`PRAGMA busy_timeout = ${options.busyTimeout ?? 10_000}`);
    if (!readOnly) {
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return new NodeSqliteDriver(database, options.beforeCommit);
}

/**
 * Creates a missing file before SQLite would create it with the mode of the umask. SQLite gives the log and the shared
 * memory the same mode. Does not open an existing file: closing a handle of it drops SQLite's locks.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // The file exists, or SQLite will report better why it cannot be created.
  }
}

interface Prepared extends Pick<PlacedStatement, 'place'> {
  readonly prepared: StatementSync;
}

class NodeSqliteDriver implements NodeSqlite {
  readonly #database: DatabaseSync;
  #statements = new LruCache<string, Prepared>(statementCacheSize);
  readonly #transactions = new NestedTransactions();
  readonly #beforeCommit: (() => void) | undefined;
  /** The last used statement, since most statements of a large change are the same. */
  #last: { readonly statement: string; readonly prepared: Prepared } | undefined;
  #isOpen = true;

  constructor(database: DatabaseSync, beforeCommit: (() => void) | undefined) {
    this.#database = database;
    this.#beforeCommit = beforeCommit;
  }

  all<Row>(statement: string, ...parameters: readonly SqlValue[]): Row[] {
    const { prepared, place } = this.#prepared(statement);
    return prepared.all(...place(parameters)) as Row[];
  }

  run(statement: string, ...parameters: readonly SqlValue[]): number {
    const { prepared, place } = this.#prepared(statement);
    if (!this.#transactions.isRunning) this.#beforeCommit?.();
    return Number(prepared.run(...place(parameters)).changes);
  }

  transaction<T>(work: () => T, kind?: 'read' | 'lazy'): T {
    return this.#transactions.run(work, (whole) => {
      // With `NORMAL`, a commit does not wait for the disk, but the log keeps its order.
      if (kind === 'lazy') this.#database.exec('PRAGMA synchronous = NORMAL');
      this.#database.exec(kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
      try {
        const result = whole();
        if (kind !== 'read') this.#beforeCommit?.();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      } finally {
        if (kind === 'lazy') this.#database.exec('PRAGMA synchronous = FULL');
      }
    });
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // SQLite rolls back by itself after some errors (disk full), so that `ROLLBACK` fails.
    }
  }

  #prepare(statement: string): Prepared {
    const { text, place } = withoutNumbers(statement);
    return { prepared: this.#database.prepare(text), place };
  }

  #prepared(statement: string): Prepared {
    if (this.#last?.statement === statement) return this.#last.prepared;
    let prepared = this.#statements.get(statement);
    if (prepared === undefined) {
      prepared = this.#prepare(statement);
      this.#statements.set(statement, prepared);
    }
    this.#last = { statement, prepared };
    return prepared;
  }

  close(): void {
    this.#statements = new LruCache(0);
    this.#last = undefined;
    // Node 22.13 cannot report if a database is open.
    if (this.#isOpen) this.#database.close();
    this.#isOpen = false;
  }
}
