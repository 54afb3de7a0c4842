import { isRecord } from '@packhouse/base';
import { checkTagValue, isScalarText, tagValueMax, type Tags } from '@packhouse/tag-filter';
import { TaggingError } from '../model/tagging-error.ts';
import { member, type JsonObject } from './json-object.ts';
import { quoteTagKey, requireTagKey } from './tag-key.ts';

/**
 * Returns the tags of a body in canonical key order, that of UTF-16 units (TAG-037).
 *
 * @throws {TaggingError} `setPayload`, unless they are an object of texts (TAG-176).
 */
export function readTagMembers(body: JsonObject): readonly (readonly [string, string])[] {
  const tags = member(body, 'tags');
  if (!isRecord(tags)) throw new TaggingError('setPayload', { pointer: '/tags' });
  return Object.entries(tags)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => {
      if (typeof value !== 'string' || !isScalarText(value)) {
        throw new TaggingError('setPayload', { pointer: pointerTo(key) });
      }
      return [key, value] as const;
    });
}

/**
 * Checks keys and values.
 *
 * @throws {TaggingError} for the first invalid tag: 1011, 1014, 1012 (TAG-149).
 */
export function checkTagMembers(members: readonly (readonly [string, string])[]): Tags {
  for (const [key, value] of members) {
    requireTagKey(key, pointerTo(key));
    if (checkTagValue(value) === 1012) {
      throw new TaggingError('valueTooLong', {
        pointer: pointerTo(key),
        detail: `key ${quoteTagKey(key)}: value of more than ${tagValueMax} characters`,
      });
    }
  }
  // `fromEntries` makes own members even of `__proto__` (TAG-052).
  return Object.fromEntries(members);
}

/** JSON Pointer of a tag (RFC 6901). */
function pointerTo(key: string): string {
  return `/tags/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
