import type { QueuedRepo } from '@packhouse/hosting';
import { change, sampleEvent, sampleHead, sampleRepoId, sampleToken, update } from '@packhouse/hosting/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';

/** A database with any number of repositories. */
export interface EventQueuesFixture {
  /** @param recorded called when new events may be due. */
  open(id: string, recorded: () => void): MaintainedRepoState;
  due(now: number, limit: number): Promise<readonly QueuedRepo[]>;
  forgetKept(now: number): Promise<void>;
  /** Returns the bodies of all stored events of a repository. */
  bodies(id: string): Promise<readonly string[]>;
  close(): void | Promise<void>;
}

/** Tests how an adapter finds the events of all repositories that are due. Each test starts with an empty database. */
export function testEventQueues(adapter: string, make: () => EventQueuesFixture | Promise<EventQueuesFixture>): void {
  describe(`queues of events: ${adapter}`, () => {
    let fixture: EventQueuesFixture;
    let told: number;
    const [r1, r2, r3] = [sampleRepoId(), sampleRepoId(), sampleRepoId()];
    const open = (id: string) => fixture.open(id, () => void told++);
    beforeEach(async () => {
      fixture = await make();
      for (const id of [r1, r2, r3]) await open(id).begin(sampleHead(id), sampleToken('t1'));
      told = 0;
    });
    afterEach(() => fixture.close());

    it('REPO-190: are due, longest first, until they are empty, even for erased repositories', async () => {
      const due = async (now: number, limit = 9) => (await fixture.due(now, limit)).map(({ id }) => id);
      expect(await due(9e15)).toEqual([]);
      await open(r1).record(sampleEvent('late', { at: 3_000 }));
      await open(r2).record(sampleEvent('early', { at: 1_000 }));
      await open(r3).erase(sampleEvent('deleted', { at: 2_000 }));
      expect(await due(999)).toEqual([]);
      expect(await fixture.due(9_000, 9)).toEqual([r2, r3, r1].map((id) => ({ account: 'a1', id })));
      expect(await due(9_000, 1)).toEqual([r2]);
      await open(r2).retryEventsAt(8_000, 1);
      await open(r3).delivered(['deleted']);
      expect(await due(7_999)).toEqual([r1]);
      expect(await due(8_000)).toEqual([r1, r2]);
    });

    it('keep delivered events for their retention, once', async () => {
      for (const id of [r1, r2]) await open(id).record(sampleEvent('e1'));
      await open(r1).delivered(['e1'], 5_000);
      await open(r2).delivered(['e1']);
      await open(r1).delivered(['e1'], 9_000);
      await fixture.forgetKept(4_999);
      expect([await fixture.bodies(r1), await fixture.bodies(r2)]).toEqual([[sampleEvent('e1').body], []]);
      await fixture.forgetKept(5_000);
      expect(await fixture.bodies(r1)).toEqual([]);
    });

    it('keep them even if their repository is forgotten', async () => {
      await open(r1).erase(sampleEvent('deleted'));
      await open(r1).delivered(['deleted'], 5_000);
      expect(await open(r1).forget()).toBe(true);
      expect(await fixture.bodies(r1)).toEqual([sampleEvent('deleted').body]);
      await fixture.forgetKept(5_000);
      expect(await fixture.bodies(r1)).toEqual([]);
    });

    it('REPO-190: do not exist for a delivered event that is recorded again during its retention', async () => {
      await open(r1).record(sampleEvent('e1'));
      await open(r1).delivered(['e1'], 5_000);
      await open(r1).record(sampleEvent('e1'));
      expect(await fixture.due(9e15, 9)).toEqual([]);
    });

    it('REPO-190: notify the listener of each change with an event, and of no other', async () => {
      const event = sampleEvent('e1');
      await open(r1).commit(change([update('refs/heads/a', null, 1)]));
      await open(r1).addToken(sampleToken('t2'), 0, 9);
      await open(r1).revokeToken('t2', 0);
      await open(r1).setStatus('ready');
      expect(told).toBe(0);
      await open(r1).commit(change([{ ...update('refs/heads/b', null, 1), event }]));
      await open(r1).record(event);
      await open(r1).addToken(sampleToken('t3'), 0, 9, event);
      await open(r1).revokeToken('t3', 0, event);
      await open(r1).setStatus('ready', undefined, [event]);
      await open(r1).releaseEvents();
      await open(r1).erase(event);
      const created = sampleRepoId();
      await open(created).begin(sampleHead(created), sampleToken('t1'), [event]);
      expect(told).toBe(8);
    });
  });
}
