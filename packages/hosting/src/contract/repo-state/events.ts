import { eventBytesMax, RepoGoneError, type RecordedEvent } from '@packhouse/git';
import { eventOverhead, heldEventAge, idleQueueBytesMax, queueBytesMax } from '../../ports/outbox.ts';
import type { RepoHead } from '../../ports/repo-storage.ts';
import { describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { change, oid, sampleEvent, sampleHead, samplePackId, sampleRepoId, sampleToken, update } from './samples.ts';
import { wholeState } from '@packhouse/git/contract';

const ref = (name: string, old: number | null, next: number | null, event: RecordedEvent) => ({
  ...update(`refs/heads/${name}`, old, next),
  event,
});

export function testEvents(open: OpenState, large: boolean): void {
  describe('events', () => {
    const begun = async (part: Partial<RepoHead> = {}, births: readonly RecordedEvent[] = []) => {
      const id = sampleRepoId();
      await open(id).begin({ ...sampleHead(id), ...part }, sampleToken('t1'), births);
      return id;
    };
    const waiting = async (id: string) => (await open(id).pendingEvents(100)).events.map((event) => event.id);

    it('REPO-190: none wait in a new repository, or in a missing one', async () => {
      const nothing = { events: [], attempts: 0, due: 0 };
      expect(await open(await begun()).pendingEvents(9)).toEqual(nothing);
      expect(await open(sampleRepoId()).pendingEvents(9)).toEqual(nothing);
    });

    it('REPO-190: a push records those of each update that changes its ref, and of no other', async () => {
      const id = await begun();
      await open(id).commit(change([ref('a', null, 1, sampleEvent('e1')), ref('b', null, 1, sampleEvent('e2'))]));
      expect(await waiting(id)).toEqual(['e1', 'e2']);
      const outcome = await open(id).commit(
        change([
          ref('new', null, 2, sampleEvent('new')),
          ref('a', 1, 1, sampleEvent('same')),
          ref('b', 2, 3, sampleEvent('stale')),
          ref('gone', null, null, sampleEvent('nothing to delete')),
          ref('a/below', null, 3, sampleEvent('conflict')),
          update('refs/heads/quiet', null, 3),
        ]),
      );
      expect(outcome).toMatchObject({ updates: [{ kind: 'ok' }, { kind: 'ok' }, { kind: 'stale' }, {}, {}, {}] });
      expect(await waiting(id)).toEqual(['e1', 'e2', 'new']);
      await open(id).commit(change([ref('b', 1, null, sampleEvent('deleted'))]));
      expect(await waiting(id)).toEqual(['e1', 'e2', 'new', 'deleted']);
    });

    it('REPO-190: a push without an applied update has none', async () => {
      const id = await begun();
      const updates = [ref('a', null, 1, sampleEvent('e1')), ref('b', 7, 1, sampleEvent('e2'))];
      await open(id).commit(change(updates, { atomic: true }));
      await open(id).commit(change(updates, { leansOn: [samplePackId()] }));
      expect(await waiting(id)).toEqual([]);
    });

    it('REPO-190: a repeated push is recorded once', async () => {
      const id = await begun();
      const push = change([ref('a', null, 1, sampleEvent('e1'))]);
      expect(await open(id).commit(push)).toEqual(await open(id).commit(push));
      expect(await waiting(id)).toEqual(['e1']);
      await open(id).delivered(['e1']);
      await open(id).commit(push);
      expect(await waiting(id)).toEqual([]);
    });

    it('REPO-198: they are read in the order of the changes, whole and unchanged', async () => {
      const id = await begun();
      const made = [sampleEvent('first', { body: '{"ü":"\\u0000 💡"}' }), sampleEvent('second', { at: 5 })];
      await open(id).commit(change([ref('a', null, 1, made[0] as RecordedEvent)]));
      await open(id).record(made[1] as RecordedEvent);
      expect(await open(id).pendingEvents(9)).toEqual({
        events: made.map((event) => ({ ...event, held: false })),
        attempts: 0,
        due: 1_000,
      });
      expect((await open(id).pendingEvents(1)).events).toEqual([{ ...made[0], held: false }]);
    });

    it('REPO-190: an event that is recorded twice exists once', async () => {
      const id = await begun();
      expect(await open(id).record(sampleEvent('e1'))).toBe(true);
      expect(await open(id).record(sampleEvent('e1'))).toBe(true);
      expect(await waiting(id)).toEqual(['e1']);
    });

    it('REPO-197: a created or revoked token is recorded once', async () => {
      const id = await begun();
      const token = sampleToken('t2');
      await open(id).addToken(token, 1_000, 9, sampleEvent('made'));
      await open(id).addToken(token, 1_000, 9, sampleEvent('made again'));
      await open(id).revokeToken('t2', 1_500, sampleEvent('revoked'));
      await open(id).revokeToken('t2', 1_500, sampleEvent('revoked again'));
      await open(id).revokeToken('t1', 9_000, sampleEvent('expired'));
      await open(id).revokeToken('unknown', 1_500, sampleEvent('unknown'));
      expect(await waiting(id)).toEqual(['made', 'revoked']);
    });

    it('REPO-190: a delivered one is dropped, and the next one is due; unknown ids are ignored', async () => {
      const id = await begun();
      for (const [at, name] of ['e1', 'e2', 'e3'].entries())
        await open(id).record(sampleEvent(name, { at: 1_000 + at }));
      await open(id).retryEventsAt(7_000, 3);
      expect(await open(id).pendingEvents(1)).toMatchObject({ attempts: 3, due: 7_000 });
      await open(id).record(sampleEvent('e4'));
      await open(id).delivered(['unknown']);
      expect(await open(id).pendingEvents(1)).toMatchObject({ attempts: 3, due: 7_000 });
      await open(id).delivered(['e1', 'e2'], 99_000);
      expect(await open(id).pendingEvents(9)).toMatchObject({
        events: [{ id: 'e3' }, { id: 'e4' }],
        attempts: 0,
        due: 1_002,
      });
      await open(id).delivered(['e4', 'e3']);
      expect(await open(id).pendingEvents(9)).toMatchObject({ events: [], attempts: 0 });
      await open(id).retryEventsAt(7_000, 3);
      await open(id).record(sampleEvent('e5'));
      expect(await open(id).pendingEvents(9)).toMatchObject({ events: [{ id: 'e5' }], attempts: 0, due: 1_000 });
    });

    it('REPO-190: those of a new repository are held until it is published', async () => {
      const id = await begun({}, [sampleEvent('created'), sampleEvent('token')]);
      await open(id).begin(sampleHead(id), sampleToken('t1'), [sampleEvent('again')]);
      await open(id).commit(change([ref('a', null, 1, sampleEvent('pushed'))]));
      expect(await open(id).pendingEvents(9)).toMatchObject({
        events: [
          { id: 'created', held: true },
          { id: 'token', held: true },
          { id: 'pushed', held: false },
        ],
        due: 1_000 + heldEventAge,
      });
      await open(id).releaseEvents();
      expect(await open(id).pendingEvents(9)).toMatchObject({
        events: [
          { id: 'created', held: false },
          { id: 'token', held: false },
          { id: 'pushed', held: false },
        ],
        due: 1_000,
      });
      await open(id).retryEventsAt(9_000, 1);
      await open(id).releaseEvents();
      expect(await open(id).pendingEvents(1)).toMatchObject({ attempts: 1, due: 9_000 });
    });

    it('REPO-192: the import comes first, even if its token changed before', async () => {
      const id = await begun({ status: 'importing' });
      await open(id).revokeToken('t1', 1_500, sampleEvent('revoked', { at: 1_500 }));
      expect(await open(id).pendingEvents(9)).toMatchObject({ events: [{ id: 'revoked', held: true }] });
      // Called twice, as if the reply had been lost.
      const births = [sampleEvent('imported', { at: 2_000 }), sampleEvent('token')];
      for (let time = 0; time < 2; time++) await open(id).setStatus('ready', 'trunk', births);
      expect(await open(id).pendingEvents(9)).toMatchObject({
        events: ['imported', 'token', 'revoked'].map((name) => ({ id: name, held: true })),
        due: 2_000 + heldEventAge,
      });
      await open(id).setStatus('ready');
      await open(id).releaseEvents();
      await open(id).record(sampleEvent('later'));
      expect((await open(id).pendingEvents(9)).events.map((event) => [event.id, event.held])).toEqual(
        ['imported', 'token', 'revoked', 'later'].map((name) => [name, false]),
      );
    });

    it('REPO-198: publishing is idempotent, even if other events happened meanwhile', async () => {
      const id = await begun({ status: 'importing' });
      const births = [sampleEvent('imported'), sampleEvent('token')];
      await open(id).setStatus('ready', undefined, births);
      await open(id).record(sampleEvent('cloned'));
      await open(id).setStatus('ready', undefined, births);
      expect(await waiting(id)).toEqual(['imported', 'token', 'cloned']);
    });

    it('REPO-190: a deleted repository keeps waiting events and its deletion until they are delivered', async () => {
      const id = await begun({}, [sampleEvent('created')]);
      await open(id).record(sampleEvent('cloned'));
      await open(id).erase(sampleEvent('deleted'));
      await open(id).erase(sampleEvent('deleted again'));
      await expect(open(id).record(sampleEvent('late'))).rejects.toThrow(RepoGoneError);
      const { events } = await open(id).pendingEvents(9);
      expect(events.map((event) => [event.id, event.held])).toEqual(
        ['created', 'cloned', 'deleted'].map((name) => [name, false]),
      );
      expect(await open(id).forget()).toBe(false);
      await open(id).begin(sampleHead(id), sampleToken('t1'));
      await expect(open(id).snapshot()).rejects.toThrow(RepoGoneError);
      await open(id).retryEventsAt(5_000, 1);
      expect(await open(id).pendingEvents(1)).toMatchObject({ attempts: 1, due: 5_000 });
      await open(id).delivered(['created', 'cloned']);
      expect(await open(id).forget()).toBe(false);
      await open(id).delivered(['deleted'], 9e15);
      expect(await open(id).forget()).toBe(true);
      expect(await waiting(id)).toEqual([]);
    });

    it('REPO-190: a repository that never existed has no events, and is forgotten at once', async () => {
      const id = await begun({ status: 'forking' });
      await open(id).setStatus('ready', undefined, [sampleEvent('forked')]);
      // Recorded by a caller that knew of it before the catalog.
      await open(id).record(sampleEvent('cloned'));
      await open(id).erase();
      expect(await waiting(id)).toEqual([]);
      expect(await open(id).forget()).toBe(true);
      const never = sampleRepoId();
      await open(never).erase(sampleEvent('deleted'));
      expect(await waiting(never)).toEqual([]);
      expect(await open(never).forget()).toBe(true);
    });

    it('REPO-190: events without a listener do not keep a repository', async () => {
      const id = await begun();
      await open(id).erase(sampleEvent('deleted'));
      expect(await open(id).forget(true)).toBe(true);
      expect(await waiting(id)).toEqual([]);
    });

    it('REPO-011: repositories have separate events', async () => {
      const [one, two] = [await begun(), await begun()];
      await open(one).record(sampleEvent('e1'));
      await open(two).record(sampleEvent('e1', { body: '2' }));
      await open(one).delivered(['e1']);
      await open(one).erase(sampleEvent('deleted'));
      expect(await open(two).pendingEvents(9)).toMatchObject({ events: [{ id: 'e1', body: '2' }] });
    });

    it('REPO-191: accepts bodies up to the maximum, and reads at most 4 MiB together', async () => {
      const id = await begun();
      const largest = `"${'ü'.repeat(eventBytesMax / 2 - 1)}"`;
      for (const name of ['a', 'b', 'c', 'd', 'e']) await open(id).record(sampleEvent(name, { body: largest }));
      const { events } = await open(id).pendingEvents(9);
      expect(events.map((event) => event.id)).toEqual(['a', 'b', 'c', 'd']);
      expect(events.every(({ body }) => body === largest)).toBe(true);
      const tooLarge = sampleEvent('x', { body: `${largest} ` });
      await expect(open(id).record(tooLarge)).rejects.toThrow(RangeError);
      await expect(open(id).commit(change([ref('a', null, 1, tooLarge)]))).rejects.toThrow(RangeError);
      await expect(open(id).addToken(sampleToken('t2'), 0, 9, tooLarge)).rejects.toThrow(RangeError);
      expect(await wholeState(open(id))).toMatchObject({ refs: [] });
      expect((await open(id).pendingEvents(9)).events).toHaveLength(4);
    });

    it.runIf(large)(
      'REPO-190: if very many wait, clones are not recorded and pushes are refused; accepted ones are kept',
      async () => {
        const id = await begun();
        const body = 'x'.repeat(eventBytesMax);
        const pushed = async (round: number) => {
          const events = Array.from({ length: 5 }, (_, i) => sampleEvent(`${round}-${i}`, { body }));
          return (await open(id).commit(change(events.map((event) => ref(event.id, null, 1, event))))).kind;
        };
        const bytes = 5 * (eventBytesMax + eventOverhead);
        let round = 0;
        for (; round * bytes < idleQueueBytesMax; round++) {
          expect(await open(id).record(sampleEvent('clone'))).toBe(true);
          expect(await pushed(round)).toBe('done');
        }
        expect(await open(id).record(sampleEvent('another clone'))).toBe(false);
        for (; round * bytes < queueBytesMax; round++) expect(await pushed(round)).toBe('done');
        const push = change([ref('more', null, 1, sampleEvent('more'))]);
        expect(await open(id).commit(push)).toEqual({ kind: 'events full' });
        expect(await open(id).outcome(push.pushId)).toBeUndefined();
        expect(await open(id).commit(change([update('refs/heads/untold', null, 1)]))).toMatchObject({ kind: 'done' });
        await open(id).addToken(sampleToken('t2'), 0, 9, sampleEvent('token'));
        for (;;) {
          const { events } = await open(id).pendingEvents(100);
          if (events.length === 0) break;
          await open(id).delivered(events.map((event) => event.id));
          if (events.some((event) => event.id === 'token')) break;
        }
        expect(await open(id).commit(push)).toMatchObject({ kind: 'done' });
        expect((await wholeState(open(id))).refs.find(({ name }) => name === 'refs/heads/more')?.oid).toBe(oid(1));
        expect(await waiting(id)).toEqual(['more']);
      },
    );
  });
}
