import type { Tags } from '../tag/tags.ts';

/**
 * The canonical JSON of RFC 8785 of tags: keys in the order of their UTF-16 units, no spaces (TAG-037).
 *
 * @throws {RangeError} for half of a surrogate pair, which has no form in UTF-8.
 */
export function canonicalJson(tags: Tags): string {
  const members = Object.entries(tags)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${canonicalString(key)}:${canonicalString(value)}`);
  return `{${members.join(',')}}`;
}

/** RFC 8785 §3.2.2.2 writes strings as ECMAScript does. */
function canonicalString(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new RangeError('A tag holds half of a surrogate pair.');
  return JSON.stringify(text);
}
