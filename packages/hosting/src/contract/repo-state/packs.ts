import type { NewPack, PackFile, RefUpdate, RepoChange } from '@packhouse/git';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import {
  change,
  keptPack,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  update,
} from './samples.ts';
import { wholeState } from '@packhouse/git/contract';

export function testPacks(open: OpenState, large: boolean): void {
  describe('manifest of packs', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });

    const commit = (updates: readonly RefUpdate[], part: Partial<RepoChange> = {}) =>
      open(id).commit(change(updates, part));
    const packs = async () => (await open(id).snapshot())?.packs ?? [];
    const exact = async () => (await packs()).map((pack) => pack.exact);
    const files = (n: number): Record<PackFile, Uint8Array> => ({
      pack: Uint8Array.of(n, 0, 255),
      idx: Uint8Array.of(n, 1),
      graph: new Uint8Array(0),
    });

    it('lists packs with all members, oldest first', async () => {
      const added = Array.from({ length: 12 }, (_, i) =>
        samplePack({
          objects: i,
          packSize: 2 ** 40 + i,
          idxSize: i * 2,
          graphSize: i * 3,
          exact: false,
          after: i,
          borrowed: (['whole', 'part'] as const)[i] ?? 'no',
        }),
      );
      for (const [i, pack] of added.entries())
        await commit([update(`refs/heads/b${i}`, null, 1)], { addPacks: [pack] });
      expect(await packs()).toEqual(added.map((pack, i) => keptPack(pack, i + 1)));
    });

    it('LIM-050: sums the bytes of the packs, their indexes and their graphs (GIT-166)', async () => {
      await commit([update('refs/heads/a', null, 1)], {
        addPacks: [samplePack({ packSize: 2 ** 40 }), samplePack({ packSize: 7 })],
      });
      expect(await open(id).storedBytes()).toBe(2 ** 40 + 7 + 2 * (1_100 + 50));
    });

    it('GIT-153: adds no pack if no update applies', async () => {
      await commit([update('refs/heads/a', 1, 2)], { addPacks: [samplePack()] });
      await commit([update('refs/heads/a', null, 1), update('refs/heads/b', 1, 2)], {
        addPacks: [samplePack()],
        atomic: true,
      });
      expect(await packs()).toEqual([]);
    });

    it('changes nothing if a pack that it leans on is missing; the same push id may retry', async () => {
      const [pack, lost] = [samplePack(), samplePackId()];
      await commit([update('refs/heads/a', null, 1)], { addPacks: [pack] });
      const before = await open(id).snapshot();
      const push = change([update('refs/heads/b', null, 2)], { leansOn: [pack.id, lost] });
      expect(await open(id).commit(push)).toEqual({ kind: 'packs changed' });
      expect(await open(id).snapshot()).toEqual(before);
      expect(await open(id).outcome(push.pushId)).toBeUndefined();
      expect(await open(id).commit({ ...push, leansOn: [pack.id, pack.id] })).toMatchObject({
        kind: 'done',
        updates: [{ kind: 'ok' }],
      });
    });

    it.runIf(large)('accepts more packs than fit into one SQL value', async () => {
      const added = Array.from({ length: 2_500 }, () => samplePack());
      await commit([update('refs/heads/a', null, 1)], { addPacks: added });
      const held = added.map((pack) => pack.id);
      expect(await commit([update('refs/heads/b', null, 2)], { leansOn: held })).toMatchObject({ kind: 'done' });
      const lost = Array.from({ length: 60_000 }, () => samplePackId());
      for (const leansOn of [
        [...held, samplePackId()],
        [...held, ...lost],
      ]) {
        expect(await commit([update('refs/heads/c', null, 2)], { leansOn })).toEqual({ kind: 'packs changed' });
      }
    });

    it('stores the files of small packs, and returns the requested ones', async () => {
      const [one, two, stored] = [
        samplePack({ where: 'rows', files: files(1) }),
        samplePack({ where: 'rows', files: files(2) }),
        samplePack(),
      ];
      await commit([update('refs/heads/a', null, 1)], { addPacks: [one, two, stored] });
      expect(await packs()).toEqual([one, two, stored].map((pack, i) => keptPack(pack, i + 1)));
      const rows = await open(id).rowFiles([two.id, stored.id, samplePackId(), one.id], ['pack', 'graph']);
      const plain = rows.map(({ id: pack, file, bytes }) => `${pack} ${file} ${[...bytes].join(' ')}`).sort();
      expect(plain).toEqual(
        [`${one.id} graph `, `${one.id} pack 1 0 255`, `${two.id} graph `, `${two.id} pack 2 0 255`].sort(),
      );
      expect(await open(id).rowFiles([one.id], [])).toEqual([]);
    });

    it('stores a copy of the files', async () => {
      const bytes = files(1);
      const pack = samplePack({ where: 'rows', files: bytes });
      await commit([update('refs/heads/a', null, 1)], { addPacks: [pack] });
      bytes.pack.fill(9);
      (await open(id).rowFiles([pack.id], ['pack']))[0]?.bytes.fill(8);
      expect([...((await open(id).rowFiles([pack.id], ['pack']))[0]?.bytes ?? [])]).toEqual([1, 0, 255]);
    });

    it('refuses files too large for a row, and rows without files, as errors of the caller', async () => {
      const large = samplePack({ where: 'rows', files: { ...files(1), idx: new Uint8Array(1_900_000) } });
      await expect(commit([update('refs/heads/a', null, 1)], { addPacks: [large] })).rejects.toThrow(RangeError);
      await expect(
        commit([update('refs/heads/a', null, 1)], { addPacks: [samplePack({ where: 'rows' })] }),
      ).rejects.toThrow(RangeError);
      expect(await wholeState(open(id))).toMatchObject({ refs: [], packs: [] });
      const largest = samplePack({ where: 'rows', files: { ...files(1), idx: new Uint8Array(1_899_999).fill(7) } });
      await commit([update('refs/heads/a', null, 1)], { addPacks: [largest] });
      expect((await open(id).rowFiles([largest.id], ['idx']))[0]?.bytes.at(-1)).toBe(7);
    });

    it('refuses an existing pack without changes', async () => {
      const pack = samplePack();
      await commit([update('refs/heads/a', null, 1)], { addPacks: [pack] });
      const before = await open(id).snapshot();
      await expect(commit([update('refs/heads/a', 1, 2)], { addPacks: [pack] })).rejects.toThrow();
      expect(await open(id).snapshot()).toEqual(before);
    });

    describe('exact', () => {
      const first = (part: Partial<NewPack> = {}, updates = [update('refs/heads/a', null, 1)]) =>
        commit(updates, { addPacks: [samplePack(part)] });

      it('holds for the only pack while refs are created and move forward', async () => {
        await first();
        await commit([update('refs/heads/b', null, 1), update('refs/heads/a', 1, 2, true)]);
        expect(await exact()).toEqual([true]);
      });

      it('is not set without the claim of the change', async () => {
        await first({ exact: false });
        expect(await exact()).toEqual([false]);
      });

      it('needs every update of the push to apply', async () => {
        await first({}, [update('refs/heads/a', null, 1), update('refs/heads/b', 1, 2)]);
        expect(await exact()).toEqual([false]);
      });

      it('GIT-078: ends with a delete or a non-forward move', async () => {
        await first();
        await commit([update('refs/heads/b', null, 1)]);
        await commit([update('refs/heads/b', 1, null)]);
        expect(await exact()).toEqual([false]);
        id = sampleRepoId();
        await open(id).begin(sampleHead(id), sampleToken('t1'));
        await first();
        await commit([update('refs/heads/a', 1, 2, false)]);
        expect(await exact()).toEqual([false]);
      });

      it('GIT-078: ends with a delete, regardless of the claim of the change', async () => {
        await first();
        await commit([update('refs/heads/a', 1, null, true)]);
        expect(await exact()).toEqual([false]);
      });

      it('survives refused deletes and moves', async () => {
        await first();
        await commit([update('refs/heads/a', 7, null), update('refs/heads/b', 7, 2, false)]);
        await commit([update('refs/heads/a', 1, null), update('refs/heads/b', 7, 2)], { atomic: true });
        expect(await exact()).toEqual([true]);
      });

      it('ends for both packs when a second one is added', async () => {
        await first();
        await commit([update('refs/heads/b', null, 2)], { addPacks: [samplePack()] });
        expect(await exact()).toEqual([false, false]);
      });
    });
  });
}
