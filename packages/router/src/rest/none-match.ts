/** An entity tag of a list, without what says that it is weak. What does not have its form names nothing. */
const entityTag = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether a read is to be answered in full (RFC 9110 §13.1.2): not if `If-None-Match` is `*`, or names the current tag,
 * weak or strong.
 *
 * @param header The value of `If-None-Match`; null: there is none.
 * @param etag The current one, with its quotes.
 */
export function noneMatch(header: string | null, etag: string): boolean {
  if (header === null) return true;
  if (header.trim() === '*') return false;
  return ![...header.matchAll(entityTag)].some(([tag]) => tag === etag);
}
