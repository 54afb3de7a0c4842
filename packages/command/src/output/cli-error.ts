/** The exit codes by kind of error, so that scripts can tell the kinds apart. */
export const exitCodes = {
  /** An unexpected error. */
  internal: 1,
  /** The command line is wrong, or a question was not answered with yes. */
  usage: 2,
  /** The service refused the request: not found, taken, not valid. */
  refused: 3,
  /** The credential is missing or does not suffice. */
  credential: 4,
  /** The server does not answer, or is not this service. */
  unreachable: 5,
  /**
   * A resource that `serve`, `doctor` or `maintain` needs is missing or taken: port, data folder, configuration,
   * certificate.
   */
  start: 6,
  /** `doctor` found a fault, or `maintain` could not do its work. */
  unsound: 7,
} as const;

export type CliErrorKind = keyof typeof exitCodes;

/** An error for people: one clear sentence, and a hint that says what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly kind: CliErrorKind;
  readonly hint: string;

  constructor(kind: CliErrorKind, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.hint = hint;
  }
}
