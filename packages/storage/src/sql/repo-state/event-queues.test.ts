import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { change, sampleEvent, sampleHead, sampleToken, update } from '@packhouse/hosting/contract';
import { type SqlDriver, migrate } from '@packhouse/base';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/base/node-sqlite';
import { dueQueues, forgetKeptEvents, nextQueueAt } from './event-queues.ts';
import { repoStateMigrations } from './schema.ts';
import { sqlRepoState } from './repo-state.ts';

let driver: NodeSqlite;
let told: number;
const open = (id: string) => sqlRepoState(driver, id, () => void told++);

beforeEach(async () => {
  driver = openNodeSqlite(':memory:');
  migrate(driver, 'repo-state', repoStateMigrations);
  for (const id of ['r1', 'r2', 'r3']) await open(id).begin(sampleHead(id), sampleToken('t1'));
  told = 0;
});
afterEach(() => driver.close());

describe('queues of events', () => {
  it('REPO-190: are due, longest first, until they are empty, even for erased repositories', async () => {
    expect([dueQueues(driver, 9e15, 9), nextQueueAt(driver)]).toEqual([[], undefined]);
    await open('r1').record(sampleEvent('late', { at: 3_000 }));
    await open('r2').record(sampleEvent('early', { at: 1_000 }));
    await open('r3').erase(sampleEvent('deleted', { at: 2_000 }));
    const due = (now: number, limit = 9) => dueQueues(driver, now, limit).map(({ account, id }) => `${account} ${id}`);
    expect(nextQueueAt(driver)).toBe(1_000);
    expect(due(999)).toEqual([]);
    expect(due(9_000)).toEqual(['a1 r2', 'a1 r3', 'a1 r1']);
    expect(due(9_000, 1)).toEqual(['a1 r2']);
    await open('r2').retryEventsAt(8_000, 1);
    await open('r3').delivered(['deleted']);
    expect(due(7_999)).toEqual(['a1 r1']);
    expect(due(8_000)).toEqual(['a1 r1', 'a1 r2']);
  });

  it('keep delivered events for their retention, once', async () => {
    for (const id of ['r1', 'r2']) await open(id).record(sampleEvent('e1'));
    await open('r1').delivered(['e1'], 5_000);
    await open('r2').delivered(['e1']);
    await open('r1').delivered(['e1'], 9_000);
    const kept = () => driver.all('SELECT repo_id AS repo, body FROM events');
    forgetKeptEvents(driver, 4_999);
    expect(kept()).toEqual([{ repo: 'r1', body: sampleEvent('e1').body }]);
    forgetKeptEvents(driver, 5_000);
    expect(kept()).toEqual([]);
  });

  it('keep them even if their repository is forgotten', async () => {
    await open('r1').erase(sampleEvent('deleted'));
    await open('r1').delivered(['deleted'], 5_000);
    expect(await open('r1').forget()).toBe(true);
    expect(driver.all('SELECT id FROM events')).toEqual([{ id: 'deleted' }]);
    forgetKeptEvents(driver, 5_000);
    expect(driver.all('SELECT id FROM events')).toEqual([]);
  });

  it('REPO-190: do not exist for a delivered event that is recorded again during its retention', async () => {
    await open('r1').record(sampleEvent('e1'));
    await open('r1').delivered(['e1'], 5_000);
    await open('r1').record(sampleEvent('e1'));
    expect([dueQueues(driver, 9e15, 9), nextQueueAt(driver)]).toEqual([[], undefined]);
  });

  it('cost no statement without a listener', async () => {
    const statements: string[] = [];
    const watched: SqlDriver = {
      run: (statement, ...given) => (statements.push(statement), driver.run(statement, ...given)),
      all: (statement, ...given) => (statements.push(statement), driver.all(statement, ...given)),
      transaction: (work, mode) => driver.transaction(work, mode),
      durable: () => driver.durable(),
    };
    const state = sqlRepoState(watched, 'quiet');
    await state.begin(sampleHead('quiet'), sampleToken('t1'));
    await state.setStatus('ready', 'trunk');
    await state.commit(change([update('refs/heads/a', null, 1)]));
    await state.addToken(sampleToken('t2'), 0, 9);
    await state.revokeToken('t2', 0);
    expect(statements.length).toBeGreaterThan(9);
    expect(statements.filter((statement) => /\bevent/.test(statement))).toEqual([]);
  });

  it('REPO-190: notify the listener of each change with an event, and of no other', async () => {
    const event = sampleEvent('e1');
    await open('r1').commit(change([update('refs/heads/a', null, 1)]));
    await open('r1').addToken(sampleToken('t2'), 0, 9);
    await open('r1').revokeToken('t2', 0);
    await open('r1').setStatus('ready');
    expect(told).toBe(0);
    await open('r1').commit(change([{ ...update('refs/heads/b', null, 1), event }]));
    await open('r1').record(event);
    await open('r1').addToken(sampleToken('t3'), 0, 9, event);
    await open('r1').revokeToken('t3', 0, event);
    await open('r1').setStatus('ready', undefined, [event]);
    await open('r1').releaseEvents();
    await open('r1').erase(event);
    await open('r4').begin(sampleHead('r4'), sampleToken('t1'), [event]);
    expect(told).toBe(8);
  });
});
