/** What is wrong with the configuration of a binding: a sentence without a full stop. */
export class BindingError extends Error {
  override readonly name = 'BindingError';
}
