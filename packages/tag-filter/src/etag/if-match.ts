import { etagOf } from './etag-of.ts';

/** An item of a list: texts in quotes, in which a comma is no separator, and anything else up to a comma. */
const listItem = /(?:"[^"]*(?:"|$)|[^",])+/g;

/**
 * Whether a write may happen (section 4.2).
 *
 * @param header The value of `If-Match`; `null` or `undefined` if there is none, and the write is unconditional (TAG-045).
 * @param etag The current `etag`; `undefined` if the resource has no record, which compares as that of `{}` (TAG-047).
 * @returns `false` for the reply 412 (TAG-046). Weak, empty and unreadable values never match (TAG-049).
 */
export function ifMatch(header: string | null | undefined, etag: string | undefined): boolean {
  if (header === null || header === undefined) return true;
  if (trim(header) === '*') return etag !== undefined;
  const items = (header.match(listItem) ?? []).map(trim);
  const current = etag ?? etagOf({});
  return items.some((item) => item === current || item === `"${current}"`);
}

/** Without the spaces and tabs around it, in linear time. */
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
