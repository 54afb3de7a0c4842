import { describe, expect, it, vi } from 'vitest';
import type { RecordedEvent } from '@packhouse/git';
import type { DeliveredEvent, OnEvent } from '../ports/on-event.ts';
import { heldEventAge, type Outbox, type PendingEvent } from '../ports/outbox.ts';
import { deliverEvents, EventDeliveryError, type EventDelivery } from './deliver-events.ts';

const day = 86_400_000;

/** A queue in memory, and a listener that fails for the ids in `failing`. */
function world(part: Partial<EventDelivery> = {}) {
  let now = 1_000;
  let waiting: PendingEvent[] = [];
  let [attempts, due, isPublished] = [0, 0, true];
  const kept: [string, number | undefined][] = [];
  const reported: unknown[] = [];
  const taken: DeliveredEvent[] = [];
  const failing = new Set<string>();
  const plan = (): void => {
    const [first] = waiting;
    attempts = 0;
    due = first === undefined ? 0 : first.at + (first.held ? heldEventAge : 0);
  };
  const outbox: Outbox = {
    record: async () => true,
    async releaseEvents() {
      waiting = waiting.map((event) => ({ ...event, held: false }));
      plan();
    },
    pendingEvents: async (limit) => ({ events: waiting.slice(0, limit), attempts, due }),
    async delivered(ids, keepUntil) {
      kept.push(...ids.map((id): [string, number | undefined] => [id, keepUntil]));
      waiting = waiting.filter(({ id }) => !ids.includes(id));
      plan();
    },
    async retryEventsAt(at, count) {
      [due, attempts] = [at, count];
    },
  };
  const onEvent: OnEvent = async (event) => {
    if (failing.has(event.id)) throw new Error(`no ${event.id}`);
    taken.push(event);
  };
  const delivery: EventDelivery = {
    repoId: 'r1',
    outbox,
    isPublished: async () => isPublished,
    onEvent,
    subscription: 's1',
    retryFor: 3 * day,
    keepFor: 0,
    clock: { now: () => now },
    report: (error) => void reported.push(error),
    signal: new AbortController().signal,
    ...part,
  };
  return {
    deliver: () => deliverEvents(delivery),
    add(id: string, { held = false, at = now }: { held?: boolean; at?: number } = {}) {
      waiting.push({ ...sample(id, at), held });
      if (waiting.length === 1) plan();
    },
    ids: () => taken.map(({ id }) => id),
    waiting: () => waiting.map(({ id }) => id),
    taken,
    kept,
    reported,
    failing,
    publish: (value: boolean) => void (isPublished = value),
    pass: (milliseconds: number) => void (now += milliseconds),
  };
}

function sample(id: string, at: number): RecordedEvent {
  const body = {
    type: 'repos.repo.created',
    source: { type: 'repos', namespace: 'default', repoName: 'notes' },
    payload: { repoId: 'r1' },
    metadata: { accountId: 'a1', eventSchemaVersion: 1, eventTimestamp: '2026-01-01T00:00:00.000Z', tokenId: 't1' },
  };
  return { id, at, body: JSON.stringify(body) };
}

