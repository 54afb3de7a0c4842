import type { Commit, ContentReader, HistoryPlace, HistoryQuery, ObjectId } from '@packhouse/git';
import { Fields, type RawFields } from '@packhouse/base';
import { readCursorField } from '../lists/cursor.ts';
import type { CursorInfo } from '../lists/page.ts';
import type { Settings } from '../settings/settings.ts';
import { readLogCursor, refuseCursor, writeLogCursor } from './list-cursor.ts';

/** A log (REPO-143), or a page of one with `info` (REPO-265). */
export interface LogPage {
  readonly commits: readonly Commit[];
  readonly info?: CursorInfo;
}

/** Reads a log from a reader; undefined if a revision does not resolve. */
export type LogRead = (reader: ContentReader) => Promise<LogPage | undefined>;

/** Maximum number of revisions to start from. */
const startsMax = 64;
const authorMax = 512;

/** Parameters that make a log one of {@link LogPage.info}. */
const pagedBy = ['path', 'parents', 'author', 'since', 'until', 'cursor'] as const;

/**
 * Reads the parameters of a log.
 *
 * @param identity the repo that a cursor belongs to.
 * @throws {HostingError} for every bad field.
 */
export async function parseLog(
  query: RawFields,
  identity: readonly string[],
  settings: Settings,
): Promise<{ readonly ref: string; readonly read: LogRead }> {
  const fields = new Fields(query);
  const ref = fields.optionalString('ref') ?? 'HEAD';
  const revisions = ref.split(' ');
  if (revisions.length > startsMax) fields.fail('ref', `Too big: expected array to have <=${startsMax} items`);
  const limit = readLimit(fields, settings.log_page_default);
  const offset = fields.integer('offset', { min: 0, max: Infinity }, 0);
  const range = { offset, limit: Math.min(limit, settings.log_page_max) };
  if (revisions.length === 1 && pagedBy.every((field) => fields.value(field) === undefined)) {
    fields.check();
    return {
      ref,
      async read(reader) {
        const commits = await reader.log(ref, range);
        return commits && { commits };
      },
    };
  }
  const path = fields.optionalString('path') ?? '';
  const parents = fields.option('parents', ['first', 'all'], 'first');
  const author = fields.optionalString('author', authorMax) ?? '';
  const since = fields.integer('since', { min: 0 }, undefined);
  const until = fields.integer('until', { min: 0 }, undefined);
  const list = ['log', ...identity, ref, path, parents, author, String(since), String(until)];
  const place = await readCursorField(fields, list, readLogCursor);
  fields.check();
  const history: HistoryQuery = {
    limit: range.limit,
    isFirstParent: parents === 'first',
    path: new TextEncoder().encode(path),
    ...(author !== '' && { author }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  return {
    ref,
    async read(reader) {
      const start = place ?? (await startOf(reader, revisions, offset));
      if (start === undefined) return undefined;
      const page = (await reader.history(start, history)) ?? refuseCursor();
      const cursor = page.next === undefined ? '' : await writeLogCursor(page.next, list);
      return { commits: page.commits, info: { cursor, per_page: range.limit, count: page.commits.length } };
    },
  };
}

async function startOf(
  reader: ContentReader,
  revisions: readonly string[],
  offset: number,
): Promise<HistoryPlace | undefined> {
  const waiting: ObjectId[] = [];
  for (const revision of revisions) {
    const commit = await reader.resolve(revision);
    if (commit === undefined) return undefined;
    waiting.push(commit);
  }
  return { waiting, again: [], passed: 0, skip: Math.min(offset, Number.MAX_SAFE_INTEGER) };
}

/** Reads `limit`, which has its own message when too small (REPO-143), and no maximum. */
function readLimit(fields: Fields, absent: number): number {
  const limit = fields.integer('limit', { min: -Infinity, max: Infinity }, absent);
  if (limit < 1) fields.fail('limit', 'Too small: expected number to be >0');
  return limit;
}
