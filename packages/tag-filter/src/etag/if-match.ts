import { etagOf } from './etag-of.ts';

/** Matches an item of a list: quoted texts, in which a comma does not separate, and other text up to a comma. */
const listItem = /(?:"[^"]*(?:"|$)|[^",])+/g;

/**
 * Decides if `If-Match` allows a write (section 4.2).
 *
 * @param header value of `If-Match`; `null` or `undefined` without one, which makes the write unconditional (TAG-045).
 * @param etag the current `etag`; `undefined` if the resource has no record, which compares like `{}` (TAG-047).
 * @returns `false` if the reply is 412 (TAG-046). Weak, empty and malformed values never match (TAG-049).
 */
export function ifMatch(header: string | null | undefined, etag: string | undefined): boolean {
  if (header === null || header === undefined) return true;
  if (trim(header) === '*') return etag !== undefined;
  const items = (header.match(listItem) ?? []).map(trim);
  const current = etag ?? etagOf({});
  return items.some((item) => item === current || item === `"${current}"`);
}

/** Trims spaces and tabs, in linear time. */
function trim(item: string): string {
  let start = 0;
  let end = item.length;
  while (start < end && isBlank(item[start])) start += 1;
  while (end > start && isBlank(item[end - 1])) end -= 1;
  return item.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