describe('deliverEvents', () => {
  it('REPO-191: delivers a body with the members in the order of the specification, and the subscription', async () => {
    const { add, deliver, taken } = world();
    add('e1');
    expect(await deliver()).toBeUndefined();
    expect(JSON.stringify(taken)).toBe(
      JSON.stringify([
        {
          id: 'e1',
          type: 'repos.repo.created',
          body: {
            type: 'repos.repo.created',
            source: { type: 'repos', namespace: 'default', repoName: 'notes' },
            payload: { repoId: 'r1' },
            metadata: {
              accountId: 'a1',
              eventSubscriptionId: 's1',
              eventSchemaVersion: 1,
              eventTimestamp: '2026-01-01T00:00:00.000Z',
              tokenId: 't1',
            },
          },
        },
      ]),
    );
  });

  it('REPO-198: delivers events one after the other, and many of them in several calls', async () => {
    let running = 0;
    const ids: string[] = [];
    const { add, deliver, waiting } = world({
      async onEvent({ id }) {
        expect(running++).toBe(0);
        await Promise.resolve();
        running--;
        ids.push(id);
      },
    });
    const all = Array.from({ length: 40 }, (_, i) => `e${i}`);
    for (const id of all) add(id);
    expect(await deliver()).toBe(1_000);
    expect(ids.length).toBeLessThan(40);
    expect(waiting()).toEqual(all.slice(ids.length));
    while ((await deliver()) !== undefined);
    expect(ids).toEqual(all);
  });

  it('REPO-198, REPO-201: an event that fails blocks those behind it, with pauses that grow up to an hour', async () => {
    const { add, deliver, ids, failing, pass, reported } = world();
    for (const id of ['e1', 'e2', 'e3']) add(id);
    failing.add('e2');
    const pauses: number[] = [];
    let now = 1_000;
    for (let attempt = 0; attempt < 13; attempt++) {
      const due = (await deliver()) ?? 0;
      // No event is tried before it is due.
      expect(await deliver()).toBe(due);
      pauses.push((due - now) / 1_000);
      pass(due - now);
      now = due;
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600]);
    expect(ids()).toEqual(['e1']);
    expect(reported).toHaveLength(13);
    expect(reported[2]).toBeInstanceOf(EventDeliveryError);
    expect(reported[2]).toMatchObject({
      message: 'event e2 of repo r1 was not taken, try 3: no e2',
      cause: { message: 'no e2' },
    });
    failing.clear();
    expect(await deliver()).toBeUndefined();
    expect(ids()).toEqual(['e1', 'e2', 'e3']);
  });

  it('REPO-190: drops an event that still fails after `retryFor`, and tries each event behind it', async () => {
    const { add, deliver, ids, failing, pass, reported, waiting } = world();
    for (const id of ['e1', 'e2', 'e3']) add(id);
    for (const id of ['e1', 'e2']) failing.add(id);
    await deliver();
    pass(3 * day - 1);
    await deliver();
    expect(waiting()).toEqual(['e1', 'e2', 'e3']);
    pass(3_600_000);
    expect(await deliver()).toBe(1_000);
    expect(reported.at(-1)).toMatchObject({ message: 'event e1 of repo r1 is given up, which failed 3 times: no e1' });
    expect(waiting()).toEqual(['e2', 'e3']);
    await deliver();
    expect(await deliver()).toBeUndefined();
    expect(ids()).toEqual(['e3']);
  });

  it('REPO-190: records what was delivered before a failure, and keeps it for `keepFor`', async () => {
    const { add, deliver, failing, kept, waiting } = world({ keepFor: 500 });
    for (const id of ['e1', 'e2']) add(id);
    failing.add('e2');
    await deliver();
    expect(kept).toEqual([['e1', 1_500]]);
    expect(waiting()).toEqual(['e2']);
  });

  it('REPO-190: delivers held events once their repository is published, which it looks up every minute', async () => {
    const { add, deliver, ids, pass, publish } = world();
    publish(false);
    add('created', { held: true });
    add('later');
    expect(await deliver()).toBe(1_000 + heldEventAge);
    pass(heldEventAge);
    expect(await deliver()).toBe(1_000 + 2 * heldEventAge);
    publish(true);
    expect(await deliver()).toBe(1_000 + 2 * heldEventAge);
    expect(ids()).toEqual([]);
    pass(heldEventAge);
    expect(await deliver()).toBeUndefined();
    expect(ids()).toEqual(['created', 'later']);
  });

  it('REPO-201: an aborted attempt is not a failure, and the event stays in the queue', async () => {
    const stop = new AbortController();
    const seen: AbortSignal[] = [];
    const { add, deliver, waiting, reported, kept } = world({
      signal: stop.signal,
      async onEvent({ id }, signal) {
        seen.push(signal);
        if (id === 'e1') return;
        stop.abort();
        await new Promise(() => {});
      },
    });
    for (const id of ['e1', 'e2']) add(id);
    expect(await deliver()).toBe(1_000);
    expect([waiting(), reported, kept]).toEqual([['e2'], [], [['e1', undefined]]]);
    expect(seen[1]?.aborted).toBe(true);
    await deliver();
    expect(seen).toHaveLength(2);
  });

  it('REPO-201: an attempt that takes too long fails, and its signal is aborted', async () => {
    vi.useFakeTimers();
    try {
      const signals: AbortSignal[] = [];
      const { add, deliver, reported } = world({
        onEvent: (_, signal) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      });
      add('e1');
      const delivered = deliver();
      await vi.advanceTimersByTimeAsync(29_999);
      expect(signals[0]?.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await delivered).toBe(6_000);
      expect(signals[0]?.aborted).toBe(true);
      expect(reported).toMatchObject([{ cause: { message: 'It took too long' } }]);
    } finally {
      vi.useRealTimers();
    }
  });
});
