/**
 * What a column or parameter may hold. Integers stay within ±2^53: no bigint. A text that may hold a NUL is read as a
 * BLOB: Deno ends it there.
 */
export type SqlValue = null | number | string | Uint8Array;

/**
 * A synchronous connection to one SQLite database: the least that `node:sqlite` and Durable Object SQL share.
 * Statements are single ones, with `?` parameters: at most 100 of them (lists travel as one JSON parameter, read by
 * `json_each`), 2 MB a value, no `BEGIN` of their own.
 */
export interface SqlDriver {
  /** All rows of a query. `Row` is the shape that the statement selects; it is not checked. */
  all<Row>(statement: string, ...parameters: readonly SqlValue[]): Row[];
  /** Runs a statement that yields no rows; answers how many rows it changed. */
  run(statement: string, ...parameters: readonly SqlValue[]): number;
  /**
   * Runs `work` in one transaction that locks for writing at once, durable on return and rolled back if `work`
   * throws. A call within `work` joins; if a joined call throws, the whole is rolled back even where that was caught.
   * `work` must not be asynchronous.
   *
   * @param kind `read`: locks nothing, waits for no writer, and sees one state from its first statement on. `work` must
   * not write then.
   */
  transaction<T>(work: () => T, kind?: 'read'): T;
}
