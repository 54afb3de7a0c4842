import type { PackId, PackRecord } from '@packhouse/git';

/**
 * Where in a manifest the packs `remove` begin, in whatever order they are named; undefined if it lacks one.
 *
 * @throws {RangeError} if they are all there and no neighbours: nothing ever comes between two packs of a manifest.
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
