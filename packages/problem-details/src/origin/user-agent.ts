/** What the runtime calls itself: empty on Node before version 21. Its `process` does not tell, since others have one, too. */
export function userAgent(): string {
  const { navigator } = globalThis as { navigator?: { readonly userAgent?: unknown } };
  return String(navigator?.userAgent ?? '');
}
