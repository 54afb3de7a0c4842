import type { SqlDriver, SqlValue } from './driver.ts';
import { NestedTransactions } from './nested-transactions.ts';

/** The part of a Durable Object's `ctx.storage` that the driver needs. */
export interface DurableObjectSqlStorage {
  readonly sql: {
    exec(statement: string, ...parameters: unknown[]): { toArray(): unknown[] };
  };
  transactionSync<T>(work: () => T): T;
}

/**
 * Opens the database of a Durable Object. Make only one driver per object: no other code may write to the database
 * while a transaction runs. Writes are durable before the object's reply leaves it, since the output gate waits.
 */
export function durableObjectSql(storage: DurableObjectSqlStorage): SqlDriver {
  return new DurableObjectSql(storage);
}

class DurableObjectSql implements SqlDriver {
  readonly #storage: DurableObjectSqlStorage;
  readonly #transactions = new NestedTransactions();

  constructor(storage: DurableObjectSqlStorage) {
    this.#storage = storage;
  }

  all<Row>(statement: string, ...parameters: readonly SqlValue[]): Row[] {
    const rows = this.#storage.sql.exec(statement, ...parameters).toArray() as Record<string, unknown>[];
    for (const row of rows) {
      for (const name in row) {
        const value = row[name];
        if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
      }
    }
    return rows as Row[];
  }

  run(statement: string, ...parameters: readonly SqlValue[]): number {
    this.#storage.sql.exec(statement, ...parameters);
    // `rowsWritten` of a cursor counts index entries, too.
    const [row] = this.#storage.sql.exec('SELECT changes() AS n').toArray() as { readonly n: number }[];
    return row?.n ?? 0;
  }

  transaction<T>(work: () => T): T {
    return this.#transactions.run(work, (whole) => this.#storage.transactionSync(whole));
  }

  /** The output gate holds replies back until then. */
  durable(): undefined {}
}
