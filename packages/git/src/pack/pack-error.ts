/** A pack that must be refused. */
export class PackError extends Error {
  override readonly name = 'PackError';
  /** Text of the `unpack` line of the report, verbatim (GIT-140 to GIT-149, section 12). */
  readonly reason: string;
  /** Text of every `ng` line: `unpacker error`, or the text of the exceeded limit (GIT-114, GIT-165). */
  readonly commandReason: string;

  constructor(reason: string, commandReason = 'unpacker error') {
    super(reason);
    this.reason = reason;
    this.commandReason = commandReason;
  }
}

/** A limit that a pack breaks. The `unpack` line tells the amount, the limit and its setting (GIT-165). */
export function limitError(reason: string, amount: string, limit: number, setting: string): PackError {
  return new PackError(`${reason}: ${amount}, limit ${limit} (${setting})`, reason);
}
