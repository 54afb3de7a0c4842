/** An invalid configuration of a binding. The message is a sentence without a full stop. */
export class BindingError extends Error {
  override readonly name = 'BindingError';
}
