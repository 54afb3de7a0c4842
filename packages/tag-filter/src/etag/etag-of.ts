import type { Tags } from '../tag/tags.ts';
import { sha256 } from './sha-256.ts';

/**
 * Computes the `etag` of tags: `v1:` and the first 16 bytes, as base64url without padding, of SHA-256 over the
 * canonical JSON of RFC 8785 (TAG-036). It has 25 characters and depends only on keys and values.
 *
 * @throws {RangeError} for an unpaired surrogate in a key or value.
 */
export function etagOf(tags: Tags): string {
  const digest = sha256(new TextEncoder().encode(canonicalJson(tags))).subarray(0, 16);
  const base64 = btoa(String.fromCharCode(...digest));
  return `v1:${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/**
 * Writes tags as the canonical JSON of RFC 8785: keys sorted by UTF-16 units, no spaces (TAG-037).
 *
 * @throws {RangeError} for an unpaired surrogate, which UTF-8 cannot encode.
 */
export function canonicalJson(tags: Tags): string {
  const members = Object.entries(tags)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${canonicalString(key)}:${canonicalString(value)}`);
  return `{${members.join(',')}}`;
}

/** RFC 8785 §3.2.2.2 serializes strings as ECMAScript does. */
function canonicalString(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new RangeError('A tag holds half of a surrogate pair.');
  return JSON.stringify(text);
}
