import { createHash } from 'node:crypto';

/** The etag of `{}` (TAG-039). */
export const emptyEtag = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

/**
 * Returns the etag of tags, by TAG-036 and TAG-037. RFC 8785 sorts members by UTF-16 code units, as JavaScript compares
 * (section 3.2.3), and escapes well-formed texts as `JSON.stringify` does (3.2.2.2).
 */
export function etagOf(tags: Iterable<readonly [key: string, value: string]>): string {
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  const members = sorted.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  const digest = createHash('sha256')
    .update(`{${members.join(',')}}`, 'utf8')
    .digest();
  return `v1:${digest.subarray(0, 16).toString('base64url')}`;
}
