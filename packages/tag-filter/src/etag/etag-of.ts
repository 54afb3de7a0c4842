import type { Tags } from '../tag/tags.ts';
import { canonicalJson } from './canonical-json.ts';
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
