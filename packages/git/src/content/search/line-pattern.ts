/** The place of a match, as offsets in a text. */
export interface LineMatch {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** A pattern to find in the lines of a text. No match reaches over a line feed. */
export interface LinePattern {
  /** Memory in bytes that it takes. */
  readonly memory: number;
  /** Work for one byte, in units of the scheduler. */
  readonly unitsPerByte: number;
  /** Bytes to search in one step, which nothing interrupts. A longer line is one step. */
  readonly stepBytes: number;
  /**
   * Returns the first match of the first line that has one, in `text[from..to)`: whole lines, the last one without its
   * line feed.
   */
  find(text: Uint8Array, from: number, to: number): LineMatch | undefined;
}
