/** The start of a body, or the end of what a command wrote. It has either `text`, if it is UTF-8, or `base64`. */
export interface RecordedBody {
  /** The true length in bytes, as far as the case read or sent it. */
  readonly bytes: number;
  readonly text?: string;
  readonly base64?: string;
  /** True if the record has only a part of these bytes. */
  readonly cut: boolean;
  /** False if the case ended, or lost interest, before the end of the body. */
  readonly ended: boolean;
}

export type RecordedHeaders = readonly (readonly [name: string, value: string])[];

/** One HTTP request of a case, and its reply. */
export interface HttpStep {
  readonly kind: 'http';
  /** Milliseconds from the start of the case to the request. */
  readonly at: number;
  /** Milliseconds until the head of the reply; null without a reply. */
  readonly milliseconds: number | null;
  /** True if the request went over a socket of the suite, since `fetch` cannot send it. */
  readonly raw: boolean;
  readonly method: string;
  readonly url: string;
  readonly headers: RecordedHeaders;
  readonly body: RecordedBody | null;
  readonly reply: {
    readonly status: number;
    readonly headers: RecordedHeaders;
    readonly body: RecordedBody | null;
  } | null;
  /** Why there is no reply; null if there is one, or if the case ended first. */
  readonly error: string | null;
}

/** One `git` command of a case. */
export interface GitStep {
  readonly kind: 'git';
  readonly at: number;
  /** Null if the command did not end. */
  readonly milliseconds: number | null;
  /** The arguments after `git`, without credentials. */
  readonly arguments: readonly string[];
  /** True if the command also got a credential. */
  readonly credential: boolean;
  /** The exit status; null if the command did not end by itself. */
  readonly status: number | null;
  /** The end of standard output. */
  readonly stdout: RecordedBody | null;
  /** The end of standard error. */
  readonly stderr: RecordedBody | null;
  readonly error: string | null;
}

export type Step = HttpStep | GitStep;

/** The requests and replies of a case, in order. Secrets are removed. */
export interface Evidence {
  readonly steps: readonly Step[];
  /** The number of steps that are not in the record: earlier ones, or those of other inputs of a property. */
  readonly left_out: number;
}
