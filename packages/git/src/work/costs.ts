/**
 * Kinds of work that the engine counts, as indexes into {@link unitsOf}. Amounts are bytes, except for `steps`,
 * `edges`, `rows` and `entries`, which are numbers.
 */
export const cost = {
  /** Passes of a loop that touch a few words, such as one ref, one table entry or one have. */
  steps: 0,
  /** Parents, tree entries, list entries and other links between objects. */
  edges: 1,
  /** Bytes that zlib produces or skips. */
  inflated: 2,
  /** Bytes that zlib compresses. */
  deflated: 3,
  /** Bytes of objects that are made from deltas. */
  rebuilt: 4,
  hashed: 5,
  compared: 6,
  /** Bytes of commits, trees, tags, indexes, graphs and request lines. */
  parsed: 7,
  /** Rows that SQLite reads or writes. */
  rows: 8,
  /** Entries of tables in memory that a tight loop visits, such as nodes and edges of a graph. */
  entries: 9,
  /** Bytes of files in which a literal is looked for; patterns that take longer count each byte several times. */
  searched: 10,
} as const;

export type Cost = (typeof cost)[keyof typeof cost];

/** Units by kind: about the nanoseconds of one byte, step, edge or row on a machine of 2024. */
export const unitsOf: Readonly<Record<Cost, number>> = [1000, 60, 4, 40, 1, 2, 0.2, 4, 4000, 8, 1];

/** Units after which work yields: 10 ms, so that a small request waits at most two or three times as long. */
export const sliceUnits = 10_000_000;
