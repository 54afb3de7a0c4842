import type { Hold } from '../memory/holding.ts';
import { cost } from '../work/costs.ts';
import { countLines, diffLines } from './line-diff.ts';
import { comparedFileMax, contentOf, isBinary, sizeOf } from './file-content.ts';
import { lineCount } from './line-table.ts';
import type { Change } from './change.ts';
import type { ObjectSource } from './object-source.ts';

/** Maximum number of lines of two versions together. */
const comparedLinesMax = 1_000_000;
/** Bytes that comparing takes for each line. */
const memoryALine = 80;
/** Steps that a file counts for, however short it is. */
const stepsAFile = 20;

const nothing = new Uint8Array(0);

/** The contents of both versions of a change; a missing version is empty. Release them before the next read. */
export interface Contents {
  readonly old: Uint8Array;
  readonly new: Uint8Array;
  /** True if Git shows no lines of it, or if it is too large to compare. */
  readonly isBinary: boolean;
  /** Lines of each; 0 for a binary file. */
  readonly oldLines: number;
  readonly newLines: number;
  /** Gives back their memory. Call it once. */
  release(): void;
}

/** Lines that a change adds and deletes, as `git diff --numstat` counts them; none for a binary file. */
export interface LineCounts {
  readonly isBinary: boolean;
  readonly added: number;
  readonly deleted: number;
}

/**
 * Reads both versions of a change, with memory for comparing their lines.
 *
 * @throws {NotEnoughMemoryError}
 */
export async function readContents(objects: ObjectSource, change: Change, hold: Hold): Promise<Contents> {
  const { old, new: to } = change;
  const size = old === undefined ? 0 : sizeOf(objects, old);
  const isLarge = isTooLarge(objects, change);
  hold(size);
  let held = size;
  try {
    // It is copied, since it is only valid until the next read.
    const before = old === undefined ? nothing : (await contentOf(objects, old)).slice();
    const after = to === undefined ? nothing : old?.oid === to.oid ? before : await contentOf(objects, to);
    let isOther = isLarge || isBinary(before) || isBinary(after);
    const [oldLines, newLines] = isOther || before === after ? [0, 0] : [lineCount(before), lineCount(after)];
    const lines = oldLines + newLines;
    objects.work.spend(cost.searched, before.length + after.length);
    if (objects.work.spend(cost.steps, stepsAFile)) await objects.work.yield();
    if (lines > comparedLinesMax) isOther = true;
    else {
      hold(memoryALine * lines);
      held += memoryALine * lines;
    }
    return { old: before, new: after, isBinary: isOther, oldLines, newLines, release: () => hold(-held) };
  } catch (error) {
    hold(-held);
    throw error;
  }
}

/** Tests if a version of a change is too large to be compared by its content. */
function isTooLarge(objects: ObjectSource, { old, new: to }: Change): boolean {
  return [old, to].some((version) => version !== undefined && sizeOf(objects, version) > comparedFileMax);
}

/** Counts the lines that a change adds and deletes. Does not read a file that is too large to be compared. */
export async function countChange(objects: ObjectSource, change: Change, hold: Hold): Promise<LineCounts> {
  if (isTooLarge(objects, change)) return { isBinary: true, added: 0, deleted: 0 };
  const { old, new: to, isBinary: isOther, oldLines, newLines, release } = await readContents(objects, change, hold);
  try {
    if (isOther || old === to) return { isBinary: isOther, added: 0, deleted: 0 };
    if (old.length === 0 || to.length === 0) return { isBinary: false, added: newLines, deleted: oldLines };
    const { changes } = await diffLines(old, to, objects.work);
    return { isBinary: false, ...countLines(changes) };
  } finally {
    release();
  }
}
