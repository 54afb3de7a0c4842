/** What went wrong, as a kind that a script can act on: each has an exit code of its own. */
export const exitCodes = {
  /** Something that nobody expected. */
  internal: 1,
  /** The command line is wrong, or a question was not answered with yes. */
  usage: 2,
  /** The service says no: not found, taken, not valid. */
  refused: 3,
  /** No credential, or one that does not suffice. */
  credential: 4,
  /** Nothing answers, or something else does. */
  unreachable: 5,
  /** What `serve`, `doctor` or `maintain` works with is not there or taken: port, data folder, configuration, certificate. */
  start: 6,
  /** `doctor` found something wrong, or `maintain` could not do its work. */
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
