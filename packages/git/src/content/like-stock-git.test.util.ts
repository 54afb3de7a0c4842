import { fc } from '@fast-check/vitest';
import { expect } from 'vitest';
import { encodeUtf8 } from '../bytes/utf8.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { StockGit } from '../pack/stock-git.test.util.ts';
import type { ContentReader, HistoryQuery } from './content-reader.ts';
import type { HistoryPlace } from './read-history.ts';
import { authors, paths, reading, someHistory, twinHistory } from './stock-history.test.util.ts';

/** Makes a history and what to ask of it. */
export const someQuestions: fc.Arbitrary<Questions> = fc.record({
  history: someHistory,
  revisions: fc.array(
    fc
      .tuple(
        fc.constantFrom('HEAD', 'main', 'b0', 'b1', 'refs/heads/b2', 'none'),
        fc.array(fc.tuple(fc.constantFrom('~', '^'), fc.constantFrom('', '0', '1', '2', '3', '20')), { maxLength: 4 }),
      )
      .map(([name, steps]) => name + steps.flat().join('')),
    { minLength: 8, maxLength: 8 },
  ),
  listing: fc.record({
    path: fc.constantFrom('', 'a', 'a/b', 'd', 'd/e', 'none'),
    depth: fc.constantFrom(1, 2, Infinity),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
  logs: fc.array(
    fc.record({
      starts: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      path: fc.option(fc.constantFrom(...paths, 'd', 'd/e', 'none')),
      isFirstParent: fc.boolean(),
      author: fc.option(fc.constantFrom('Ada', '<ada@', ...authors, 'Eve', '.da')),
      since: fc.option(fc.nat(12)),
      until: fc.option(fc.nat(12)),
      limit: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 5, maxLength: 5 },
  ),
});

interface Questions {
  readonly history: Parameters<typeof twinHistory>[0];
  readonly revisions: readonly string[];
  readonly listing: { readonly path: string; readonly depth: number; readonly limit: number };
  readonly logs: readonly LogQuestion[];
}

interface LogQuestion {
  readonly starts: readonly number[];
  readonly path: string | null;
  readonly isFirstParent: boolean;
  readonly author: string | null;
  readonly since: number | null;
  readonly until: number | null;
  readonly limit: number;
}

/** Checks that revisions, listings and logs of one random history are those of stock git. */
export async function expectLikeStockGit({ history, revisions, listing, logs }: Questions): Promise<void> {
  const { repository, git, commits } = await twinHistory(history);
  try {
    for (const revision of revisions) {
      const ours = await reading(repository, (reader) => reader.resolve(revision));
      expect([revision, ours]).toEqual([revision, resolvedByGit(git, revision)]);
    }
    const main = commits.at(-1) as ObjectId;
    expect(await reading(repository, (reader) => listed(reader, main, listing))).toEqual(
      listedByGit(git, main, listing),
    );
    for (const log of logs) {
      const starts = log.starts.map((start) => commits[start % commits.length] as ObjectId);
      const ours = await reading(repository, (reader) => logged(reader, starts, log));
      expect([log, ours]).toEqual([log, loggedByGit(git, starts, log)]);
    }
  } finally {
    git.remove();
  }
}

function resolvedByGit(git: StockGit, revision: string): string | undefined {
  try {
    return git
      .run(['rev-parse', '--verify', '-q', `${revision}^{commit}`])
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

async function listed(
  reader: ContentReader,
  commit: ObjectId,
  { path, depth, limit }: Questions['listing'],
): Promise<string[] | undefined> {
  const rows: string[] = [];
  for (let from: readonly number[] | undefined = [0]; from !== undefined;) {
    const page = await reader.listTree(commit, encodeUtf8(path), { depth, limit, from });
    if (page === undefined) return undefined;
    expect(page.entries.length <= limit && (page.next === undefined || page.entries.length > 0)).toBe(true);
    for (const { name, mode, hash, type, path: whole, size } of page.entries) {
      expect(whole.endsWith(name)).toBe(true);
      rows.push(`${mode.padStart(6, '0')} ${type} ${hash} ${size ?? '-'} ${whole}`);
    }
    from = page.next;
  }
  return rows;
}

function listedByGit(git: StockGit, commit: string, { path, depth }: Questions['listing']): string[] | undefined {
  const isFolder = path === '' || typeOf(git, `${commit}:${path}`) === 'tree';
  if (!isFolder) return undefined;
  const text = git.run(['ls-tree', '-r', '-t', '-l', '-z', commit, ...(path === '' ? [] : [`${path}/`])]).toString();
  const from = path === '' ? 0 : path.split('/').length;
  const rows = text.split('\0').filter((row) => row !== '');
  // Git also shows the folders on the way.
  const below = rows
    .map((row) => row.replace(/^(\S+) (\S+) (\S+) +(\S+)\t/, '$1 $2 $3 $4 '))
    .filter((row) => {
      const levels = row.slice(row.lastIndexOf(' ') + 1).split('/').length - from;
      return levels >= 1 && levels <= depth;
    });
  return below;
}

function typeOf(git: StockGit, name: string): string | undefined {
  try {
    return git.run(['cat-file', '-t', name]).toString().trim();
  } catch {
    return undefined;
  }
}

const second = (date: number): number => 1_700_000_000 + date;

async function logged(reader: ContentReader, starts: readonly ObjectId[], log: LogQuestion): Promise<string[]> {
  const { path, author, since, until, isFirstParent, limit } = log;
  const range: HistoryQuery = {
    isFirstParent,
    limit,
    path: encodeUtf8(path ?? ''),
    ...(author !== null && { author }),
    ...(since !== null && { since: second(since) }),
    ...(until !== null && { until: second(until) }),
  };
  const found: string[] = [];
  let place: HistoryPlace | undefined = { waiting: starts, again: [], passed: 0, skip: 0 };
  while (place !== undefined) {
    const page = await reader.history(place, range);
    found.push(...(page?.commits.map(({ hash }) => hash) ?? ['a missing page']));
    place = page?.next;
  }
  return found;
}

function loggedByGit(git: StockGit, starts: readonly string[], log: LogQuestion): string[] {
  const { path, author, since, until, isFirstParent } = log;
  const args = [
    '--literal-pathspecs',
    'log',
    '--format=%H',
    ...(isFirstParent ? ['--first-parent'] : []),
    ...(author === null ? [] : ['-F', `--author=${author}`]),
    ...(since === null ? [] : [`--since=@${second(since)}`]),
    ...(until === null ? [] : [`--until=@${second(until)}`]),
    ...starts,
    '--',
    ...(path === null ? [] : [path]),
  ];
  return git.run(args).toString().split('\n').filter(Boolean);
}
