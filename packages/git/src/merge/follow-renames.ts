import { isFileMode } from '../object/tree.ts';
import { findRenames } from './find-renames.ts';
import { mergeContent, type MergeContext } from './merge-content.ts';
import { oursSide, theirsSide, type PathInfo, type Side, type Version } from './path-info.ts';
import { placeAdded } from './place-added.ts';
import type { RenameCandidates } from './rename-candidates.ts';
import type { KeptNames } from './tree-entries.ts';

const bothSides: readonly Side[] = [oursSide, theirsSide];

interface Rename {
  readonly from: string;
  readonly to: string;
  readonly side: Side;
}

/**
 * Finds the renames of both sides, and moves what the other side has at the old path of each to the new one. Returns the
 * paths that belong to a folder which the other side renamed, but could not be moved there.
 */
export async function followRenames(
  context: MergeContext,
  paths: Map<string, PathInfo>,
  kept: KeptNames,
  candidates: RenameCandidates,
): Promise<readonly string[]> {
  const found = {
    1: await findRenames(context.objects, candidates.sides[1]),
    2: await findRenames(context.objects, candidates.sides[2]),
  };
  // Git moves nothing into renamed folders while it merges merge bases.
  const placement =
    context.depth > 0 ? undefined : await placeAdded(context.objects.work, paths, kept, found, candidates);
  const renames = bothSides.flatMap((side) =>
    Array.from(found[side].renames, ([to, from]): Rename => {
      return { from, to: placement?.places[side].get(to) ?? to, side };
    }),
  );
  const ordered = renames.toSorted((a, b) => (a.from === b.from ? a.side - b.side : a.from < b.from ? -1 : 1));
  for (let i = 0; i < ordered.length; i++) {
    const [rename, next] = [ordered[i] as Rename, ordered[i + 1]];
    const old = paths.get(rename.from);
    // The other side did not change the file.
    if (old === undefined || old.isClean) continue;
    if (next?.from === rename.from) {
      i++;
      await joinRenames(context, paths, rename, next);
    } else {
      await followRename(context, paths, rename, old);
    }
  }
  return placement?.unplaced ?? [];
}

/** Both sides renamed a file. */
async function joinRenames(
  context: MergeContext,
  paths: ReadonlyMap<string, PathInfo>,
  ours: Rename,
  theirs: Rename,
): Promise<void> {
  const base = paths.get(ours.from) as PathInfo;
  const own = paths.get(ours.to) as PathInfo;
  const other = paths.get(theirs.to) as PathInfo;
  if (own === other) {
    own.versions[0] = base.versions[0];
    own.files |= 1;
    settle(base);
    return;
  }
  const [oursVersion, theirsVersion] = [own.versions[1] as Version, other.versions[2] as Version];
  const merged = await mergeMoved(context, base.versions[0], oursVersion, theirsVersion, [
    ours.from,
    ours.to,
    theirs.to,
  ]);
  // A file that cannot be merged stays as each side has it.
  const isUnmerged =
    !merged.isClean && merged.version?.oid === oursVersion.oid && merged.version.mode === oursVersion.mode;
  own.versions[1] = merged.version;
  other.versions[2] = isUnmerged ? theirsVersion : merged.version;
  for (const info of [base, own, other]) info.hasPathConflict = true;
}

/** One side renamed a file. */
async function followRename(
  context: MergeContext,
  paths: ReadonlyMap<string, PathInfo>,
  { from, to, side }: Rename,
  old: PathInfo,
): Promise<void> {
  const other = (3 - side) as Side;
  const info = paths.get(to) as PathInfo;
  const isDeleted = old.files === 1;
  const [oldOther, moved] = [old.versions[other], info.versions[side]];
  const hasOtherType = !isDeleted && isFileMode(oldOther?.mode ?? 0) !== isFileMode(moved?.mode ?? 0);
  const isTaken = (info.files & (1 << other)) !== 0 && !hasOtherType;
  // Git stops with an error if a folder is at the old path of the other side.
  if ((isTaken && isDeleted) || (!isDeleted && oldOther === undefined)) {
    info.hasPathConflict = true;
  } else if (isTaken) {
    const names = side === oursSide ? [from, to, from] : [from, from, to];
    const [ours, theirs] = side === oursSide ? [moved, oldOther] : [oldOther, moved];
    const merged = await mergeMoved(context, old.versions[0], ours as Version, theirs as Version, names);
    info.versions[side] = merged.version;
  } else {
    info.versions[0] = old.versions[0];
    info.names[0] = from;
    info.files |= 1;
    if (hasOtherType) {
      old.versions[0] = undefined;
      old.files &= ~1;
    } else if (isDeleted) {
      info.hasPathConflict = true;
    } else {
      info.versions[other] = oldOther;
      info.names[other] = from;
      info.files |= 1 << other;
    }
  }
  if (!hasOtherType) settle(old);
}

/** Nothing is left at the old path. */
function settle(info: PathInfo): void {
  info.isClean = true;
  info.result = undefined;
}

/** Merges the content of a file that cannot simply stay at one path. Its markers are longer than those of the path. */
function mergeMoved(
  context: MergeContext,
  base: Version | undefined,
  ours: Version,
  theirs: Version,
  names: readonly string[],
): ReturnType<typeof mergeContent> {
  return mergeContent(context, base, ours, theirs, names, 1 + 2 * context.depth);
}
