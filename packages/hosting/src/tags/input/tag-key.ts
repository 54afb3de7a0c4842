import { checkTagKey } from '@packhouse/tag-filter';
import { TaggingError } from '../tagging-error.ts';

/** @throws {TaggingError} `keyTooLong` or `invalidKey`, in this order. */
export function requireTagKey(key: string, pointer: string): void {
  switch (checkTagKey(key)) {
    case 1011:
      // The first of so many characters are enough to know it by.
      throw new TaggingError('keyTooLong', {
        pointer,
        detail: `key that begins with ${quoteTagKey(key.slice(0, 64))}`,
      });
    case 1014:
      throw new TaggingError('invalidKey', {
        pointer,
        detail:
          key === ''
            ? 'empty key'
            : `key ${quoteTagKey(key)}: only letters, decimal digits, "_", "." and "-" can be in a key`,
      });
    case undefined:
  }
}

/** As JSON writes it, so that nobody takes it for words of the message. */
export function quoteTagKey(key: string): string {
  return JSON.stringify(key);
}

/**
 * The key that a segment of a path means: percent-decoded once as UTF-8, `+` stays (TAG-074).
 *
 * @throws {TaggingError} `keyMissing`, `keyTooLong` or `invalidKey`, in the order of TAG-153.
 */
export function readKeySegment(segment: string): string {
  const pointer = '/tag_key';
  if (segment === '') throw new TaggingError('keyMissing', { pointer });
  let key: string;
  try {
    key = decodeURIComponent(segment);
  } catch {
    throw new TaggingError('invalidKey', { pointer, detail: 'no percent-encoded UTF-8' });
  }
  requireTagKey(key, pointer);
  return key;
}
