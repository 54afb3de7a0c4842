import type { SqlDriver, SqlValue } from './driver.ts';
import { NestedTransactions } from './nested-transactions.ts';

/** The least of a Durable Object's `ctx.storage` that SQL needs. */
export interface DurableObjectSqlStorage {
  readonly sql: {
    exec(statement: string, ...parameters: unknown[]): { toArray(): unknown[] };
  };
  transactionSync<T>(work: () => T): T;
}

/**
 * The database of a Durable Object. Nothing else may write to it while a transaction of this driver runs, so make one
 * driver an object. What a call wrote is durable before the object's answer leaves it (its output gate waits).
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
    // A cursor's `rowsWritten` counts entries of indexes too.
    const [row] = this.#storage.sql.exec('SELECT changes() AS n').toArray() as { readonly n: number }[];
    return row?.n ?? 0;
  }

  transaction<T>(work: () => T): T {
    return this.#transactions.run(work, (whole) => this.#storage.transactionSync(whole));
  }
}
