/** The end of a span. */
export interface SpanEnd {
  /** Replaces the name that the span began with. */
  readonly name?: string;
  /** Members with the value undefined are left out. */
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  /** True if the work failed. */
  readonly failed?: boolean;
}

/** One piece of work in a trace. */
export interface Span {
  /** Runs `work` so that spans which it begins are below this one. */
  run<Result>(work: () => Result): Result;
  end(end?: SpanEnd): void;
}

/** Receives the spans of requests (REPO-345), such as `openTelemetry(api)` of `@packhouse/router`. */
export interface Tracing {
  /** Begins the span of a request. It continues the trace that its header `traceparent` names. */
  request(headers: Headers): Span;
  /** Begins a span below the one that runs now. */
  child(name: string): Span;
}
