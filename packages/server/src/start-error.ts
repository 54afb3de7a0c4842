/** What kept a server from starting, as a kind that a program can act on. */
export type StartErrorKind =
  /** The port is taken, or not allowed to this user. */
  | 'address'
  /** The data folder cannot be one, cannot be made, or cannot be written. */
  | 'data folder'
  /** Another process holds the data folder. */
  | 'data folder in use'
  /** The configuration is wrong. */
  | 'configuration'
  /** The certificate or key is wrong. */
  | 'tls';

/** A server that cannot start: one sentence on why, and a hint that says what to do next. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly kind: StartErrorKind;
  readonly hint: string;

  constructor(kind: StartErrorKind, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.hint = hint;
  }
}

/** The `code` of a failed system call (`ENOENT`), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
