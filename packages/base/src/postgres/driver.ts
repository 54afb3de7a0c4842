/** Value of a parameter: an array becomes one PostgreSQL array, read with `unnest` or `= ANY`. */
export type PostgresValue = PostgresScalar | readonly PostgresScalar[];

type PostgresScalar = null | boolean | number | string | Uint8Array;

/** Runs statements. A statement has at most 65,535 parameters `$1`, `$2`; pass lists as arrays. */
export interface PostgresSession {
  /**
   * Runs one statement in one round trip and returns its rows. `Row` is the shape that the statement selects; the driver
   * does not check it. Integers and sums of integers are numbers, so they must stay within ±2^53. `bytea` is a
   * `Uint8Array` that the caller may keep. A text never contains U+0000: use `bytea` for such texts.
   *
   * Calls without `await` between them go out together: the database runs them in order, and they cost one round trip.
   *
   * @throws {DatabaseUnavailable} if the database did not run the statement, or may have run it without a reply.
   * @throws {PostgresError} for any other error of the database.
   */
  rows<Row>(statement: string, parameters?: readonly PostgresValue[]): Promise<Row[]>;
}

/**
 * An asynchronous pool of connections to one PostgreSQL database of version 15 or later, also behind PgBouncer in
 * transaction mode. So it keeps nothing in a session: no named statements, no LISTEN, no session locks, and SET only
 * with LOCAL. Statements name the schema of each table.
 */
export interface PostgresDriver extends PostgresSession {
  /**
   * Runs `work` in one transaction (READ COMMITTED: each statement sees what was committed before it began) and commits
   * it, or rolls it back if `work` or a statement failed, even if `work` caught the error. Repeats `work` after a
   * deadlock, a serialization failure, or a connection lost before the commit, so it must have no other effects.
   *
   * Statements that `work` did not await go out together with the commit, and the transaction waits for them.
   *
   * @param kind `read`: sees one snapshot, and must not write (REPEATABLE READ READ ONLY). `long`: has no time limits,
   * for migrations and backups.
   */
  transaction<T>(work: (session: PostgresSession) => Promise<T>, kind?: 'read' | 'long'): Promise<T>;
  /** Closes all connections after their current work. Later calls throw. Idempotent. */
  close(): Promise<void>;
}
