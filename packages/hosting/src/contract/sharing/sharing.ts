import { RepoGoneError } from '@packhouse/git';
import type { RepoStorage } from '../../ports/repo-storage.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collected } from '@packhouse/git/contract';
import { change, samplePack, samplePackId, update } from '../repo-state/samples.ts';
import { SharingRepo } from './sharing-repo.ts';
import { testRandomSharing } from './sharing-random.ts';

/** Storage for one test. */
export interface SharingFixture {
  readonly account: string;
  /** Each call may return another handle; all must show the same repositories. */
  open(): RepoStorage;
  /** Returns the number of files or objects of packs, under any names. */
  stored(): number | Promise<number>;
  /** Returns the number of writes of pack bytes so far. */
  writes(): number;
  /** Makes the process die at the `at`-th operation from now on (from 0); if `late`, after its effect. */
  dieAt(at: number, late: boolean): void;
  /** Restarts the process. Returns true if it had died. */
  revive(): boolean;
  close(): void | Promise<void>;
}

/** Tests an adapter against the contract of `RepoStorage.sharePacks`, with `runs` random histories. Default 40. */
export function testSharing(adapter: string, make: () => SharingFixture | Promise<SharingFixture>, runs = 40): void {
  describe(`packs that repositories share: ${adapter}`, () => {
    let fixture: SharingFixture;
    let parent: SharingRepo;
    let child: SharingRepo;
    beforeEach(async () => {
      fixture = await make();
      [parent, child] = [await begun(), await begun()];
    });
    afterEach(() => fixture.close());
    const begun = async (): Promise<SharingRepo> => new SharingRepo(() => fixture.open(), fixture.account).begin();
    const forked = async (from: SharingRepo, to: SharingRepo): Promise<void> => {
      const packs = await from.packs();
      expect(await from.share(to, packs)).toBe(true);
      await to.commit(packs, 'whole');
    };

    it('REPO-124: are readable from both, without writing a byte of them', async () => {
      const packs = [await parent.push(), await parent.push()];
      const before = fixture.writes();
      await forked(parent, child);
      expect(fixture.writes()).toBe(before);
      for (const repo of [parent, child]) {
        expect(await repo.unreadable(packs)).toEqual([]);
        expect(await repo.sweep()).toEqual([]);
        expect(await repo.unreadable(packs)).toEqual([]);
      }
      const [first] = packs;
      const streams = [parent, child].flatMap(({ repo }) =>
        first === undefined ? [] : [collected(repo.packs.stream(first)), collected(repo.packs.stream(first, 3, 9))],
      );
      const [whole, part, ...same] = await Promise.all(streams);
      expect(whole?.slice(3, 9)).toEqual(part);
      expect(same).toEqual([whole, part]);
    });

    it.each([
      ['the parent', 'the fork'],
      ['the fork', 'the parent'],
    ])('REPO-123: that %s removes stay in %s until it removes them, too', async (one) => {
      const pack = await parent.push();
      await forked(parent, child);
      const [first, second] = one === 'the parent' ? [parent, child] : [child, parent];
      for (let times = 0; times < 2; times++) {
        await first.repo.packs.remove(pack);
        expect(await second.unreadable([pack])).toEqual([]);
      }
      await first.replace(pack);
      await first.repo.state.forgetPacks([pack]);
      await first.sweep();
      expect(await second.unreadable([pack])).toEqual([]);
      await second.retire(pack);
      expect(await fixture.stored()).toBe(0);
    });

    it.each([
      ['parent', 'fork'],
      ['fork', 'parent'],
    ])(
      'REPO-123, REPO-118: stay whole when the %s is deleted, both times, and are removed with the %s',
      async (one) => {
        const packs = [await parent.push(), await parent.push()];
        await forked(parent, child);
        const [first, second] = one === 'parent' ? [parent, child] : [child, parent];
        for (let times = 0; times < 2; times++) {
          await first.erase();
          expect(await second.unreadable(packs)).toEqual([]);
          expect(await second.sweep()).toEqual([]);
        }
        await second.erase();
        expect(await fixture.stored()).toBe(0);
      },
    );

    it('can be shared by a fork of a fork', async () => {
      const packs = [await parent.push()];
      const grandchild = await begun();
      await forked(parent, child);
      await parent.erase();
      await forked(child, grandchild);
      await parent.erase();
      await child.erase();
      await child.erase();
      expect(await grandchild.unreadable(packs)).toEqual([]);
      await grandchild.erase();
      expect(await fixture.stored()).toBe(0);
    });

    it('can be shared again without effect', async () => {
      const packs = [await parent.push()];
      expect(await parent.share(child, packs)).toBe(true);
      expect(await parent.share(child, packs)).toBe(true);
      await child.commit(packs, 'whole');
      expect(await parent.share(child, packs)).toBe(true);
      expect(await child.sweep()).toEqual([]);
      expect(await child.unreadable(packs)).toEqual([]);
      await child.retire(packs[0] ?? samplePackId());
      expect(await parent.unreadable(packs)).toEqual([]);
      await parent.erase();
      expect(await fixture.stored()).toBe(0);
    });

    it('GIT-153: are leftovers of a fork that dies, and can be swept without harm to the parent', async () => {
      const packs = [await parent.push(), await parent.push()];
      await parent.share(child, packs);
      // Their age does not matter, since the fork is still running.
      expect(await child.repo.packs.leftovers(Date.now() - 60_000)).toEqual([]);
      expect([...(await child.repo.packs.leftovers(Date.now() + 60_000))].sort()).toEqual([...packs].sort());
      expect([...(await child.sweep())].sort()).toEqual([...packs].sort());
      expect(await child.repo.packs.leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
      expect(await parent.unreadable(packs)).toEqual([]);
      await parent.share(child, packs);
      await child.erase();
      await child.erase();
      expect(await parent.unreadable(packs)).toEqual([]);
      expect(await parent.sweep()).toEqual([]);
      await parent.erase();
      expect(await fixture.stored()).toBe(0);
    });

    it('are refused without loss once the parent lacks one of them', async () => {
      const [kept, retired, removed] = [await parent.push(), await parent.push(), await parent.push()];
      await parent.retire(removed);
      await parent.replace(retired);
      const empty = { pack: new Uint8Array(1), idx: new Uint8Array(1), graph: new Uint8Array(1) };
      const inRows = samplePack({ where: 'rows', files: empty });
      await parent.repo.state.commit(change([update('refs/heads/rows', null, 1)], { addPacks: [inRows] }));
      for (const lost of [retired, removed, inRows.id, samplePackId()]) {
        expect(await parent.share(child, [kept, lost])).toBe(false);
      }
      expect(await parent.share(child, [kept])).toBe(true);
      await child.commit([kept], 'whole');
      await child.sweep();
      expect(await parent.unreadable([kept, retired])).toEqual([]);
      await parent.removeRetired();
      await parent.sweep();
      await parent.erase();
      expect(await child.unreadable([kept])).toEqual([]);
      await child.erase();
      expect(await fixture.stored()).toBe(0);
    });

    it('are refused if either was deleted, both are the same, or one is elsewhere', async () => {
      const packs = [await parent.push()];
      const { account } = fixture;
      await expect(fixture.open().sharePacks(account, parent.place, parent.place, packs)).rejects.toThrow(RangeError);
      const inEurope = { ...child.place, jurisdiction: 'eu' };
      await expect(fixture.open().sharePacks(account, parent.place, inEurope, packs)).rejects.toThrow(RangeError);
      expect(await parent.share(child, [])).toBe(true);
      await child.erase();
      await expect(parent.share(child, packs)).rejects.toThrow(RepoGoneError);
      await child.erase();
      const other = await begun();
      await parent.erase();
      expect(await parent.share(other, packs)).toBe(false);
      expect(await parent.share(other, [])).toBe(false);
      for (const repo of [other, parent]) await repo.erase();
      expect(await fixture.stored()).toBe(0);
    });

    testRandomSharing(make, runs);
  });
}
