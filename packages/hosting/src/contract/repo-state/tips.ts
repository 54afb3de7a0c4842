import { snapshotTipsMax, type RefUpdate, type RepoSnapshot } from '@packhouse/git';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { change, oid, sampleHead, sampleRepoId, sampleToken, update } from './samples.ts';

export function testTips(open: OpenState, large: boolean): void {
  describe('values that refs left', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });

    const commit = (at: number, updates: readonly RefUpdate[], atomic = false) =>
      open(id).commit(change(updates, { at, atomic }));
    const shown = async () => ((await open(id).snapshot()) as RepoSnapshot).retiredTips;
    const tip = (name: string, value: number, at: number) => ({ name, oid: oid(value), at });

    it('GIT-061: by a non-forward move, and by a deletion regardless of the claim of the change', async () => {
      await commit(1, [
        update('refs/heads/a', null, 1),
        update('refs/heads/b', null, 2),
        update('refs/tags/c', null, 3),
      ]);
      expect(await shown()).toEqual([]);
      await commit(2, [
        update('refs/heads/a', 1, 4, false),
        update('refs/heads/b', 2, 5),
        update('refs/tags/c', 3, null, true),
      ]);
      const expected = [tip('refs/heads/a', 1, 2), tip('refs/tags/c', 3, 2)];
      expect(await shown()).toEqual(expected);
      expect(await open(id).retiredTips()).toEqual(expected);
    });

    it('GIT-061: not by a refused update, nor by one to the same value', async () => {
      await commit(1, [update('refs/heads/a', null, 1), update('refs/heads/b', null, 2)]);
      await commit(2, [update('refs/heads/a', 9, 4, false), update('refs/heads/b', 9, null)]);
      await commit(3, [update('refs/heads/a', 1, 4, false), update('refs/heads/b', 9, null)], true);
      await commit(4, [update('refs/heads/a', 1, 1, false), update('refs/heads/none', null, null)]);
      expect(await open(id).retiredTips()).toEqual([]);
    });

    it('are listed once with their latest time, newest first, then by name and value', async () => {
      await commit(1, [update('refs/heads/b', null, 1), update('refs/heads/\ue000', null, 1)]);
      await commit(2, [update('refs/heads/b', 1, 2, false)]);
      await commit(5, [update('refs/heads/b', 2, 1, false), update('refs/heads/\ue000', 1, null)]);
      await commit(7, [update('refs/heads/b', 1, 3, false), update('refs/heads/\u{1d4b3}', null, 1)]);
      await commit(7, [update('refs/heads/b', 3, null), update('refs/heads/\u{1d4b3}', 1, null)]);
      expect(await open(id).retiredTips()).toEqual([
        tip('refs/heads/b', 1, 7),
        tip('refs/heads/b', 3, 7),
        tip('refs/heads/\u{1d4b3}', 1, 7),
        tip('refs/heads/b', 2, 5),
        tip('refs/heads/\ue000', 1, 5),
      ]);
    });

    it('keep the newer time if the clock goes back', async () => {
      await commit(5, [update('refs/heads/a', null, 1)]);
      await commit(5, [update('refs/heads/a', 1, null)]);
      await commit(4, [update('refs/heads/a', null, 1)]);
      await commit(3, [update('refs/heads/a', 1, null)]);
      expect(await open(id).retiredTips()).toEqual([tip('refs/heads/a', 1, 5)]);
    });

    it('GIT-061: are all stored, but a snapshot has only the newest up to a limit', async () => {
      const branches = Array.from(
        { length: snapshotTipsMax + 10 },
        (_, i) => `refs/heads/${String(i).padStart(5, '0')}`,
      );
      await commit(
        1,
        branches.map((name) => update(name, null, 1)),
      );
      await commit(
        2,
        branches.slice(0, 10).map((name) => update(name, 1, null)),
      );
      await commit(
        3,
        branches.slice(10).map((name) => update(name, 1, null)),
      );
      expect(await shown()).toEqual(branches.slice(10).map((name) => tip(name, 1, 3)));
      expect(await open(id).retiredTips()).toHaveLength(branches.length);
    });

    it('GIT-127: are dropped by time, under a new version only if there were any', async () => {
      await commit(1, [update('refs/heads/a', null, 1), update('refs/heads/b', null, 1)]);
      await commit(2, [update('refs/heads/a', 1, null)]);
      await commit(3, [update('refs/heads/b', 1, null)]);
      const before = (await open(id).snapshot()) as RepoSnapshot;
      await open(id).forgetTips(2);
      expect(await open(id).snapshot()).toEqual(before);
      await open(id).forgetTips(3);
      const retiredTips = [tip('refs/heads/b', 1, 3)];
      expect(await open(id).snapshot(before.version)).toEqual({ ...before, version: before.version + 1, retiredTips });
      expect(await open(id).retiredTips()).toEqual(retiredTips);
    });

    it('GIT-154: are separate for each repository', async () => {
      const other = sampleRepoId();
      await open(other).begin(sampleHead(other), sampleToken('t1'));
      await commit(1, [update('refs/heads/a', null, 1)]);
      await commit(2, [update('refs/heads/a', 1, null)]);
      await open(other).forgetTips(9e15);
      expect(await open(other).retiredTips()).toEqual([]);
      expect(await open(id).retiredTips()).toHaveLength(1);
    });
  });

  describe('the boundary of a shallow repository', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });
    const shallow = async () => ((await open(id).snapshot()) as RepoSnapshot).shallow;

    it('GIT-075: grows by the commits of changes, sorted and without duplicates', async () => {
      const add = (name: string, ...addShallow: readonly number[]) =>
        open(id).commit(change([update(name, null, 1)], { addShallow: addShallow.map(oid) }));
      await add('refs/heads/a', 7, 5, 7);
      expect(await shallow()).toEqual([5, 7].map(oid));
      await add('refs/heads/b', 6, 5);
      await add('refs/heads/c');
      expect(await shallow()).toEqual([5, 6, 7].map(oid));
    });

    it('GIT-153: does not grow if no update applies', async () => {
      const addShallow = [oid(7)];
      await open(id).commit(change([update('refs/heads/a', 9, 1)], { addShallow }));
      await open(id).commit(
        change([update('refs/heads/a', null, 1), update('refs/heads/b', 9, 1)], { addShallow, atomic: true }),
      );
      expect(await shallow()).toEqual([]);
    });

    it.runIf(large)('accepts more commits than fit into one SQL value', async () => {
      const addShallow = Array.from({ length: 60_000 }, (_, i) => oid(i));
      await open(id).commit(change([update('refs/heads/a', null, 1)], { addShallow }));
      expect(await shallow()).toEqual(addShallow);
    });
  });
}
