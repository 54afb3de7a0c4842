import { expect, it } from 'vitest';
import { type SqlDriver, migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { change, sampleEvent, sampleHead, sampleToken, update } from '@packhouse/hosting/contract';
import { testEventQueues } from '../../contract/event-queues.ts';
import { dueQueues, forgetKeptEvents, nextDeliveryAt } from './event-queues.ts';
import { repoStateMigrations } from './schema.ts';
import { sqlRepoState } from './repo-state.ts';

function openDatabase() {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'repo-state', repoStateMigrations);
  return driver;
}

testEventQueues('SQLite', () => {
  const driver = openDatabase();
  return {
    open: (id, recorded) => sqlRepoState(driver, id, recorded),
    due: async (now, limit) => dueQueues(driver, now, limit),
    forgetKept: async (now) => forgetKeptEvents(driver, now),
    bodies: async (id) =>
      driver.all<{ body: string }>('SELECT body FROM events WHERE repo_id = ?', id).map(({ body }) => body),
    close: () => driver.close(),
  };
});

it('REPO-190: the next queue is due at the time of its first event', async () => {
  const driver = openDatabase();
  const state = sqlRepoState(driver, 'r1');
  await state.begin(sampleHead('r1'), sampleToken('t1'));
  expect(nextDeliveryAt(driver)).toBeUndefined();
  await state.record(sampleEvent('e1', { at: 3_000 }));
  await state.record(sampleEvent('e2', { at: 1_000 }));
  expect(nextDeliveryAt(driver)).toBe(3_000);
  driver.close();
});

it('events cost no statement without a listener', async () => {
  const driver = openDatabase();
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
  driver.close();
});
