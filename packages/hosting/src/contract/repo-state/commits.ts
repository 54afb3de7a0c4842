import { keyLifetime, type RefUpdate, type UpdateOutcome } from '@packhouse/git';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { change, oid, sampleHead, samplePack, sampleRepoId, sampleToken, update } from './samples.ts';
import { wholeState } from '@packhouse/git/contract';

export function testCommits(open: OpenState, large: boolean): void {
  describe('ref updates', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });

    const commit = async (updates: readonly RefUpdate[], atomic = false): Promise<readonly UpdateOutcome[]> => {
      const outcome = await open(id).commit(change(updates, { atomic }));
      return outcome.kind === 'done' ? outcome.updates : [];
    };
    const names = async () => (await wholeState(open(id))).refs.map((ref) => ref.name);
    const version = async () => (await open(id).snapshot())?.version;

    it('creates, moves and deletes; keeps kind and peeled value', async () => {
      expect(await commit([update('refs/heads/main', null, 1), update('refs/tags/v1', null, 3)])).toEqual([
        { kind: 'ok' },
        { kind: 'ok' },
      ]);
      expect((await wholeState(open(id))).refs).toEqual([
        { name: 'refs/heads/main', ...update('', null, 1).new },
        { name: 'refs/tags/v1', ...update('', null, 3).new },
      ]);
      await commit([update('refs/heads/main', 1, 2), update('refs/tags/v1', 3, null)]);
      expect((await wholeState(open(id))).refs).toEqual([{ name: 'refs/heads/main', ...update('', null, 2).new }]);
    });

    it('sorts refs bytewise by UTF-8, also beyond U+FFFF', async () => {
      const sorted = [
        'refs/heads/Z',
        'refs/heads/a',
        'refs/heads/a-b',
        'refs/heads/a0',
        'refs/heads/ä',
        'refs/heads/\ue000',
        'refs/heads/\u{1d4b3}',
      ];
      await commit(sorted.toReversed().map((name) => update(name, null, 1)));
      expect(await names()).toEqual(sorted);
    });

    it('GIT-125: a wrong old value is stale and changes nothing', async () => {
      await commit([update('refs/heads/main', null, 1)]);
      const before = await open(id).snapshot();
      const wrong = [
        update('refs/heads/main', 2, 4),
        update('refs/heads/none', 1, 2),
        update('refs/heads/none2', 1, null),
      ];
      expect(await commit(wrong)).toEqual([{ kind: 'stale' }, { kind: 'stale' }, { kind: 'stale' }]);
      expect(await commit([update('refs/heads/main', null, 4)])).toEqual([{ kind: 'stale' }]);
      expect(await open(id).snapshot()).toEqual(before);
    });

    it('GIT-125: an update to the same value is ok, changes nothing and adds no pack', async () => {
      await commit([update('refs/heads/main', null, 1)]);
      const before = await open(id).snapshot();
      const outcome = await open(id).commit(
        change([update('refs/heads/main', 1, 1, false), update('refs/heads/x', null, null)], {
          addPacks: [samplePack()],
        }),
      );
      expect(outcome).toEqual({ kind: 'done', version: before?.version, updates: [{ kind: 'ok' }, { kind: 'ok' }] });
      expect(await open(id).snapshot()).toEqual(before);
    });

    it('increments the version with each change', async () => {
      const start = (await version()) ?? 0;
      await commit([update('refs/heads/a', null, 1), update('refs/heads/b', null, 1)]);
      await commit([update('refs/heads/a', 1, 2)]);
      await commit([update('refs/heads/a', 1, 2)]);
      expect(await version()).toBe(start + 2);
    });

    it('GIT-152: without atomic, each update is independent', async () => {
      expect(await commit([update('refs/heads/a', 1, 2), update('refs/heads/b', null, 1)])).toEqual([
        { kind: 'stale' },
        { kind: 'ok' },
      ]);
      expect(await names()).toEqual(['refs/heads/b']);
    });

    it('GIT-151: with atomic, one refused update holds back all, and each refused one keeps its reason', async () => {
      await commit([update('refs/heads/a', null, 1), update('refs/heads/d', null, 1), update('refs/heads/m', null, 1)]);
      const before = await open(id).snapshot();
      const updates = [
        update('refs/heads/a', 1, null),
        update('refs/heads/b', null, 1),
        update('refs/heads/d/e', null, 1),
        update('refs/heads/m', 1, 2),
        update('refs/heads/x', 1, 2),
      ];
      expect(await commit(updates, true)).toEqual([
        { kind: 'held back' },
        { kind: 'held back' },
        { kind: 'conflict', with: 'refs/heads/d' },
        { kind: 'held back' },
        { kind: 'stale' },
      ]);
      expect(await open(id).snapshot()).toEqual(before);
      expect(
        await commit(
          updates.filter((_, i) => i !== 2 && i !== 4),
          true,
        ),
      ).toEqual([{ kind: 'ok' }, { kind: 'ok' }, { kind: 'ok' }]);
      expect(await names()).toEqual(['refs/heads/b', 'refs/heads/d', 'refs/heads/m']);
    });

    it('GIT-124: no ref is a leading path of another', async () => {
      await commit([update('refs/heads/a/b', null, 1)]);
      expect(await commit([update('refs/heads/a', null, 1)])).toEqual([{ kind: 'conflict', with: 'refs/heads/a/b' }]);
      expect(await commit([update('refs/heads/a/b/c/d', null, 1)])).toEqual([
        { kind: 'conflict', with: 'refs/heads/a/b' },
      ]);
      const neighbours = [
        'refs/heads/a-',
        'refs/heads/a.',
        'refs/heads/a0',
        'refs/heads/a/b-c',
        'refs/heads/a/b0',
        'refs/heads/a%',
        'refs/heads/a_',
      ];
      expect(await commit(neighbours.map((name) => update(name, null, 1)))).toEqual(
        neighbours.map(() => ({ kind: 'ok' })),
      );
    });

    it('GIT-124: nor within one change, in which the first wins', async () => {
      expect(await commit([update('refs/heads/a', null, 1), update('refs/heads/a/b', null, 1)])).toEqual([
        { kind: 'ok' },
        { kind: 'conflict', with: 'refs/heads/a' },
      ]);
      expect(await commit([update('refs/heads/x/y', null, 1), update('refs/heads/x', null, 1)], true)).toEqual([
        { kind: 'held back' },
        { kind: 'conflict', with: 'refs/heads/x/y' },
      ]);
      expect(await names()).toEqual(['refs/heads/a']);
    });

    it('GIT-124: deleting one and creating the other in one change works, in any order', async () => {
      await commit([update('refs/heads/a', null, 1)]);
      expect(await commit([update('refs/heads/a/b', null, 1), update('refs/heads/a', 1, null)])).toEqual([
        { kind: 'ok' },
        { kind: 'ok' },
      ]);
      expect(await commit([update('refs/heads/a/b', 1, null), update('refs/heads/a', null, 1)], true)).toEqual([
        { kind: 'ok' },
        { kind: 'ok' },
      ]);
      expect(await names()).toEqual(['refs/heads/a']);
      expect(await commit([update('refs/heads/a', 9, null), update('refs/heads/a/b', null, 1)])).toEqual([
        { kind: 'stale' },
        { kind: 'conflict', with: 'refs/heads/a' },
      ]);
    });

    it('refuses two updates of one ref as an error of the caller', async () => {
      await expect(commit([update('refs/heads/a', null, 1), update('refs/heads/a', null, 2)])).rejects.toThrow(
        RangeError,
      );
      expect(await names()).toEqual([]);
    });

    it('GIT-155: returns the recorded outcome for a repeated push id', async () => {
      const push = change([update('refs/heads/a', null, 1), update('refs/heads/b', 1, 2)]);
      const first = await open(id).commit(push);
      await commit([update('refs/heads/a', 1, 2)]);
      expect(await open(id).commit(push)).toEqual(first);
      expect(await open(id).outcome(push.pushId)).toEqual(first);
      expect(await open(id).outcome('another')).toBeUndefined();
      expect((await wholeState(open(id))).refs).toMatchObject([{ name: 'refs/heads/a', oid: update('', 2, null).old }]);
    });

    it('remembers an outcome for 10 minutes, but not much longer', async () => {
      const push = change([update('refs/heads/a', null, 1)]);
      await open(id).commit(push);
      await open(id).commit(change([], { at: push.at + 599_000 }));
      expect(await open(id).outcome(push.pushId)).toBeDefined();
      await open(id).commit(change([], { at: push.at + 601_000 }));
      expect(await open(id).outcome(push.pushId)).toBeUndefined();
    });

    it.runIf(large)(
      'LIM-054, LIM-055: accepts 10,000 updates of the longest names, and recalls their outcome',
      async () => {
        const long = (i: number) => `refs/heads/${String(i).padStart(5, '0')}/${'é'.repeat(503)}`;
        const creations = Array.from({ length: 10_000 }, (_, i) => update(long(i), null, i));
        expect((await commit(creations)).filter((outcome) => outcome.kind === 'ok')).toHaveLength(10_000);
        expect((await wholeState(open(id))).refs).toHaveLength(10_000);
        const conflicting = change(creations.map(({ name }) => update(`${name}/x`, null, 1)));
        const outcome = await open(id).commit(conflicting);
        expect(outcome).toMatchObject({ updates: expect.arrayContaining([{ kind: 'conflict', with: long(9_999) }]) });
        expect(await open(id).outcome(conflicting.pushId)).toEqual(outcome);
      },
    );

    it('GIT-157: exactly one of concurrent changes to a ref wins; those to different refs all win', async () => {
      await commit([update('refs/heads/main', null, 1)]);
      const racing = Array.from({ length: 20 }, (_, i) =>
        commit([update('refs/heads/main', 1, 10 + i), update(`refs/heads/b${i}`, null, 1)]),
      );
      const outcomes = await Promise.all(racing);
      expect(outcomes.filter(([main]) => main?.kind === 'ok')).toHaveLength(1);
      expect(outcomes.filter(([main]) => main?.kind === 'stale')).toHaveLength(19);
      expect(outcomes.every(([, own]) => own?.kind === 'ok')).toBe(true);
      expect(await names()).toHaveLength(21);
    });
  });

  describe('uploaded blobs and keys', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
    });

    it('REPO-258: records uploads with their pack and without a push, until they are forgotten', async () => {
      const pack = samplePack();
      const before = await open(id).snapshot();
      const uploaded = [oid(1), oid(2)];
      await open(id).commit(change([], { at: 5, addPacks: [pack], uploaded }));
      const after = await open(id).snapshot();
      expect([after?.packs.map((one) => one.id), after?.version]).toEqual([[pack.id], (before?.version ?? 0) + 1]);
      expect(await open(id).lastPush()).toBeUndefined();
      await open(id).commit(change([], { at: 7, uploaded: [oid(2)] }));
      expect((await open(id).uploadedBlobs([oid(3), oid(2), oid(1)])).toSorted()).toEqual(uploaded);
      expect(await open(id).uploadedBlobs([])).toEqual([]);
      await open(id).forgetTips(7);
      expect(await open(id).uploadedBlobs(uploaded)).toEqual([oid(2)]);
      await open(id).erase();
      expect(await open(id).forget(true)).toBe(true);
    });

    it('REPO-259, LIM-039: makes the change of a key once, and remembers its result for a day', async () => {
      const at = 2_000_000_000_000;
      const keyed = (result: string) => ({ key: 'k', result });
      const commit = (old: number | null, next: number, when: number, result: string) =>
        open(id).commit(change([update('refs/heads/main', old, next)], { at: when, keyed: keyed(result) }));
      expect(await commit(9, 1, at, 'refused')).toMatchObject({ updates: [{ kind: 'stale' }] });
      expect(await open(id).keyedResult('k', at)).toBeUndefined();
      expect(await commit(null, 1, at, 'first')).toMatchObject({ kind: 'done' });
      expect(await commit(1, 2, at + 1, 'second')).toEqual({ kind: 'repeated', result: 'first' });
      expect(await open(id).keyedResult('k', at + keyLifetime - 1)).toBe('first');
      expect(await open(id).keyedResult('k', at + keyLifetime)).toBeUndefined();
      expect(await commit(1, 2, at + keyLifetime, 'later')).toMatchObject({ kind: 'done' });
      expect(await open(id).keyedResult('k', at + keyLifetime)).toBe('later');
      const outcome = change([update('refs/heads/x', null, 1)], {
        at: at + keyLifetime,
        keyed: { key: 'x', result: 'x' },
      });
      const first = await open(id).commit(outcome);
      expect(await open(id).commit(outcome)).toEqual(first);
    });
  });
}
