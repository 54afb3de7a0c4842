import { RepoGoneError, type NewPack } from '@packhouse/git';
import {
  change,
  keptPack,
  replacement,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  testRepoState,
  update,
  type RepoStateFixture,
  type RepoStateOptions,
} from '@packhouse/hosting/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';

/** Repository states for one test, see `RepoStateFixture`. */
export interface MaintainedStateFixture extends RepoStateFixture {
  open(id: string): MaintainedRepoState;
}

/** Tests an adapter against the contract of `MaintainedRepoState`, which includes that of `HostedRepoState`. */
export function testMaintainedState(
  adapter: string,
  make: () => MaintainedStateFixture | Promise<MaintainedStateFixture>,
  options?: RepoStateOptions,
): void {
  const hosted = async (): Promise<RepoStateFixture> => {
    const fixture = await make();
    return {
      open: (id) => fixture.open(id),
      settle: (id, pack) => fixture.open(id).settle(pack),
      close: () => fixture.close(),
    };
  };
  testRepoState(adapter, hosted, options);

  describe(`MaintainedRepoState: ${adapter}: packs that move from rows to the store`, () => {
    let fixture: MaintainedStateFixture;
    let id: string;
    beforeEach(async () => {
      fixture = await make();
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });
    afterEach(() => fixture.close());
    const open = (repo: string): MaintainedRepoState => fixture.open(repo);

    const inRows = (): NewPack =>
      samplePack({
        where: 'rows',
        packSize: 3,
        files: { pack: Uint8Array.of(1, 2, 3), idx: Uint8Array.of(4), graph: new Uint8Array(0) },
      });
    const push = (branch: string, ...addPacks: readonly NewPack[]) =>
      open(id).commit(change([update(`refs/heads/${branch}`, null, 1)], { addPacks }));
    const rowsOf = (pack: NewPack) => open(id).rowFiles([pack.id], ['pack', 'idx', 'graph']);

    it('are listed with their sizes, oldest first, without those in the store', async () => {
      const [one, stored, two] = [inRows(), samplePack(), inRows()];
      expect(await open(id).rowPacks()).toEqual([]);
      await push('a', one);
      await push('b', stored);
      await push('c', two);
      expect(await open(id).rowPacks()).toEqual([keptPack(one, 1), keptPack(two, 3)]);
    });

    it('move and lose their rows in one new version, without other changes', async () => {
      const [one, two] = [inRows(), inRows()];
      await push('a', one);
      await push('b', two);
      const before = await open(id).snapshot();
      expect(await open(id).settle(one.id)).toBe(true);
      const after = await open(id).snapshot(before?.version);
      expect(after).toEqual({
        ...before,
        version: (before?.version ?? 0) + 1,
        packs: before?.packs.map((pack) => (pack.id === one.id ? { ...pack, where: 'store' } : pack)),
      });
      expect(await rowsOf(one)).toEqual([]);
      expect(await rowsOf(two)).toHaveLength(3);
      expect((await open(id).rowPacks()).map((pack) => pack.id)).toEqual([two.id]);
      expect(await open(id).storedBytes()).toBe(2 * (3 + 1_100 + 50));
    });

    it('stay exact, and packs may still lean on them', async () => {
      const pack = inRows();
      await push('a', pack);
      await open(id).settle(pack.id);
      expect(await open(id).snapshot()).toMatchObject({ packs: [{ id: pack.id, exact: true, where: 'store' }] });
      const next = change([update('refs/heads/b', null, 2)], { leansOn: [pack.id] });
      expect(await open(id).commit(next)).toMatchObject({ kind: 'done' });
    });

    it('move once: a repeated call, or one for another pack, changes nothing', async () => {
      const [moved, stored] = [inRows(), samplePack()];
      await push('a', moved);
      await push('b', stored);
      await open(id).settle(moved.id);
      const before = await open(id).snapshot();
      for (const pack of [moved.id, stored.id, samplePackId()]) expect(await open(id).settle(pack)).toBe(false);
      expect(await open(id).snapshot()).toEqual(before);
    });

    it('do not move in a deleted repository', async () => {
      const pack = inRows();
      await push('a', pack);
      await open(id).erase();
      await expect(open(id).settle(pack.id)).rejects.toThrow(RepoGoneError);
      await expect(open(id).rowPacks()).rejects.toThrow(RepoGoneError);
    });

    it('are not listed once they are replaced, and do not move', async () => {
      const [old, kept, merged] = [inRows(), inRows(), inRows()];
      await push('a', old);
      await push('b', kept);
      expect(await open(id).replacePacks(replacement([old.id], merged))).toBe('done');
      expect((await open(id).rowPacks()).map((pack) => pack.id)).toEqual([merged.id, kept.id]);
      const before = await open(id).snapshot();
      expect(await open(id).settle(old.id)).toBe(false);
      expect(await open(id).snapshot()).toEqual(before);
      expect(await rowsOf(old)).toHaveLength(3);
    });
  });
}
