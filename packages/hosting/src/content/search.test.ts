import type { ContentReader, SearchPage, TreeSearch } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import type { RawFields } from '@packhouse/base';
import { search, type SearchPageResult } from './search.ts';

const commit = 'ab'.repeat(20) as SearchPage['commit'];
const next = { path: Buffer.from('a/\xff', 'latin1'), line: 7 };

/** Arguments of a search in the engine. */
interface Asked extends TreeSearch {
  readonly revision: string;
  readonly path: string;
}

function searching(
  query: RawFields,
  answer: Partial<SearchPage> | 'revision' | 'path',
  identity = ['a1', 'nn', 'r'],
): {
  readonly asked: Asked[];
  readonly result: Promise<SearchPageResult>;
} {
  const asked: Asked[] = [];
  const page = typeof answer === 'string' ? answer : { commit, lines: [], skipped: 0, next: undefined, ...answer };
  const reader = {
    async search(revision: string, path: Uint8Array, wanted: TreeSearch) {
      asked.push({ ...wanted, revision, path: Buffer.from(path).toString() });
      return page;
    },
  } as unknown as ContentReader;
  let now = 0;
  const clock = { now: () => now++ * 2500 };
  return { asked, result: search(identity, query, clock, (reading) => reading(reader)) };
}

const refusal = async (query: RawFields): Promise<unknown> => {
  const { result, asked } = searching(query, {});
  const items = await result.then(
    () => [],
    (error: { items: readonly { message: string; pointer: string }[] }) => error.items,
  );
  expect(asked).toEqual([]);
  return items.map(({ message, pointer }) => [pointer, message]);
};

describe('search', () => {
  it('REPO-296: goes on in the commit of the first page, from the cursor of the same search', async () => {
    const query = { q: 'x', ref: 'main', path: 'a', limit: '5' };
    const first = await searching(query, { next }).result;
    expect(first.result).toEqual({ commit, matches: [], skipped: 0, truncated: true });
    const { cursor } = first.info;
    expect(first.info).toEqual({ cursor, per_page: 5, count: 0 });
    const second = searching({ ...query, limit: 9, cursor }, {});
    expect((await second.result).info).toEqual({ cursor: '', per_page: 9, count: 0 });
    expect(second.asked).toMatchObject([{ revision: commit, path: 'a', limit: 9, from: { line: 7 } }]);
    expect(Buffer.from(second.asked[0]?.from?.path ?? [])).toEqual(next.path);
    for (const other of [{ q: 'y' }, { ref: 'HEAD' }, { path: '' }, { ignore_case: true }, { regex: true }]) {
      expect(await refusal({ ...query, cursor, ...other })).toEqual([['/cursor', 'Invalid cursor']]);
    }
    await expect(searching({ ...query, cursor }, {}, ['a1', 'nn', 's']).result).rejects.toMatchObject({ status: 400 });
    expect(await refusal({ ...query, cursor: `${cursor}A` })).toEqual([['/cursor', 'Invalid cursor']]);
  });

  it('REPO-293, LIM-036: refuses parameters before the repo is opened, in their order', async () => {
    expect(await refusal({})).toEqual([['/q', 'Invalid input: expected string, received undefined']]);
    expect(await refusal({ q: '' })).toEqual([['/q', 'Too small: expected string to have >=1 characters']]);
    for (const q of ['a\nb', 'a\0'])
      expect(await refusal({ q })).toEqual([['/q', 'Invalid input: expected one line without NUL']]);
    expect(await refusal({ q: 'x'.repeat(513) })).toEqual([
      ['/q', 'Too big: expected string to have <=512 characters'],
    ]);
    expect(await refusal({ q: '(', regex: true, limit: 0, ignore_case: 'yes' })).toEqual([
      ['/q', 'Invalid regular expression: missing closing ): `(`'],
      ['/ignore_case', 'Invalid option: expected one of "true"|"false"'],
      ['/limit', 'Too small: expected number to be >=1'],
    ]);
    expect(await refusal({ q: 'x', limit: 1001 })).toEqual([['/limit', 'Too big: expected number to be <=1000']]);
  });

  it('REPO-293: tells what is not there', async () => {
    await expect(searching({ q: 'x' }, 'revision').result).rejects.toMatchObject({ kind: 'refNotFound' });
    await expect(searching({ q: 'x' }, 'path').result).rejects.toMatchObject({ kind: 'fileNotFound' });
  });

  it('LIM-037: ends a page after five seconds', async () => {
    const { asked, result } = searching({ q: 'x' }, {});
    await result;
    expect([asked[0]?.isLate(), asked[0]?.isLate()]).toEqual([false, true]);
  });
});
