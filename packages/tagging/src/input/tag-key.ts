import { checkTagKey, tagKeyMax } from '@packhouse/tag-filter';
import { TaggingError } from '../model/tagging-error.ts';

/**
 * Checks a tag key.
 *
 * @throws {TaggingError} `keyTooLong` or `invalidKey`, in this order.
 */
export function requireTagKey(key: string, pointer: string): void {
  switch (checkTagKey(key)) {
    case 1011: {
      // Quote only the first characters of a key that is too long.
      const detail = `key ${quoteTagKey(`${key.slice(0, 64)}...`)}: more than ${tagKeyMax} characters`;
      throw new TaggingError('keyTooLong', { pointer, detail });
    }
    case 1014: {
      const reason = key === '' ? 'empty' : 'a character other than letters, digits, "_", "." and "-"';
      throw new TaggingError('invalidKey', { pointer, detail: `key ${quoteTagKey(key)}: ${reason}` });
    }
    case undefined:
  }
}

/** Quotes a key as JSON, so that a reader does not take it for words of the message. */
export function quoteTagKey(key: string): string {
  return JSON.stringify(key);
}
