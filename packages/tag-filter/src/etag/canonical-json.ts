import type { Tags } from '../tag/tags.ts';

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
