import type { PackRecord } from '@packhouse/git';

/** When all packs of a repository that was left alone are merged into one (docs/decisions/0011). */
export interface QuietMerge {
  /** Milliseconds without a push. */
  readonly after: number;
  /** Bytes up to which all packs together are always worth it. */
  readonly alwaysMax: number;
}

/** A merge is worth its cost if at least one in this many objects is outside the largest pack. */
const partsMin = 10;

/**
 * Returns the time to merge all packs if no push comes before it, in milliseconds since 1970; undefined if a merge is not
 * worth its cost.
 *
 * @param all The packs in the order of the manifest.
 * @param lastPush milliseconds since 1970.
 */
export function quietMergeAt(
  all: readonly PackRecord[],
  lastPush: number | undefined,
  { after, alwaysMax }: QuietMerge,
): number | undefined {
  // Packs that came by a fork stay shared.
  const packs = all.filter(({ borrowed }) => borrowed === 'no');
  if (packs.length < 2 || lastPush === undefined) return undefined;
  const bytes = packs.reduce((sum, pack) => sum + pack.packSize, 0);
  const objects = packs.reduce((sum, pack) => sum + pack.objects, 0);
  const others = objects - Math.max(...packs.map((pack) => pack.objects));
  return bytes <= alwaysMax || others * partsMin >= objects ? lastPush + after : undefined;
}
