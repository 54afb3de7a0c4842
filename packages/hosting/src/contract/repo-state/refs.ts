import {
  fewRefsMax,
  nameAt,
  packedRefsMax,
  packRefs,
  readAllRefs,
  recordsOf,
  refHistoryMax,
  refNamesMax,
  refOidsMax,
  refsPerOid,
  type RefName,
  type RefPage,
  type RefQuery,
  type RefRecord,
  type RepoSnapshot,
} from '@packhouse/git';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { change, oid, sampleHead, sampleRepoId, sampleToken, update } from './samples.ts';

const name = (number: number): string => `refs/heads/${String(number).padStart(6, '0')}`;
const numbers = (count: number, from = 0): readonly number[] => Array.from({ length: count }, (_, i) => from + i);

export function testRefs(open: OpenState, large: boolean): void {
  describe('refs of a version', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });

    const version = async (): Promise<number> => ((await open(id).snapshot()) as RepoSnapshot).version;
    /** Creates refs with these numbers, in changes of the size of a push. */
    const create = async (all: readonly number[]): Promise<void> => {
      for (let from = 0; from < all.length; from += 10_000) {
        await open(id).commit(change(all.slice(from, from + 10_000).map((n) => update(name(n), null, 1))));
      }
    };
    const page = async (at: number, query: RefQuery): Promise<RefPage> => {
      const found = await open(id).refs(at, query);
      if (found === undefined) throw new Error('the version is too old');
      return found;
    };
    const records = async (at: number, query: RefQuery): Promise<readonly RefRecord[]> =>
      recordsIn(await page(at, query));

    it('are part of the snapshot if they are few', async () => {
      await create(numbers(fewRefsMax));
      const few = (await open(id).snapshot()) as RepoSnapshot;
      expect(few.refs).toEqual(
        packRefs(numbers(fewRefsMax).map((n) => ({ name: name(n) as RefName, target: update('', null, 1).new }))),
      );
      await create([fewRefsMax]);
      expect((await open(id).snapshot())?.refs).toBeUndefined();
    });

    it('are found by name, and missing ones are omitted', async () => {
      await create([1, 2, 3]);
      const names = [name(3), name(7), name(1), 'refs/heads', name(1)] as RefName[];
      expect((await records(await version(), { kind: 'named', names })).map((ref) => ref.name)).toEqual([
        name(1),
        name(3),
      ]);
    });

    it('are found by value, a few of each', async () => {
      await create(numbers(refsPerOid + 5));
      await open(id).commit(change([update('refs/tags/x', null, 3), update('refs/tags/y', null, 4)]));
      const found = await records(await version(), { kind: 'pointing', oids: [oid(1), oid(3), oid(9)] });
      expect(found.filter((ref) => ref.oid === oid(1))).toHaveLength(refsPerOid);
      expect(found.filter((ref) => ref.oid !== oid(1))).toEqual([{ name: 'refs/tags/x', ...update('', null, 3).new }]);
    });

    it('are paginated, sorted by name', async () => {
      await create(numbers(packedRefsMax + 10));
      const at = await version();
      const first = await page(at, { kind: 'below', prefix: '' });
      expect(first.next).toBe(name(packedRefsMax - 1));
      expect(recordsIn(first)).toHaveLength(packedRefsMax);
      const second = await records(at, { kind: 'below', prefix: '', after: first.next as RefName });
      expect(second.map((ref) => ref.name)).toEqual(numbers(10, packedRefsMax).map(name));
      const few = await page(at, { kind: 'below', prefix: 'refs/heads/00000', after: name(3) as RefName, limit: 2 });
      expect([recordsIn(few).map((ref) => ref.name), few.next]).toEqual([[name(4), name(5)], name(5)]);
    });

    it.each<[string, readonly string[]]>([
      ['refs/heads/a', ['refs/heads/a', 'refs/heads/a%', 'refs/heads/a_x/y', 'refs/heads/a\u{1d4b3}']],
      ['refs/heads/\ud7ff', ['refs/heads/\ud7ff', 'refs/heads/\ud7ffx']],
      ['refs/heads/\u{10ffff}', ['refs/heads/\u{10ffff}']],
      ['refs/heads/%', []],
      ['', ['refs/heads/A', 'refs/heads/a', 'refs/heads/a%']],
    ])('are those that start with %j, bytewise', async (prefix, expected) => {
      const all = ['A', 'a', 'a%', 'a_x/y', 'a\u{1d4b3}', 'b', '\ud7ff', '\ud7ffx', '\ue000', '\u{10ffff}'];
      await open(id).commit(change(all.map((one) => update(`refs/heads/${one}`, null, 1))));
      const found = (await records(await version(), { kind: 'below', prefix })).map((ref) => ref.name);
      if (prefix === '') expect(found).toEqual(all.map((one) => `refs/heads/${one}`));
      else expect(found).toEqual(expected);
    });

    it('GIT-156: stay those of a version during commits between pages', async () => {
      await create(numbers(2 * packedRefsMax));
      const before = await version();
      const first = await page(before, { kind: 'below', prefix: '' });
      const last = 2 * packedRefsMax - 1;
      await open(id).commit(
        change([
          update(name(0), 1, 2),
          update(name(last), 1, null),
          update(name(last - 1), 1, 5),
          update(`${name(last - 2)}x`, null, 7),
        ]),
      );
      await open(id).commit(change([update(name(last - 1), 5, null), update(name(last), null, 8)]));
      const second = await records(before, { kind: 'below', prefix: '', after: first.next as RefName });
      const all = [...recordsIn(first), ...second];
      expect(all.map((ref) => ref.name)).toEqual(numbers(2 * packedRefsMax).map(name));
      expect(all.every((ref) => ref.oid === oid(1))).toBe(true);
      const names = [name(0), name(last), `${name(last - 2)}x`] as RefName[];
      expect((await records(before, { kind: 'named', names })).map((ref) => ref.oid)).toEqual([oid(1), oid(1)]);
      expect((await records(before, { kind: 'pointing', oids: [oid(2), oid(7)] })).length).toBe(0);
      expect((await records(await version(), { kind: 'named', names })).map((ref) => ref.oid)).toEqual([
        oid(2),
        oid(7),
        oid(8),
      ]);
    });

    it('list the changes between two versions, in either direction', async () => {
      await create([1, 2, 3, 4]);
      const before = await version();
      await open(id).commit(change([update(name(1), 1, null), update(name(2), 1, 5), update(name(9), null, 5)]));
      const after = await version();
      const changes = async (at: number, query: { since: number; after?: RefName; end?: RefName }): Promise<unknown> =>
        (await page(at, { kind: 'changed', ...query })).chunks.flatMap((refs) =>
          numbers(refs.count).map((i) => [nameAt(refs, i), refs.kinds[i]]),
        );
      expect(await changes(after, { since: before })).toEqual([
        [name(1), 0],
        [name(2), 1],
        [name(9), 1],
      ]);
      expect(await changes(before, { since: after })).toEqual([
        [name(1), 1],
        [name(2), 1],
        [name(9), 0],
      ]);
      const within = { since: before, after: name(1) as RefName, end: name(8) as RefName };
      expect(await changes(after, within)).toEqual([[name(2), 1]]);
      expect(await changes(after, { since: after })).toEqual([]);
    });

    it('list many changes in pages', async () => {
      await create(numbers(refNamesMax + 5));
      const at = await version();
      const first = await page(at, { kind: 'changed', since: 1 });
      expect(first.next).toBe(name(refNamesMax - 1));
      const second = await page(at, { kind: 'changed', since: 1, after: first.next as RefName });
      expect([recordsIn(second).length, second.next]).toEqual([5, undefined]);
    });

    it.runIf(large)('can be read as far back as the stored changes go', async () => {
      const start = await version();
      await create(numbers(10_000));
      const middle = await version();
      await create(numbers(refHistoryMax - 10_000, 10_000));
      const all: RefQuery = { kind: 'below', prefix: '' };
      expect(recordsIn(await page(start, all))).toEqual([]);
      await create([900_000]);
      expect(await open(id).refs(start, all)).toBeUndefined();
      expect(await open(id).refs(await version(), { kind: 'changed', since: start })).toBeUndefined();
      expect(
        await readAllRefs(open(id), { ...((await open(id).snapshot()) as RepoSnapshot), version: middle }),
      ).toHaveLength(10_000);
      expect(await open(id).refs((await version()) + 1, all)).toBeUndefined();
    });

    it.runIf(large)('after a change larger than the history, only the new version can be read', async () => {
      const before = await version();
      const many = numbers(refHistoryMax + 1).map((n) => update(name(n), null, 1));
      await open(id).commit(change(many));
      expect(await open(id).refs(before, { kind: 'named', names: [] })).toBeUndefined();
      const now = (await open(id).snapshot()) as RepoSnapshot;
      await open(id).commit(change([update(name(0), 1, 2)]));
      expect((await readAllRefs(open(id), now)).length).toBe(refHistoryMax + 1);
    });

    it('a refused or unchanged update changes no version', async () => {
      await create([1, 2]);
      const before = await version();
      await open(id).commit(change([update(name(1), 1, null), update(name(2), 9, 3)], { atomic: true }));
      expect(await version()).toBe(before);
      expect(await records(before, { kind: 'below', prefix: '' })).toHaveLength(2);
    });

    it.each<[string, RefQuery]>([
      ['names', { kind: 'named', names: numbers(refNamesMax + 1).map((n) => name(n) as RefName) }],
      ['values', { kind: 'pointing', oids: numbers(refOidsMax + 1).map(oid) }],
      ['refs', { kind: 'below', prefix: '', limit: packedRefsMax + 1 }],
    ])('refuses to read too many %s at once, as an error of the caller', async (_, query) => {
      await expect(version().then((at) => open(id).refs(at, query))).rejects.toThrow(RangeError);
    });
  });
}

function recordsIn({ chunks }: RefPage): readonly RefRecord[] {
  return chunks.flatMap((refs) => [...recordsOf({ refs, from: 0, to: refs.count })]);
}
