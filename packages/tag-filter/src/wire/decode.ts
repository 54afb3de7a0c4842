/** A malformed filter (TAG-088). */
export class FormError extends Error {
  override readonly name: string = 'FormError';
}

const brokenPercent = /%(?![\dA-Fa-f]{2})/;

/**
 * Decodes `+` to a space and `%XX` to a byte of UTF-8 (TAG-085).
 *
 * @throws {FormError} for text that TAG-088 calls unreadable.
 */
export function decode(text: string): string {
  if (brokenPercent.test(text)) throw new FormError('"%" without two hexadecimal digits after it');
  if (/[&#]/.test(text)) throw new FormError('"&" or "#" that is not percent-encoded');
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new FormError('bytes that are not UTF-8');
  }
  if (/\p{Surrogate}/u.test(decoded)) throw new FormError('half of a surrogate pair');
  if (decoded.includes('\0')) throw new FormError('U+0000');
  return decoded;
}
