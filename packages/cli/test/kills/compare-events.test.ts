import { describe, expect, it } from 'vitest';
import type { SunkEvent } from '../support/event-sink.ts';
import { compareEvents } from './compare-events.ts';
import type { DoneChange } from './ledger.ts';

const change = (
  begun: number,
  ended: number,
  ...refs: readonly (readonly [string, string | undefined])[]
): DoneChange => ({
  changes: new Map(refs.map(([ref, value]) => [`ref repo ${ref}`, value])),
  begun,
  ended,
});
const event = (ref: string, after: string, id = `${ref} ${after}`): SunkEvent => ({
  id,
  type: 'repos.repo.pushed',
  source: { repoName: 'repo' },
  payload: { ref, after },
});

/** Two updates at the same time, then one of both refs. */
const done = [change(0, 2, ['a', '1']), change(1, 3, ['b', '1']), change(4, 5, ['a', '2'], ['b', undefined])];
const zero = '0'.repeat(40);

describe('the comparison of ref updates with events', () => {
  it('accepts events in the order of changes, with redeliveries', () => {
    const events = [event('b', '1'), event('a', '1'), event('b', '1'), event('b', zero), event('a', '2')];
    expect(compareEvents(done, events)).toEqual([]);
    expect(compareEvents([change(0, 1, ['a', undefined])], [])).toEqual([]);
  });

  it('finds a missing event, one of no change, and an event twice under two ids', () => {
    const events = [event('a', '1'), event('b', '1'), event('a', '2'), event('b', zero)];
    for (let i = 0; i < events.length; i++) expect(compareEvents(done, events.toSpliced(i, 1))).not.toEqual([]);
    expect(compareEvents(done, [...events, event('a', '3')])).toHaveLength(1);
    expect(compareEvents(done, [...events, event('a', '2', 'other')])).toHaveLength(1);
  });

  it('finds events out of the order of their ref, and of their repo', () => {
    const [a1, b1, a2, b0] = [event('a', '1'), event('b', '1'), event('a', '2'), event('b', zero)];
    expect(compareEvents(done, [b1, a2, a1, b0])).not.toEqual([]);
    expect(compareEvents(done, [a1, a2, b1, b0])).toEqual(['repo: the event of 1 came too late']);
  });
});
