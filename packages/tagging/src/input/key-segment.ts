import { TaggingError } from '../model/tagging-error.ts';
import { requireTagKey } from './tag-key.ts';

/**
 * Decodes a path segment to a tag key: percent-decoded once as UTF-8, with `+` unchanged (TAG-074).
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
    throw new TaggingError('invalidKey', { pointer, detail: 'key: percent-encoding that is broken or none of UTF-8' });
  }
  requireTagKey(key, pointer);
  return key;
}
