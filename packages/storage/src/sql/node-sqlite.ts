import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlDriver, SqlValue } from './driver.ts';
import { NestedTransactions } from './nested-transactions.ts';

/** A {@link SqlDriver} that holds a database open. */
export interface NodeSqlite extends SqlDriver {
  /** Ends the connection; statements throw afterwards. Idempotent. */
  close(): void;
}

export interface NodeSqliteOptions {
  /** Milliseconds to wait for another connection's write to end. Default 10,000. */
  readonly busyTimeout?: number;
  /** Only reads, also beside another process that writes; the file must be there. Default false. */
  readonly readOnly?: boolean;
}

/** Statements kept, the last used ones: more than adapters have, but for lists whose statement depends on what is asked. */
const statementCacheSize = 256;

/**
 * Opens (or makes) the database file at `path`, or one in memory for `:memory:`. Write-ahead log, synchronous `FULL`
 * (a commit that returned survives a power cut, GIT-155), foreign keys on. A file that is made is its owner's alone.
 *
 * @throws the error of `node:sqlite` if the file cannot be opened or is no database.
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
    // Deno does not heed the option of the same meaning.
    database.exec(`PRAGMA busy_timeout = ${options.busyTimeout ?? 10_000}`);
    if (!readOnly) {
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return new NodeSqliteDriver(database);
}

/**
 * Makes the file, if it is missing, before SQLite would with the mode of the umask; SQLite gives the same mode to the
 * log and the shared memory beside it. (A file that exists is not opened: closing a handle of it drops SQLite's locks.)
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It exists, or SQLite tells better what keeps it from being made.
  }
}

class NodeSqliteDriver implements NodeSqlite {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #transactions = new NestedTransactions();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  all<Row>(statement: string, ...parameters: readonly SqlValue[]): Row[] {
    return this.#prepared(statement).all(...parameters) as Row[];
  }

  run(statement: string, ...parameters: readonly SqlValue[]): number {
    return Number(this.#prepared(statement).run(...parameters).changes);
  }

  transaction<T>(work: () => T, kind?: 'read'): T {
    return this.#transactions.run(work, (whole) => {
      this.#database.exec(kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
      try {
        const result = whole();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite itself rolls back after some errors (disk full): then there is nothing left to end.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  #prepared(statement: string): StatementSync {
    const prepared = this.#statements.get(statement) ?? this.#database.prepare(statement);
    this.#statements.delete(statement);
    this.#statements.set(statement, prepared);
    if (this.#statements.size > statementCacheSize) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    return prepared;
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }
}
