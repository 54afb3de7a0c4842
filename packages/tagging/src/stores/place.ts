import type { ResourceIdentity } from '../model/tag-store.ts';
import { compareBytewise } from '@packhouse/base';

/**
 * Encodes type, zone, parent and id as one text, whose order by code point is that of lists (TAG-073). U+0000 separates
 * them, since none can contain it and it sorts first. Null becomes the empty text, which is not a valid zone or parent.
 */
export function placeOf({ type, zone, parent, id }: ResourceIdentity): string {
  return [type, zone ?? '', parent ?? '', id].join('\0');
}

/** The inverse of {@link placeOf}. */
export function resourceAt(place: string): ResourceIdentity {
  const [type = '', zone = '', parent = '', id = ''] = place.split('\0');
  return { type, zone: zone === '' ? null : zone, parent: parent === '' ? null : parent, id };
}

/** Positions after `after` and before `before`. */
export interface PlaceRange {
  readonly after: string;
  readonly before: string;
}

/** Sorts after every position, since no type begins with it. */
const end = '\u{10FFFF}';

/** Splits a list into ranges, one for each type, so that rows of other types are not read. */
export function rangesOf(types: readonly string[], after: ResourceIdentity | undefined): readonly PlaceRange[] {
  const start = after === undefined ? '' : placeOf(after);
  const ranges =
    types.length === 0
      ? [{ after: '', before: end }]
      : [...new Set(types)].toSorted(compareBytewise).map((type) => ({ after: `${type}\0`, before: `${type}\u0001` }));
  return ranges
    .filter(({ before }) => compareBytewise(start, before) < 0)
    .map((range) => (compareBytewise(start, range.after) > 0 ? { ...range, after: start } : range));
}
