/** Fails while the module loads. */
export const handle: never = fail();

function fail(): never {
  throw new Error('this module cannot be loaded');
}
