import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it } from 'vitest';
import { tree } from '../../maintain/made-history.test.util.ts';
import { stockGit } from '../../pack/stock-git.test.util.ts';
import type { LinePattern } from './line-pattern.ts';
import { literalPattern } from './literal-pattern.ts';
import type { SearchPage, SearchPlace } from './search-tree.ts';
import {
  findsWhatGitFinds,
  repositoryOf,
  searchAll,
  searchPage,
  someQuery,
  someTexts,
  treeOf,
} from './search-tree.test.util.ts';

const git = stockGit();
afterAll(() => git.remove());

const x = literalPattern(Buffer.from('x'));
const placesOf = (lines: readonly { path: string; line: number }[]): string[] =>
  lines.map(({ path, line }) => `${path}:${line}`);

async function pageOf(...args: Parameters<typeof searchPage>): Promise<SearchPage> {
  const page = await searchPage(...args);
  if (typeof page === 'string') throw new Error(page);
  return page;
}

describe('searchTree', () => {
  test.prop([someTexts, someQuery, fc.integer({ min: 1, max: 5 }), fc.nat()], { numRuns: 8 })(
    'REPO-295: finds a literal where stock git finds it, in pages of any size and below any path',
    async (files, query, limit, which) => {
      const paths = ['', ...Object.keys(files), ...Object.keys(files).map((path) => path.split('/')[0] as string)];
      const [ours, ofGit] = await findsWhatGitFinds(git, files, query, limit, paths[which % paths.length] as string);
      expect(ours).toEqual(ofGit);
    },
  );

  it('REPO-293: tells a revision from a path that does not resolve', async () => {
    const repository = await repositoryOf(treeOf({ 'a/b': 'x' }, [{ name: 'module', link: '1'.repeat(40) }]));
    for (const path of ['b', 'a/c', 'a/b/c', 'module/c', '..', 'a/..']) {
      expect([path, await searchPage(repository, { pattern: x }, path)]).toEqual([path, 'path']);
    }
    for (const path of ['', '/', './a', 'a//b']) {
      expect(placesOf((await pageOf(repository, { pattern: x }, path)).lines)).toEqual(['a/b:1']);
    }
    expect((await pageOf(repository, { pattern: x }, 'module')).lines).toEqual([]);
  });

  it('LIM-037: goes on where the time ended, at least a step a page, and finds each line once', async () => {
    const texts = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`d${i % 3}/f${i}`, `x\ny\nx${i}\n\nx`]));
    const repository = await repositoryOf(treeOf(texts));
    const pattern: LinePattern = { ...x, stepBytes: 1 };
    const places: string[] = [];
    let pages = 0;
    for (let from: SearchPlace | undefined; ;) {
      const page = await pageOf(repository, { pattern, from, isLate: () => true });
      pages++;
      places.push(...placesOf(page.lines));
      if (page.next === undefined) break;
      from = page.next;
    }
    expect(places).toEqual(placesOf(await searchAll(repository, { pattern: x })));
    expect(places).toHaveLength(27);
    expect(pages).toBeGreaterThan(27);
  });

  it('LIM-037: ends a page of long lines before it has 2 MiB', async () => {
    const line = `${'y'.repeat(1500)}x\n`;
    const repository = await repositoryOf(treeOf({ a: line.repeat(1500) }));
    const page = await pageOf(repository, { pattern: x, limit: 5000 });
    expect(page.lines.length).toBe(1024);
    expect(page.next?.line).toBe(1024);
    expect(await searchAll(repository, { pattern: x, limit: 5000 })).toHaveLength(1500);
  });

  it('LIM-038: counts what is left out since its path is too long, once', async () => {
    let deep = treeOf({ f: 'x' });
    for (let i = 0; i < 12; i++) deep = tree([{ name: `${i % 10}`.repeat(200), object: deep }]);
    const repository = await repositoryOf(treeOf({ a: 'x', z: 'x\nx' }, [{ name: 'deep', object: deep }]));
    const first = await pageOf(repository, { pattern: x, limit: 2 });
    expect([placesOf(first.lines), first.skipped]).toEqual([['a:1', 'z:1'], 1]);
    const second = await pageOf(repository, { pattern: x, limit: 2, from: first.next });
    expect([placesOf(second.lines), second.skipped, second.next]).toEqual([['z:2'], 0, undefined]);
  });

  it('reads a file once that many paths share, and the trees on the way to the next page alone', async () => {
    const texts = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`d${i}/f`, 'a\nx\n']));
    const repository = await repositoryOf(treeOf(texts));
    const { lines, next } = await pageOf(repository, { pattern: x, limit: 150 });
    expect(lines).toHaveLength(150);
    expect(placesOf((await pageOf(repository, { pattern: x, from: next })).lines)).toHaveLength(50);
  });
});
