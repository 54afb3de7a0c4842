/** What the entry is asked to do. */
export interface Question {
  readonly url: string;
  /** Milliseconds after which the client goes away. */
  readonly abortAfter?: number;
  readonly connectTimeout?: number;
  readonly readTimeout?: number;
  readonly connectsWithin?: number;
}

/** What came of it. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the platform error that was thrown. */
  readonly code?: number;
  readonly cause?: string;
  /** Something else that was thrown. */
  readonly thrown?: string;
}
