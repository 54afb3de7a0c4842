/** Percent-decodes a part of a URL's path. A `%` without two hexadecimal digits after it stays (WHATWG URL). */
export function percentDecoded(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const digits = bytes[at] === percent ? String.fromCharCode(...bytes.subarray(at + 1, at + 3)) : '';
    const isEncoded = /^[\da-f]{2}$/i.test(digits);
    bytes[length++] = isEncoded ? Number.parseInt(digits, 16) : (bytes[at] as number);
    if (isEncoded) at += 2;
  }
  return bytes.subarray(0, length);
}

const percent = 37;

/** Decodes bytes as UTF-8; undefined if they are not UTF-8. Keeps a byte order mark. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
