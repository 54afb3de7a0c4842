/** Bytes per call, because the number of arguments is limited. */
const stretch = 8192;

/** Encodes bytes as base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += stretch) binary += String.fromCharCode(...bytes.subarray(at, at + stretch));
  return btoa(binary);
}

/** Encodes bytes as base64url without padding (RFC 4648 §5). */
export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Decodes base64url. Returns `undefined` for any text that {@link toBase64url} never writes, including one with
 * non-zero bits after the last byte.
 */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  return toBase64url(bytes) === text ? bytes : undefined;
}
