import { DatabaseError, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import type { PostgresValue } from './driver.ts';
import { DatabaseUnavailable, PostgresError, isOutage } from './errors.ts';

/** With an option that the types of pg lack. */
interface TimedQuery extends QueryConfig<unknown[]> {
  readonly query_timeout: number | undefined;
}

/** One connection while it is taken from the pool. Never throws an error of pg, which may hold values and hosts. */
export class Connection {
  readonly #client: PoolClient;
  readonly #timeout: number | undefined;
  #isLost = false;

  /** @param timeout milliseconds after which a statement without a reply ends the connection. */
  constructor(client: PoolClient, timeout: number | undefined) {
    this.#client = client;
    this.#timeout = timeout;
  }

  /** True if the connection broke, or cannot be used for another reason. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Runs a statement, or several without parameters that `;` separates.
   *
   * @returns one result for each of them.
   */
  async run(statement: string, parameters?: readonly PostgresValue[]): Promise<readonly QueryResult[]> {
    try {
      const query: TimedQuery = { text: statement, query_timeout: this.#timeout };
      if (parameters !== undefined) query.values = [...parameters];
      const result: QueryResult | QueryResult[] = await this.#client.query(query);
      return Array.isArray(result) ? result : [result];
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Returns the connection to the pool, which drops a lost one. */
  release(): void {
    this.#client.release(this.#isLost);
  }

  #failure(error: unknown): Error {
    const failure = databaseFailure(error);
    // An error without SQLSTATE comes from the socket. After 08, 57P01 and 25P03, the database closes the connection.
    // After 25006 it has become a standby, while another one is the primary at the same address.
    if (!(error instanceof DatabaseError) || /^(08|57P|25P0[34]|25006)/.test(error.code ?? '')) this.#isLost = true;
    return failure;
  }
}

/** Converts an error of pg. */
export function databaseFailure(error: unknown): DatabaseUnavailable | PostgresError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (error instanceof DatabaseError && code !== undefined && !isOutage(code))
    return new PostgresError(code, error.constraint, error.message);
  return new DatabaseUnavailable(code ?? 'no reply', false);
}
