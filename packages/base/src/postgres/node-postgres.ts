import { Pool } from 'pg';
import { Connection, databaseFailure } from './connection.ts';
import type { PostgresDriver, PostgresSession, PostgresValue } from './driver.ts';
import { DatabaseUnavailable, PostgresError, isConflict } from './errors.ts';
import { runTransaction } from './transaction.ts';
import { valueTypes } from './values.ts';

export interface NodePostgresOptions {
  /** Most connections at once. Default 10. */
  readonly connections?: number;
  /** Milliseconds to wait for a free or new connection. Default 5,000. */
  readonly connectTimeout?: number;
  /**
   * Milliseconds that a statement may run, and that a transaction may idle between statements. The database ends the
   * transaction then, so a server that hangs does not hold locks. Default 30,000.
   */
  readonly statementTimeout?: number;
}

/** Attempts of a transaction. Each conflict means that another one made progress. */
const attempts = 12;

/** Milliseconds by which a connection waits longer for a reply than the database may take. */
const replyGrace = 5_000;

/**
 * Opens a pool for `postgres://user:password@host/database`, with the parameters of libpq (`sslmode`). Connects when
 * first used.
 */
export function openNodePostgres(url: string, options: NodePostgresOptions = {}): PostgresDriver {
  return new NodePostgres(url, options);
}

class NodePostgres implements PostgresDriver {
  readonly #pool: Pool;
  readonly #statementTimeout: number;
  #closed: Promise<void> | undefined;

  constructor(url: string, options: NodePostgresOptions) {
    this.#statementTimeout = options.statementTimeout ?? 30_000;
    this.#pool = new Pool({
      connectionString: url,
      max: options.connections ?? 10,
      connectionTimeoutMillis: options.connectTimeout ?? 5_000,
      keepAlive: true,
      types: valueTypes,
      pipeline: true,
    });
    // A statement that waits for a reply fails by itself; an idle connection that breaks just leaves the pool.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  rows<Row>(statement: string, parameters?: readonly PostgresValue[]): Promise<Row[]> {
    return this.#repeat(async (connection) => {
      try {
        const [result] = await connection.run(statement, parameters);
        return result?.rows as Row[];
      } catch (error) {
        if (error instanceof DatabaseUnavailable)
          throw new DatabaseUnavailable(error.code, !/^\s*SELECT\b/i.test(statement));
        throw error;
      }
    });
  }

  transaction<T>(work: (session: PostgresSession) => Promise<T>, kind?: 'read' | 'long'): Promise<T> {
    const timeout = kind === 'long' ? undefined : this.#statementTimeout;
    return this.#repeat((connection) => runTransaction(connection, work, { kind, timeout }), timeout);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#pool.end());
  }

  /**
   * Runs `work` on a connection. Repeats it after a conflict, or if the connection broke soon, and before a change was
   * sent. A slow statement goes on in the database, so after its time limit another one would only add to the load.
   */
  async #repeat<T>(
    work: (connection: Connection) => Promise<T>,
    timeout: number | undefined = this.#statementTimeout,
  ): Promise<T> {
    const start = performance.now();
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#connect(timeout);
      try {
        return await work(connection);
      } catch (error) {
        const hasConflict = error instanceof PostgresError && isConflict(error.code);
        const wasUnused = connection.isLost && error instanceof DatabaseUnavailable && !error.mayHaveChanged;
        const isLate = performance.now() - start >= (timeout ?? Infinity);
        if (!hasConflict && (!wasUnused || isLate)) throw error;
        if (attempt === attempts) throw new DatabaseUnavailable(error.code, false);
      } finally {
        connection.release();
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(250, 4 * 2 ** attempt)));
    }
  }

  async #connect(timeout: number | undefined): Promise<Connection> {
    try {
      return new Connection(await this.#pool.connect(), timeout && timeout + replyGrace);
    } catch (error) {
      throw databaseFailure(error);
    }
  }
}
