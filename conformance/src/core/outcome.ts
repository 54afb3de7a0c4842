/** Ends a case as `unsupported`: what it tests is optional, and the service says that it has it not. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** Ends a case as `skipped`; its message is the reason. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/**
 * The service did not do what was asked of it, although nothing compared two values: a repo not made, a failed `git`, a
 * push that is not answered 200, a reply that is no sound pack.
 */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}
