import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LruCache } from '../core/lru-cache.ts';
import type { SqlDriver, SqlValue } from './driver.ts';
import { LogSync } from './log-sync.ts';
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
 * Bytes of a page of a new database. A commit logs each changed page as a whole, and a small commit changes a little of
 * many pages, so small pages log less.
 */
const pageBytes = 1_024;

/** Bytes of the log from which on a commit copies it to the database. */
const logBytes = 4_096_000;

/**
 * Opens or creates the database file at `path`, or one in memory for `:memory:`. Uses a write-ahead log and foreign
 * keys. With `synchronous = NORMAL`, SQLite syncs only for checkpoints; the driver syncs the log for many commits at
 * once. Only its owner can read a created file. A created database can return free pages (`freePages`).
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
      // These two have no effect on an existing database.
      database.exec(`PRAGMA page_size = ${pageBytes}`);
      database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA wal_autocheckpoint = ${Math.floor(logBytes / pageBytesOf(database))}`);
      database.exec('PRAGMA synchronous = NORMAL');
    }
  } catch (error) {
    database.close();
    throw error;
  }
  const isDurable = path !== ':memory:' && !readOnly;
  return new NodeSqliteDriver(database, options.beforeCommit, isDurable ? logOf(database, path) : undefined);
}

/**
 * Rewrites the database file at `path`, so that it has no free pages and the form of a new database. Needs free space
 * for two copies: one beside it, one in the folder for temporary files (`SQLITE_TMPDIR`). A crash leaves the old
 * contents. No other connection may be open.
 *
 * @throws the error of `node:sqlite`. Then the contents are as before.
 */
export function rewriteNodeSqlite(path: string): void {
  const database = new DatabaseSync(path);
  try {
    // With a write-ahead log, a database keeps the size of its pages.
    const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = DELETE').get() as { journal_mode: string };
    if (mode !== 'delete') throw new Error('the database is in use');
    database.exec(`PRAGMA page_size = ${pageBytes}`);
    database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec('VACUUM');
    database.exec('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}

function pageBytesOf(database: DatabaseSync): number {
  return (database.prepare('PRAGMA page_size').get() as { readonly page_size: number }).page_size;
}

function logOf(database: DatabaseSync, path: string): LogSync {
  return new LogSync(`${path}-wal`, () => {
    const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { readonly busy: number };
    if (row.busy !== 0) throw new Error('the write-ahead log is in use');
  });
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
  /** False for statements that only read. */
  readonly writes: boolean;
}

class NodeSqliteDriver implements NodeSqlite {
  readonly #database: DatabaseSync;
  #statements = new LruCache<string, Prepared>(statementCacheSize);
  readonly #transactions = new NestedTransactions();
  readonly #beforeCommit: (() => void) | undefined;
  readonly #log: LogSync | undefined;
  /** The last used statement, since most statements of a large change are the same. */
  #last: { readonly statement: string; readonly prepared: Prepared } | undefined;
  /** True if the open transaction has run a statement that may change the database. */
  #hasWritten = false;
  #isOpen = true;

  constructor(database: DatabaseSync, beforeCommit: (() => void) | undefined, log: LogSync | undefined) {
    this.#database = database;
    this.#beforeCommit = beforeCommit;
    this.#log = log;
  }

  all<Row>(statement: string, ...parameters: readonly SqlValue[]): Row[] {
    const { prepared, place, writes } = this.#prepared(statement);
    const rows = prepared.all(...place(parameters)) as Row[];
    if (writes) this.#wrote();
    return rows;
  }

  run(statement: string, ...parameters: readonly SqlValue[]): number {
    const { prepared, place } = this.#prepared(statement);
    if (!this.#transactions.isRunning) this.#beforeCommit?.();
    const { changes } = prepared.run(...place(parameters));
    this.#wrote();
    return Number(changes);
  }

  transaction<T>(work: () => T, kind?: 'read' | 'lazy'): T {
    return this.#transactions.run(work, (whole) => {
      this.#database.exec(kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
      this.#hasWritten = false;
      try {
        const result = whole();
        if (kind !== 'read') this.#beforeCommit?.();
        this.#database.exec('COMMIT');
        if (kind === undefined && this.#hasWritten) this.#log?.committed();
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  durable(): Promise<void> | undefined {
    return this.#log?.durable();
  }

  /** A statement without a transaction is one by itself. */
  #wrote(): void {
    if (this.#transactions.isRunning) this.#hasWritten = true;
    else this.#log?.committed();
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
    return {
      prepared: this.#database.prepare(text),
      place,
      writes: !/^\s*(SELECT|PRAGMA|EXPLAIN)\b|^\s*WITH\b(?!.*\b(INSERT|UPDATE|DELETE|REPLACE)\b)/is.test(text),
    };
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
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#log?.close();
    } finally {
      this.#database.close();
    }
  }
}
