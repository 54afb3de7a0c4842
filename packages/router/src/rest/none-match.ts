/** Matches the entity tags of a list, without the prefix `W/`. Malformed tags are skipped. */
const entityTag = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Returns true if a read gets a full reply (RFC 9110 §13.1.2). Returns false if `If-None-Match` is `*` or has the
 * current tag, weak or strong.
 *
 * @param header The value of `If-None-Match`; null if the request has no such header.
 * @param etag The current tag, with its quotes; it may be weak.
 */
export function noneMatch(header: string | null, etag: string): boolean {
  if (header === null) return true;
  if (header.trim() === '*') return false;
  const opaque = etag.replace(/^W\//, '');
  return ![...header.matchAll(entityTag)].some(([tag]) => tag === opaque);
}
