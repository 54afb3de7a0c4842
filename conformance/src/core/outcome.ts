/** Ends a case as `unsupported`: the feature is optional, and the service says that it does not have it. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** Ends a case as `skipped`. Its message is the reason. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/**
 * The service did not do what the case asked for, without a comparison of values. Examples: a repo that was not
 * created, a failed `git`, a push that was not answered 200, an invalid pack.
 */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}
