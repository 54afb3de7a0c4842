import { fromByteText } from '../bytes/byte-text.ts';
import { decodeLossy } from '../bytes/utf8.ts';
import { isBinary } from '../diff/file-content.ts';
import { lineCount, lineTable, type Lines } from '../diff/line-table.ts';
import { blobKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { isFileMode, isOtherType } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import { inTurns, type Steps } from '../work/loops.ts';
import { MergeTooLargeError } from './merge-limits.ts';
import { mergeLines } from './merge-lines.ts';
import type { MergeObjects } from './merge-objects.ts';
import type { Version } from './path-info.ts';
import { writeMerged, type MarkerLabels, type MergedFile } from './write-merged.ts';

/** How a merge shows in conflicts, and how deep it is. */
export interface MergeContext {
  readonly objects: MergeObjects;
  /** Names of both sides in conflict markers, such as those of branches. */
  readonly ours: string;
  readonly theirs: string;
  /** 0 for the merge itself, more for the merges of its bases. */
  readonly depth: number;
}

export interface MergedVersion {
  /** Undefined if a merge of bases keeps a path that the base lacks. */
  readonly version: Version | undefined;
  readonly isClean: boolean;
}

/** Length of conflict markers in the result. */
const markerSize = 7;

/** Bytes that a line takes in tables. */
const memoryALine = 64;

/** Files that are larger are not merged by line. */
const mergedFileMax = 32 * 1024 * 1024;

/**
 * Merges three versions of a file, link or submodule, of which both sides have the same type. A missing `base`, or one
 * of another type, counts as an empty file. `names` are the paths of the versions.
 */
export async function mergeContent(
  context: MergeContext,
  base: Version | undefined,
  ours: Version,
  theirs: Version,
  names: readonly string[],
  extraMarkerSize: number,
): Promise<MergedVersion> {
  const { objects, depth } = context;
  const takesTheirMode = ours.mode === theirs.mode || ours.mode === base?.mode;
  const mode = takesTheirMode ? theirs.mode : ours.mode;
  const hasCleanMode = takesTheirMode || theirs.mode === base?.mode;
  if (ours.oid === theirs.oid || ours.oid === base?.oid) {
    return { version: { mode, oid: theirs.oid }, isClean: hasCleanMode };
  }
  if (theirs.oid === base?.oid) return { version: { mode, oid: ours.oid }, isClean: hasCleanMode };
  const likeBase = base === undefined || isOtherType(base.mode, ours.mode) ? undefined : base;
  // A merge of bases keeps what both sides began with.
  if (!isFileMode(ours.mode)) return { version: depth > 0 ? base : { mode, oid: ours.oid }, isClean: false };
  const merged = await mergeFiles(context, likeBase?.oid, ours.oid, theirs.oid, names, markerSize + extraMarkerSize);
  if (merged === 'binary') return { version: { mode, oid: ours.oid }, isClean: false };
  const oid = await objects.write(blobKind, merged.bytes);
  return { version: { mode, oid }, isClean: merged.isClean && hasCleanMode };
}

async function mergeFiles(
  { objects, ours: oursName, theirs: theirsName, depth }: MergeContext,
  base: ObjectId | undefined,
  ours: ObjectId,
  theirs: ObjectId,
  names: readonly string[],
  size: number,
): Promise<MergedFile | 'binary'> {
  const { limits } = objects;
  const oids = [base, ours, theirs];
  const isTooLarge = oids.some((oid) => oid !== undefined && objects.sizeOf(oid) > mergedFileMax);
  // A conflict is a safe answer, but a merged base without it could change the result.
  if (isTooLarge && depth > 0) throw new MergeTooLargeError('size of files in merged bases', mergedFileMax);
  if (isTooLarge) return 'binary';
  let held = 0;
  const hold = (bytes: number): void => {
    held += bytes;
    limits.hold(bytes);
  };
  try {
    const files: Uint8Array[] = [];
    for (const oid of oids) {
      if (oid !== undefined) hold(objects.sizeOf(oid));
      files.push(oid === undefined ? new Uint8Array(0) : (await objects.read(oid)).body.slice());
    }
    if (files.some(isBinary)) return depth > 0 ? { bytes: files[0] as Uint8Array, isClean: true } : 'binary';
    for (const bytes of files) hold(memoryALine * (lineCount(bytes) + 1));
    const isMoved = new Set(names).size > 1;
    const label = (name: string, path = ''): string => (isMoved ? `${name}:${decodeLossy(fromByteText(path))}` : name);
    const labels = { ours: label(oursName, names[1]), theirs: label(theirsName, names[2]), markerSize: size };
    return await inTurns(objects.work, cost.entries, limits.counting(mergingFiles(files, labels)));
  } finally {
    limits.hold(-held);
  }
}

function* mergingFiles(files: readonly Uint8Array[], labels: MarkerLabels): Steps<MergedFile> {
  const { files: tables, classCount } = yield* lineTable(files);
  const [base, ours, theirs] = tables as [Lines, Lines, Lines];
  return writeMerged(base, ours, theirs, yield* mergeLines(base, ours, theirs, classCount), labels);
}
