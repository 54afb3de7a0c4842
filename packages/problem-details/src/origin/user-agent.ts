/**
 * Returns the name of the runtime; empty on Node before version 21. `process` does not identify Node, since other
 * runtimes have it, too.
 */
export function userAgent(): string {
  const { navigator } = globalThis as { navigator?: { readonly userAgent?: unknown } };
  return String(navigator?.userAgent ?? '');
}
