import { checkTagKey, tagKeyMax } from '@packhouse/tag-filter';
import { TaggingError } from '../model/tagging-error.ts';

/** @throws {TaggingError} `keyTooLong` or `invalidKey`, in this order. */
export function requireTagKey(key: string, pointer: string): void {
  switch (checkTagKey(key)) {
    case 1011: {
      // The first of so many characters are enough to know it by.
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

/** As JSON writes it, so that nobody takes it for words of the message. */
export function quoteTagKey(key: string): string {
  return JSON.stringify(key);
}
