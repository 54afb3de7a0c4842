/** The reason that a server could not start, for programs. */
export type StartErrorKind =
  /** The port is in use, or this user may not use it. */
  | 'address'
  /** The path cannot be a data folder, or the folder cannot be made or written. */
  | 'data folder'
  /** Another process holds the data folder. */
  | 'data folder in use'
  /** The database or the bucket that several servers share cannot be reached or used. */
  | 'shared storage'
  /** The configuration is wrong. */
  | 'configuration'
  /** The certificate or key is wrong. */
  | 'tls';

/** A server cannot start. The message is one sentence with the reason, and `hint` says what to do next. */
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

/** Returns the `code` of a failed system call (`ENOENT`), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
