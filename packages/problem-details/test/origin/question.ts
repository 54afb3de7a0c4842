/** A task for the entry. */
export interface Question {
  readonly url: string;
  /** Milliseconds after which the client aborts. */
  readonly abortAfter?: number;
  readonly connectTimeout?: number;
  readonly readTimeout?: number;
  readonly connectsWithin?: number;
}

/** The result of the task. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Code of the thrown platform error. */
  readonly code?: number;
  readonly cause?: string;
  /** Another thrown value. */
  readonly thrown?: string;
}
