/** Limits on the rest of a request body that the server reads and drops around an early reply. */
export interface LingerLimits {
  /** Bytes; default 67,108,864. */
  readonly bytes?: number;
  /** Milliseconds in all; default 10,000. */
  readonly total?: number;
  /** Milliseconds without a byte; default 1,000. */
  readonly idle?: number;
}

export const lingerDefaults: Required<LingerLimits> = { bytes: 67_108_864, total: 10_000, idle: 1_000 };
