import { RepoGoneError, type PackId } from '@packhouse/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackReservations } from '../packs/reservations.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import {
  change,
  replacement,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  update,
} from '@packhouse/hosting/contract';

/** State and reservations for one test. */
export interface ReservationsFixture {
  /** Opens state and reservations of the repository `id`, which share their storage. */
  open(id: string): { readonly state: MaintainedRepoState; readonly reservations: PackReservations };
  close(): void | Promise<void>;
}

/** Tests an adapter against the contract of `PackReservations`, together with the state of the repository. */
export function testReservations(
  adapter: string,
  make: () => ReservationsFixture | Promise<ReservationsFixture>,
): void {
  describe(`PackReservations: ${adapter}`, () => {
    let fixture: ReservationsFixture;
    let id: string;
    beforeEach(async () => {
      fixture = await make();
      id = sampleRepoId();
      await fixture.open(id).state.begin(sampleHead(id), sampleToken('t1'));
    });
    afterEach(() => fixture.close());
    const state = () => fixture.open(id).state;
    const reservations = () => fixture.open(id).reservations;
    const all = () => reservations().before(Number.MAX_SAFE_INTEGER);
    const reserved = async (at = 1_000): Promise<PackId> => {
      const pack = samplePackId();
      await reservations().reserve([pack], at);
      return pack;
    };

    it('GIT-153: lists reservations before a time, oldest first', async () => {
      const [late, early] = [await reserved(2_000), await reserved(1_000)];
      expect(await reservations().before(1_000)).toEqual([]);
      expect(await reservations().before(1_001)).toEqual([early]);
      expect(await all()).toEqual([early, late]);
      await reservations().reserve([early], 3_000);
      expect(await all()).toEqual([late, early]);
    });

    it('drops reservations, idempotently', async () => {
      const [dropped, other] = [await reserved(), await reserved(1_001)];
      await reservations().drop(dropped);
      await reservations().drop(dropped);
      expect(await all()).toEqual([other]);
    });

    it('GIT-154: separates repositories', async () => {
      const pack = await reserved();
      const other = sampleRepoId();
      await fixture.open(other).state.begin(sampleHead(other), sampleToken('t1'));
      await fixture.open(other).reservations.drop(pack);
      expect(await fixture.open(other).reservations.before(9e15)).toEqual([]);
      expect(await all()).toEqual([pack]);
    });

    it('ends a reservation only with the commit that adds the pack', async () => {
      const [stored, unused] = [await reserved(), await reserved(1_001)];
      const push = change([update('refs/heads/a', 7, 1)], { addPacks: [samplePack({ id: stored })] });
      await state().commit(push);
      await state().commit({ ...push, pushId: `${push.pushId}1`, leansOn: [samplePackId()] });
      expect(await all()).toEqual([stored, unused]);
      await state().commit(change([update('refs/heads/a', null, 1)], { addPacks: push.addPacks }));
      expect(await all()).toEqual([unused]);
    });

    it('ends the reservation of a pack that moves to the store', async () => {
      const files = { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
      const pack = samplePack({ where: 'rows', files });
      await state().commit(change([update('refs/heads/a', null, 1)], { addPacks: [pack] }));
      await reservations().reserve([pack.id], 1_000);
      await state().settle(pack.id);
      expect(await all()).toEqual([]);
    });

    it('ends a reservation only with the replacement that adds the pack', async () => {
      const [old, next] = [samplePack(), samplePack({ id: await reserved() })];
      await state().commit(change([update('refs/heads/a', null, 1)], { addPacks: [old] }));
      await state().replacePacks(replacement([old.id, samplePackId()], next));
      await state().replacePacks(replacement([old.id], next, { ifVersion: 1 }));
      expect(await all()).toEqual([next.id]);
      await state().replacePacks(replacement([old.id], next));
      expect(await all()).toEqual([]);
    });

    it('REPO-118: reserves all packs in the store when the repository is erased, even retired ones', async () => {
      const files = { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
      const [old, next, unused] = [samplePack(), samplePack(), await reserved(2_000_000)];
      const inRows = samplePack({ where: 'rows', files });
      await state().commit(change([update('refs/heads/a', null, 1)], { addPacks: [old, inRows] }));
      await state().replacePacks(replacement([old.id], { ...next, at: 1_500_000 }));
      expect(await all()).toEqual([unused]);
      await state().erase();
      expect(await all()).toEqual([old.id, next.id, unused]);
      await state().erase();
      await reservations().drop(old.id);
      expect(await all()).toEqual([old.id, next.id, unused]);
      await state().forget();
      expect(await all()).toEqual([]);
    });

    it('GIT-153: survives the erasure, for running pushes, and then refuses new reservations', async () => {
      const [first, second] = [await reserved(), await reserved(1_001)];
      await state().erase();
      await expect(reserved()).rejects.toThrow(RepoGoneError);
      await reservations().drop(first);
      expect(await all()).toEqual([first, second]);
      await state().forget();
      expect(await all()).toEqual([]);
    });

    it('refuses reservations of a repository that never began', async () => {
      id = sampleRepoId();
      await expect(reserved()).rejects.toThrow(RepoGoneError);
    });

    it('keeps those of a live repository when it is asked to forget', async () => {
      const pack = await reserved();
      await state().forget();
      expect(await all()).toEqual([pack]);
    });
  });
}
