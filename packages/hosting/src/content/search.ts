import {
  fromByteText,
  literalPattern,
  parseObjectId,
  toByteText,
  type ContentReader,
  type FoundLine,
  type LinePattern,
  type ObjectId,
  type SearchPlace,
} from '@packhouse/git';
import { Fields, HostingError, sealText, type Clock, type RawFields } from '@packhouse/base';
import { openMembers, readCursorField } from '../lists/cursor.ts';
import type { CursorInfo } from '../lists/page.ts';
import { compileExpression } from './regular-expression.ts';

/** A line with a match (REPO-294), members in order. */
export interface SearchMatch {
  /** Bytes that are not UTF-8 are replaced with U+FFFD, here and in `text`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Place of the first match of the line: in bytes, from 1. */
  readonly column: number;
  /** The line without its line feed. */
  readonly text: string;
  /** The first match in `text`, in UTF-16 units. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** True if `text` is only a part of the line. */
  readonly clipped: boolean;
}

/** The result of a search (REPO-294), members in order. */
export interface SearchResult {
  /** The commit whose tree was searched. */
  readonly commit: ObjectId;
  /** Sorted by path, then by line. */
  readonly matches: readonly SearchMatch[];
  /** Number of files and folders that were left out (LIM-038). */
  readonly skipped: number;
  /** True if something remains to be searched. */
  readonly truncated: boolean;
}

/** A page of a search with its `result_info`. */
export interface SearchPageResult {
  readonly result: SearchResult;
  readonly info: CursorInfo;
}

/** LIM-036. */
const queryMax = 512;
const limitDefault = 100;
const limitMax = 1000;
/** Milliseconds after which a page ends (LIM-037). */
const timeMax = 5000;
/** A cursor with a path of 2,048 bytes (LIM-038), each two bytes in UTF-8, and numbers. */
const cursorMax = 6000;

const encoder = new TextEncoder();

/** The place to go on at, and the commit. */
interface CursorPlace extends SearchPlace {
  readonly commit: ObjectId;
}

/**
 * Searches one page (REPO-293). Parameters in `query`: `q`, `ref`, `path`, `regex`, `ignore_case`, `limit`, `cursor`.
 *
 * @param identity texts that identify the repo, which cursors are bound to.
 * @param read opens the repo, after the parameters were checked.
 * @throws {HostingError} `invalidInput`, `refNotFound`, `fileNotFound`, and those of `read`.
 */
export async function search(
  identity: readonly string[],
  query: RawFields,
  clock: Clock,
  read: <T>(reading: (reader: ContentReader) => Promise<T>) => Promise<T>,
): Promise<SearchPageResult> {
  const fields = new Fields(query);
  const q = readQuery(fields);
  const invalidExpression = fields.later('q');
  const ref = fields.optionalString('ref') ?? 'HEAD';
  const path = fields.optionalString('path') ?? '';
  const regex = fields.flag('regex');
  const ignoreCase = fields.flag('ignore_case');
  const limit = fields.integer('limit', { min: 1, max: limitMax }, limitDefault);
  const list = ['search', ...identity, q, ref, path, String(regex), String(ignoreCase)];
  const from = await readCursorField(fields, list, openCursor);
  const pattern = await patternOf(q, regex, ignoreCase);
  if (typeof pattern === 'string') invalidExpression(`Invalid regular expression: ${pattern}`);
  fields.check();
  const end = clock.now() + timeMax;
  const page = await read((reader) =>
    reader.search(from?.commit ?? ref, encoder.encode(path), {
      pattern: pattern as LinePattern,
      limit,
      from,
      isLate: () => clock.now() >= end,
    }),
  );
  if (page === 'revision') throw new HostingError('refNotFound');
  if (page === 'path') throw new HostingError('fileNotFound');
  const { commit, lines, skipped, next } = page;
  const cursor = next === undefined ? '' : await writeCursor({ commit, ...next }, list);
  const result = { commit, matches: lines.map(toMatch), skipped, truncated: next !== undefined };
  return { result, info: { cursor, per_page: limit, count: lines.length } };
}

function readQuery(fields: Fields): string {
  const before = fields.errorCount;
  const q = fields.string('q');
  if (fields.errorCount > before) return q;
  if (q === '') fields.fail('q', 'Too small: expected string to have >=1 characters');
  else if (/[\n\0]/.test(q)) fields.fail('q', 'Invalid input: expected one line without NUL');
  else fields.optionalString('q', queryMax);
  return q;
}

/** Returns the reason as text if the expression is unusable. */
async function patternOf(q: string, regex: boolean, ignoreCase: boolean): Promise<LinePattern | string | undefined> {
  if (q === '' || q.length > 2 * queryMax) return undefined;
  return regex || ignoreCase
    ? compileExpression(q, { isLiteral: !regex, ignoreCase })
    : literalPattern(encoder.encode(q));
}

function toMatch({ path, line, column, text, start, end, isClipped }: FoundLine): SearchMatch {
  return { path, line, column, text, start, end, clipped: isClipped };
}

function writeCursor({ commit, path, line }: CursorPlace, list: readonly string[]): Promise<string> {
  return sealText(JSON.stringify([commit, toByteText(path), line]), list);
}

/** Returns undefined for a cursor of another search. */
async function openCursor(cursor: string, list: readonly string[]): Promise<CursorPlace | undefined> {
  const [hash, path, line] = await openMembers(cursor, list, cursorMax);
  const commit = typeof hash === 'string' ? parseObjectId(hash) : undefined;
  if (commit === undefined || typeof path !== 'string' || !Number.isSafeInteger(line)) return undefined;
  return { commit, path: fromByteText(path), line: line as number };
}
