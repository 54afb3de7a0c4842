/** Step of a reply that failed, so that the next one of the chain was taken (ERR-119). */
export type FallbackStage =
  | 'built-in'
  | 'clock'
  | 'custom-errors'
  | 'host'
  | 'limiter'
  | 'localisation'
  | 'may-use-rules'
  | 'page'
  | 'random'
  | 'rule';

/** What is told to the log. No record holds request data but the zone; `stack` and `message` never leave the log. */
export type LogRecord =
  /**
   * A platform error was answered. `status` is that of the reply, which a rule may have changed; `cause` are the messages
   * of what the error was thrown for and of its own causes, if that was given with it.
   */
  | {
      readonly event: 'platform-error';
      readonly code: number;
      readonly ray_id: string;
      readonly zone: string;
      readonly status: number;
      readonly cause?: string;
    }
  /** Something that is no platform error was thrown (ERR-123). */
  | { readonly event: 'unhandled'; readonly ray_id: string; readonly message: string; readonly stack?: string }
  /** A platform error that the catalogue does not have was answered with 500 (ERR-124). `NaN` if it was no number. */
  | { readonly event: 'unknown-code'; readonly ray_id: string; readonly code: number }
  /** The body of a response ended with an error after it had begun (ERR-127). */
  | { readonly event: 'broken-stream'; readonly ray_id: string; readonly message: string }
  /** A step failed, and the next one was served. Without a ray id if no reply was begun. */
  | { readonly event: 'fallback'; readonly ray_id: string; readonly stage: FallbackStage; readonly message: string };

/** The log port. It may be asynchronous; what it throws is ignored. */
export type Log = (record: LogRecord) => unknown;

/** A log that never throws. A promise that it gives may reject. */
export const quietLog = (log: Log | undefined): ((record: LogRecord) => void) => {
  if (log === undefined) return () => undefined;
  return (record) => {
    try {
      const told = log(record);
      if (typeof told === 'object') Promise.resolve(told).catch(() => undefined);
    } catch {
      // There is nobody left to tell.
    }
  };
};
