import type { PackId, PackRecord } from '@packhouse/git';

/**
 * Returns the index of the first of the packs `remove`, in any order of ids, or undefined if one is missing.
 *
 * @throws {RangeError} if all exist but are not adjacent: no pack ever gets between two packs of a manifest.
 */
export function placeOf(packs: readonly PackRecord[], remove: readonly PackId[]): number | undefined {
  const places = new Map(packs.map(({ id }, place) => [id, place]));
  let first = packs.length;
  let last = -1;
  for (const id of remove) {
    const place = places.get(id);
    if (place === undefined) return undefined;
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  if (last - first + 1 !== remove.length) throw new RangeError('A replacement removes packs that are no neighbours');
  return first;
}
