import type { NewPack, PackRecord, PackReplacement, RepoSnapshot } from '@packhouse/git';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import {
  change,
  keptPack,
  replacement,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  update,
} from './samples.ts';
import { wholeState } from '@packhouse/git/contract';

export function testReplacing(open: OpenState): void {
  describe('packs that are replaced', () => {
    let id: string;
    let pushes: number;
    beforeEach(async () => {
      id = sampleRepoId();
      pushes = 0;
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });

    const snapshot = async () => (await open(id).snapshot()) as RepoSnapshot;
    const packs = async () => (await snapshot()).packs;
    const ids = async () => (await packs()).map((pack) => pack.id);
    const push = (...addPacks: readonly NewPack[]) =>
      open(id).commit(change([update(`refs/heads/b${pushes++}`, null, 1)], { addPacks }));
    const replace = (given: PackReplacement) => open(id).replacePacks(given);
    const filesOf = (byte: number) => ({
      pack: Uint8Array.of(byte),
      idx: Uint8Array.of(byte, 1),
      graph: Uint8Array.of(byte, 2),
    });
    const inRows = (byte: number, part: Partial<NewPack> = {}): NewPack => {
      return samplePack({ where: 'rows', packSize: 1, files: filesOf(byte), ...part });
    };
    const byteOf = async (pack: NewPack) => (await open(id).rowFiles([pack.id], ['pack']))[0]?.bytes[0];

    describe('take their place', () => {
      it('at the position of the newest, with separate sizes', async () => {
        const [one, two, three, four] = [samplePack(), samplePack(), samplePack(), samplePack()];
        for (const pack of [one, two, three, four]) await push(pack);
        const before = await snapshot();
        const merged = { ...samplePack({ objects: 9, packSize: 2 ** 40, idxSize: 8, graphSize: 7, after: 1 }), at: 77 };
        expect(await replace(replacement([two.id, three.id], merged))).toBe('done');
        expect(await snapshot()).toEqual({
          ...before,
          version: before.version + 1,
          packs: [keptPack(one, 1), keptPack(merged, 3, { at: 77 }), keptPack(four, 4)],
        });
        expect(await open(id).storedBytes()).toBe(2 ** 40 + 8 + 7 + 2 * (300 + 1_100 + 50));
      });

      it('regardless of the order of ids', async () => {
        const [one, two, three] = [samplePack(), samplePack(), samplePack()];
        await push(one, two, three);
        const merged = samplePack();
        expect(await replace(replacement([three.id, one.id, two.id], merged))).toBe('done');
        expect(await packs()).toEqual([keptPack(merged, 3, { at: 0 })]);
      });

      it('in rows, whether the replaced ones were or not', async () => {
        const [stored, rows] = [samplePack(), inRows(1)];
        await push(stored, rows);
        const merged = inRows(2);
        await replace(replacement([stored.id, rows.id], merged));
        expect(await packs()).toMatchObject([{ id: merged.id, where: 'rows' }]);
        expect(await byteOf(merged)).toBe(2);
      });

      it('or without a new pack', async () => {
        const [one, two, three] = [samplePack(), samplePack(), samplePack()];
        await push(one, two, three);
        const { version } = await snapshot();
        expect(await replace(replacement([two.id], undefined, { ifVersion: version }))).toBe('done');
        expect(await ids()).toEqual([one.id, three.id]);
      });

      it('and positions are not reused, even if the newest pack was replaced by nothing', async () => {
        const [one, two, three] = [samplePack(), samplePack(), samplePack()];
        await push(one, two);
        const { version } = await snapshot();
        await replace(replacement([one.id, two.id], undefined, { ifVersion: version }));
        await open(id).forgetPacks([one.id, two.id]);
        await push(three);
        expect(await packs()).toMatchObject([{ id: three.id, position: 3 }]);
      });

      it('even if there are more than fit into one SQL value', async () => {
        const many = Array.from({ length: 2_500 }, () => samplePack());
        await push(...many);
        const merged = samplePack();
        expect(
          await replace(
            replacement(
              many.slice(1).map((pack) => pack.id),
              merged,
            ),
          ),
        ).toBe('done');
        expect(await ids()).toEqual([many[0]?.id, merged.id]);
        expect(await open(id).retiredPacks()).toHaveLength(2_499);
        await open(id).forgetPacks(many.map((pack) => pack.id));
        expect(await open(id).retiredPacks()).toEqual([]);
        expect(await ids()).toEqual([many[0]?.id, merged.id]);
      });
    });

    describe('exact', () => {
      const exactly = async (remove: readonly NewPack[], exact = true) => {
        const { version } = await snapshot();
        const given = replacement(
          remove.map((pack) => pack.id),
          samplePack(),
          { ifVersion: version },
        );
        return replace({ ...given, add: { ...samplePack({ exact }), at: 0 } });
      };
      const exact = async () => (await packs()).map((pack) => pack.exact);

      it('GIT-078: holds for a replacement of all packs, until a ref moves back', async () => {
        const [one, two] = [samplePack(), samplePack()];
        await push(one, two);
        expect(await exactly([one, two])).toBe('done');
        expect(await exact()).toEqual([true]);
        await open(id).commit(change([update('refs/heads/b0', 1, 2, false)]));
        expect(await exact()).toEqual([false]);
      });

      it('GIT-078: never holds next to another pack, nor without the claim of the caller', async () => {
        const [one, two] = [samplePack(), samplePack()];
        await push(one, two);
        await exactly([one]);
        expect(await exact()).toEqual([false, false]);
        await exactly((await packs()) as readonly NewPack[], false);
        expect(await exact()).toEqual([false]);
      });
    });

    describe('change nothing', () => {
      let held: readonly [NewPack, NewPack, NewPack];
      let before: RepoSnapshot;
      beforeEach(async () => {
        held = [samplePack(), inRows(5), samplePack()];
        await push(...held);
        before = await snapshot();
      });
      const expectUnchanged = async () => {
        expect(await snapshot()).toEqual(before);
        expect(await open(id).retiredPacks()).toEqual([]);
      };

      it('if one of them is no longer in the manifest', async () => {
        const [one, two] = held;
        expect(await replace(replacement([one.id, samplePackId()], samplePack()))).toBe('packs changed');
        expect(await replace(replacement([samplePackId(), two.id], samplePack()))).toBe('packs changed');
        await expectUnchanged();
      });

      it('if the version differs; the same id may retry with the right one', async () => {
        const given = replacement([held[0].id], undefined, { ifVersion: before.version - 1 });
        expect(await replace(given)).toBe('version changed');
        await expectUnchanged();
        expect(await replace({ ...given, ifVersion: before.version })).toBe('done');
      });

      it('if the rules are violated, which is an error of the caller', async () => {
        const [one, two, three] = held;
        const [{ version }, add] = [before, { ...samplePack({ exact: false }), at: 0 }];
        const large = inRows(1, { files: { ...filesOf(1), pack: new Uint8Array(1_900_000) } });
        const faults: readonly (readonly [what: string, given: PackReplacement])[] = [
          ['no pack', replacement([], add)],
          ['one twice', replacement([one.id, one.id], add)],
          ['no neighbours', replacement([one.id, three.id], add)],
          ['nothing left, of no version', replacement([one.id])],
          [
            'nothing left, and nothing left out',
            replacement([one.id], undefined, { leavesOut: false, ifVersion: version }),
          ],
          ['something left out, of no version', replacement([one.id], add, { leavesOut: true })],
          ['exact, of no version', replacement([one.id], undefined, { add: { ...add, exact: true } })],
          ['rows without files', replacement([one.id], { ...add, where: 'rows' })],
          ['a file too large for a row', replacement([one.id], large)],
        ];
        for (const [what, given] of faults) await expect(replace(given), what).rejects.toThrow(RangeError);
        await expectUnchanged();
        expect(await replace(replacement([two.id], undefined, { ifVersion: version }))).toBe('done');
      });
    });

    describe('once', () => {
      it('GIT-155: a repeated call returns the outcome of the first one, and changes nothing', async () => {
        const [one, two] = [samplePack(), samplePack()];
        await push(one, two);
        const given = replacement([one.id, two.id], samplePack());
        expect(await replace(given)).toBe('done');
        const before = await snapshot();
        expect(await replace(given)).toBe('done');
        await push(samplePack());
        expect(await replace(given)).toBe('done');
        expect((await packs()).slice(0, 1)).toEqual(before.packs);
        const { version } = await snapshot();
        const dropped = replacement([one.id], undefined, {
          ifVersion: version,
          remove: [before.packs[0]?.id as never],
        });
        expect(await replace(dropped)).toBe('done');
        expect(await replace(dropped)).toBe('done');
      });

      it('even after its record expired, while the added pack exists', async () => {
        const [one, two] = [samplePack(), samplePack()];
        await push(one);
        const given = replacement([one.id], two);
        await replace(given);
        await open(id).commit(change([], { at: given.at + 601_000 }));
        expect(await replace(given)).toBe('done');
        await replace(replacement([two.id], samplePack()));
        await open(id).commit(change([], { at: given.at + 1_300_000 }));
        expect(await replace(given)).toBe('done');
      });

      it('GIT-157: exactly one of concurrent replacements of a pack is done, and concurrent pushes all succeed', async () => {
        const held = Array.from({ length: 6 }, () => samplePack());
        await push(...held);
        const outcomes = await Promise.all(
          held.slice(1).map(async (pack, i) => {
            await push(samplePack());
            return replace(replacement([(held[i] as NewPack).id, pack.id], samplePack()));
          }),
        );
        // Replacements of adjacent pairs: those that share a pack exclude each other.
        outcomes.forEach((outcome, i) => {
          if (outcome !== 'done') expect([outcomes[i - 1], outcomes[i + 1]]).toContain('done');
          else expect(outcomes[i + 1]).not.toBe('done');
        });
        const done = outcomes.filter((outcome) => outcome === 'done').length;
        expect(await packs()).toHaveLength(6 - done + 5);
        expect((await wholeState(open(id))).refs).toHaveLength(6);
      });
    });

    describe('GIT-157: are leaned on', () => {
      let old: readonly [NewPack, NewPack, NewPack];
      let merged: NewPack;
      beforeEach(async () => {
        old = [samplePack(), inRows(2), samplePack()];
        await push(...old);
        merged = samplePack();
        expect(await replace(replacement([old[0].id, old[1].id], merged))).toBe('done');
      });
      const lean = async (...on: readonly NewPack[]) => {
        const addPacks = [samplePack({ after: 3 })];
        const leansOn = on.map((pack) => pack.id);
        return (await open(id).commit(change([update(`refs/heads/b${pushes++}`, null, 1)], { leansOn, addPacks })))
          .kind;
      };
      const leaveOut = async (remove: readonly NewPack[], add: NewPack | undefined = samplePack()) => {
        const { version } = await snapshot();
        const removed = remove.map((pack) => pack.id);
        expect(await replace(replacement(removed, add, { leavesOut: true, ifVersion: version }))).toBe('done');
      };

      it('while all their objects exist', async () => {
        expect(await lean(...old)).toBe('done');
        expect(await replace(replacement([merged.id, old[2].id], samplePack()))).toBe('done');
        expect(await lean(...old, merged)).toBe('done');
        // A pack that leans on them must come after their replacement.
        expect((await packs()).map(({ position, after }) => [position, after])).toEqual([
          [3, 0],
          [4, 3],
          [5, 3],
        ]);
      });

      it('even if their replacement is exact', async () => {
        const { version } = await snapshot();
        const exact = { ...samplePack(), at: 0, exact: true };
        const given = replacement([merged.id, old[2].id], undefined, {
          add: exact,
          leavesOut: false,
          ifVersion: version,
        });
        expect(await replace(given)).toBe('done');
        expect((await packs()).map((pack) => pack.exact)).toEqual([true]);
        expect(await lean(...old, merged)).toBe('done');
        expect((await packs()).map((pack) => pack.exact)).toEqual([false, false]);
      });

      it('until something is left out, with them, with their replacement, or elsewhere', async () => {
        await leaveOut([merged, old[2]]);
        for (const pack of [...old, merged]) expect(await lean(pack)).toBe('packs changed');
        const next = (await packs())[0] as PackRecord;
        expect(await replace(replacement([next.id], samplePack()))).toBe('done');
        // The new pack is complete, and stays so.
        expect(await lean(next)).toBe('done');
        expect(await lean(next, old[0])).toBe('packs changed');
        await leaveOut([(await packs()).at(-1) as PackRecord], undefined);
        expect(await lean(next)).toBe('packs changed');
      });

      it('while in the manifest, regardless of other packs', async () => {
        await leaveOut([old[2]]);
        expect(await lean(merged)).toBe('done');
        expect(await lean(old[0])).toBe('packs changed');
      });

      it('until they are dropped', async () => {
        await open(id).forgetPacks([old[0].id]);
        expect(await lean(old[1])).toBe('done');
        expect(await lean(old[0], old[1])).toBe('packs changed');
        expect(await lean(old[2], samplePack())).toBe('packs changed');
      });

      it('and a replacement without effect left nothing out', async () => {
        const given = replacement([old[2].id], undefined, { ifVersion: 1 });
        expect(await replace(given)).toBe('version changed');
        expect(await lean(old[0])).toBe('done');
      });
    });

    describe('are retired', () => {
      it('GIT-153: until they are dropped, in their order, with their rows and members', async () => {
        const [one, two, three, four] = [inRows(1), samplePack(), inRows(3), inRows(4)];
        for (const pack of [one, two, three, four]) await push(pack);
        const records = await packs();
        await replace(replacement([two.id, three.id], samplePack(), { at: 3_000_000 }));
        await replace(replacement([one.id], samplePack(), { at: 2_000_000 }));
        const at = (place: number, time: number) => ({ pack: records[place] as PackRecord, at: time });
        expect(await open(id).retiredPacks()).toEqual([at(0, 2_000_000), at(1, 3_000_000), at(2, 3_000_000)]);
        expect([await byteOf(one), await byteOf(three)]).toEqual([1, 3]);
        const before = await snapshot();
        await open(id).forgetPacks([one.id, two.id, four.id, samplePackId()]);
        expect(await open(id).retiredPacks()).toEqual([at(2, 3_000_000)]);
        expect([await byteOf(one), await byteOf(three), await byteOf(four)]).toEqual([undefined, 3, 4]);
        await open(id).forgetPacks([one.id, three.id]);
        await open(id).forgetPacks([]);
        expect(await open(id).retiredPacks()).toEqual([]);
        expect(await snapshot()).toEqual(before);
      });

      it('and cannot be replaced or added again', async () => {
        const [old, next] = [inRows(1), samplePack()];
        await push(old);
        await replace(replacement([old.id], next));
        const before = await snapshot();
        expect(await replace(replacement([old.id], samplePack()))).toBe('packs changed');
        await expect(push(old)).rejects.toThrow();
        expect(await snapshot()).toEqual(before);
        expect(await byteOf(old)).toBe(1);
      });

      it('LIM-050: and do not count as storage of the repository', async () => {
        const [one, two] = [samplePack({ packSize: 5 }), samplePack({ packSize: 7 })];
        await push(one, two);
        await replace(replacement([one.id, two.id], samplePack({ packSize: 9 })));
        expect(await open(id).storedBytes()).toBe(9 + 1_100 + 50);
      });

      it('GIT-159: and do not count as a push', async () => {
        const one = samplePack();
        await push(one);
        const last = await open(id).lastPush();
        await replace(replacement([one.id], samplePack()));
        expect((await open(id).lastPush())?.at).toBe(last?.at);
      });

      it('GIT-154: only in their own repository', async () => {
        const other = sampleRepoId();
        await open(other).begin(sampleHead(other), sampleToken('t1'));
        const pack = inRows(1);
        await push(pack);
        expect(await open(other).replacePacks(replacement([pack.id], samplePack()))).toBe('packs changed');
        await replace(replacement([pack.id], samplePack()));
        await open(other).forgetPacks([pack.id]);
        expect(await open(other).retiredPacks()).toEqual([]);
        await open(other).erase();
        expect(await open(id).retiredPacks()).toMatchObject([{ pack: { id: pack.id } }]);
        expect(await byteOf(pack)).toBe(1);
      });
    });
  });
}
