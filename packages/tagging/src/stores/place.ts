import type { ResourceIdentity } from '../model/tag-store.ts';
import { compareBytewise } from '@packhouse/base';

/**
 * Where a resource stands among those of an account: type, zone, parent and id in one text, whose order by code point
 * is that of lists (TAG-073). None of the four can hold U+0000, and that one sorts before all else; what is null is the
 * empty text, which no zone and no parent is.
 */
export function placeOf({ type, zone, parent, id }: ResourceIdentity): string {
  return [type, zone ?? '', parent ?? '', id].join('\0');
}

/** The inverse of {@link placeOf}. */
export function resourceAt(place: string): ResourceIdentity {
  const [type = '', zone = '', parent = '', id = ''] = place.split('\0');
  return { type, zone: zone === '' ? null : zone, parent: parent === '' ? null : parent, id };
}

/** Places that lie behind `after` and before `before`. */
export interface PlaceRange {
  readonly after: string;
  readonly before: string;
}

/** Sorts behind every place: no type begins with it. */
const end = '\u{10FFFF}';

/** The parts of the order that a list goes through: one for each type, so that other types are not passed over. */
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
