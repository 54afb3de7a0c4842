/**
 * Value of a column or parameter. Integers stay within ±2^53, so bigint is not needed. Read a text that may contain NUL
 * as a BLOB, since Deno ends a text at NUL.
 */
export type SqlValue = null | number | string | Uint8Array;

/**
 * A synchronous connection to one SQLite database, with only what `node:sqlite` and Durable Object SQL share. Each call
 * runs one statement, with at most 100 `?` parameters and 2 MB per value. Pass a list as one JSON parameter and read it
 * with `json_each`. Statements never contain `BEGIN`.
 */
export interface SqlDriver {
  /** Returns all rows of a query. `Row` is the shape that the statement selects; the driver does not check it. */
  all<Row>(statement: string, ...parameters: readonly SqlValue[]): Row[];
  /** Runs a statement that yields no rows. Returns the number of changed rows. */
  run(statement: string, ...parameters: readonly SqlValue[]): number;
  /**
   * Runs `work` in one transaction that takes the write lock at once, and rolls it back if `work` throws. On return it
   * survives the end of the process; {@link SqlDriver.durable} tells when a power cut cannot undo it. A nested call
   * joins. If a joined call throws, the whole transaction is rolled back, even if the error was caught. `work` must be
   * synchronous.
   *
   * @param kind `read`: takes no lock, waits for no writer, and sees one snapshot from its first statement on. `work`
   * must then not write. `lazy`: `durable` does not wait for it, but a later transaction is never durable without it;
   * for values that can be found again, or that a later transaction needs anyway.
   */
  transaction<T>(work: () => T, kind?: 'read' | 'lazy'): T;
  /**
   * Resolves when all statements and transactions until now survive a power cut; undefined if they do already. One sync
   * of the disk serves all who wait. Rejects with the error of the system; then what was committed may be lost or not.
   */
  durable(): Promise<void> | undefined;
}
