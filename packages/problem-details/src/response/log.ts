/** A failed step of a reply, after which the next one of the chain was used (ERR-119). */
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

/** A record for the log. It contains no request data except the zone. `stack` and `message` must stay in the log. */
export type LogRecord =
  /**
   * A reply with a platform error. `status` is that of the reply, which a rule may have changed. `cause` joins the
   * messages of the error's cause and of further causes, if given.
   */
  | {
      readonly event: 'platform-error';
      readonly code: number;
      readonly ray_id: string;
      readonly zone: string;
      readonly status: number;
      readonly cause?: string;
    }
  /** A thrown value that is not a platform error (ERR-123). */
  | { readonly event: 'unhandled'; readonly ray_id: string; readonly message: string; readonly stack?: string }
  /**
   * A platform error with a code that the catalogue lacks, answered with 500 (ERR-124). `NaN` if the code was not a
   * number.
   */
  | { readonly event: 'unknown-code'; readonly ray_id: string; readonly code: number }
  /** The body of a response failed after it had begun (ERR-127). */
  | { readonly event: 'broken-stream'; readonly ray_id: string; readonly message: string }
  /** A step failed, and the next one was used. The ray id is empty if no reply was begun. */
  | { readonly event: 'fallback'; readonly ray_id: string; readonly stage: FallbackStage; readonly message: string };

/** The log port. It may be asynchronous; its errors are ignored. */
export type Log = (record: LogRecord) => unknown;

/** Wraps a log so that it never throws or rejects. */
export const quietLog = (log: Log | undefined): ((record: LogRecord) => void) => {
  if (log === undefined) return () => undefined;
  return (record) => {
    try {
      const told = log(record);
      if (typeof told === 'object') Promise.resolve(told).catch(() => undefined);
    } catch {
      // An error of the log cannot be logged.
    }
  };
};
