import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migratePostgres, type PostgresDriver } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { wholeState } from '@packhouse/git/contract';
import { RepoGoneError, type CommitOutcome } from '@packhouse/git';
import {
  change,
  everyToken,
  oid,
  replacement,
  sampleEvent,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  sampleWebhook,
  update,
} from '@packhouse/hosting/contract';
import type { MaintainedRepoState } from '../../repo-state/maintained.ts';
import { testEventQueues } from '../../contract/event-queues.ts';
import { serverMigrations } from '../servers/schema.ts';
import { postgresDueWork } from './due-work.ts';
import { postgresPreparedRecords } from './prepared-records.ts';
import { postgresRepoStateMigrations } from './schema.ts';
import { postgresRepoState } from './repo-state.ts';
import { postgresPackReservations } from './reservations.ts';

let server: PostgresServer;
let url: string;
/** Three servers. */
let drivers: readonly PostgresDriver[];

const openServers = async (address: string): Promise<readonly PostgresDriver[]> => {
  const made = Array.from({ length: 3 }, () => openNodePostgres(address, { connections: 4, connectTimeout: 30_000 }));
  const migrateAll = async (driver: PostgresDriver): Promise<void> => {
    await migratePostgres(driver, 'repo-state', postgresRepoStateMigrations);
    await migratePostgres(driver, 'servers', serverMigrations);
  };
  await Promise.all(made.map(migrateAll));
  return made;
};
const closeAll = async (opened: readonly PostgresDriver[]): Promise<void> => {
  await Promise.all(opened.map((driver) => driver.close()));
};

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  drivers = await openServers(url);
});

afterAll(async () => {
  await closeAll(drivers);
  await server.close();
});

let id: string;
beforeEach(async () => {
  id = sampleRepoId();
  await on(0).begin(sampleHead(id), sampleToken('t1'));
});

const on = (server: number) => postgresRepoState(drivers[server % drivers.length] as PostgresDriver, id);
const reservations = (server: number) => postgresPackReservations(drivers[server] as PostgresDriver, id);
const prepared = (driver: PostgresDriver) =>
  postgresPreparedRecords(driver, id, { leftoverAge: 86_400_000, due: () => undefined });
const times = <T>(count: number, work: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)));
const outcomesOf = (commits: readonly CommitOutcome[]): string[] =>
  commits.map((outcome) => (outcome.kind === 'done' ? (outcome.updates[0]?.kind ?? '') : outcome.kind));

describe('REPO-320: servers that change one repository at once', () => {
  it('GIT-125: accept 50 pushes of one ref as a sequence, and refuse the others as stale', async () => {
    const won: (readonly [old: number, next: number])[] = [];
    await on(0).commit(change([update('refs/heads/main', null, 1)]));
    let newest = 1;
    const commits = await times(50, async (number) => {
      const [old, next] = [newest, number + 2];
      const outcome = await on(number).commit(
        change([update('refs/heads/main', old, next)], { addPacks: [samplePack()] }),
      );
      if (outcomesOf([outcome])[0] === 'ok') {
        won.push([old, next]);
        newest = next;
      }
      return outcome;
    });
    const outcomes = outcomesOf(commits);
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'stale']));
    const next = new Map(won);
    let [value, length] = [1, 0];
    for (let after = next.get(value); after !== undefined; after = next.get(value))
      [value, length] = [after, length + 1];
    const state = await wholeState(on(0));
    expect(length).toBe(outcomes.filter((outcome) => outcome === 'ok').length);
    expect(state.refs.map((ref) => ref.oid)).toEqual([oid(value)]);
    expect([state.version, state.packs?.map((pack) => pack.position)]).toEqual([
      2 + length,
      Array.from({ length }, (_, i) => i + 1),
    ]);
  });

  it('GIT-124: never store a ref beside one that is its leading path', async () => {
    const names = ['a', 'a/b', 'a/b/c', 'a/d', 'a-b'].map((name) => `refs/heads/${name}`);
    const commits = await times(20, (number) =>
      on(number).commit(change([update(names[number % names.length] as string, null, 1)])),
    );
    const { refs } = await wholeState(on(0));
    for (const { name } of refs) expect(refs.some((other) => other.name.startsWith(`${name}/`))).toBe(false);
    expect(outcomesOf(commits).filter((outcome) => outcome === 'ok')).toHaveLength(refs.length);
  });

  it('GIT-157: replace packs while others push, and lose no pack', async () => {
    const pushed = [samplePack()];
    await on(0).commit(change([update('refs/heads/0', null, 1)], { addPacks: pushed }));
    const push = times(15, async (number) => {
      const pack = samplePack();
      pushed.push(pack);
      await on(number).commit(change([update(`refs/heads/p${number}`, null, 1)], { addPacks: [pack] }));
    });
    const merged = await times(8, async (number) => {
      const { packs = [] } = (await on(number).snapshot()) ?? {};
      const objects = packs.reduce((sum, pack) => sum + pack.objects, 0);
      return on(number).replacePacks(
        replacement(
          packs.map((pack) => pack.id),
          samplePack({ objects, exact: false }),
        ),
      );
    });
    await push;
    const { packs = [] } = (await on(0).snapshot()) ?? {};
    expect(merged).toContain('done');
    expect(packs.reduce((sum, pack) => sum + pack.objects, 0)).toBe(
      pushed.reduce((sum, pack) => sum + pack.objects, 0),
    );
    expect((await on(0).retiredPacks()).length).toBeGreaterThan(0);
  });

  it('GIT-150: apply one push once, even if eight servers retry it at once', async () => {
    const push = change([update('refs/heads/main', null, 1)], { addPacks: [samplePack()] });
    const outcomes = await times(8, (number) => on(number).commit(push));
    expect(outcomes).toEqual(outcomes.map(() => ({ kind: 'done', version: 2, updates: [{ kind: 'ok' }] })));
  });

  it('REPO-259: apply one of the commits with a key, and answer the others with its result', async () => {
    const commits = await times(8, (number) =>
      on(number).commit(
        change([update(`refs/heads/${number}`, null, 1)], { keyed: { key: 'k', result: String(number) } }),
      ),
    );
    const done = commits.findIndex((outcome) => outcome.kind === 'done');
    expect(commits.filter((outcome) => outcome.kind === 'done')).toHaveLength(1);
    expect(commits.filter((outcome) => outcome.kind === 'repeated')).toEqual(
      Array.from({ length: 7 }, () => ({ kind: 'repeated', result: String(done) })),
    );
  });

  it('REPO-116: leave nothing of a push behind an erasure, and reserve its packs in the store', async () => {
    const pack = samplePack();
    await race(
      (state) => state.commit(change([update('refs/heads/a', null, 1)], { addPacks: [pack] })),
      () => on(1).erase(sampleEvent('deleted')),
    );
    expect(await on(0).open(sampleToken('t1').secretHash)).toEqual({ kind: 'gone' });
    expect(await leftRows()).toEqual([]);
    expect(await reservations(0).before(9e15)).toEqual([pack.id]);
  });

  it('GIT-158: apply no push after an erasure that it waited for', async () => {
    const [, pushed] = await race(
      (state) => state.erase(),
      () => on(1).commit(change([update('refs/heads/a', null, 1)])),
    );
    expect(pushed).toBeInstanceOf(RepoGoneError);
    expect(await leftRows()).toEqual([]);
  });

  it('REPO-118: reserve no pack after an erasure that it waited for', async () => {
    const [, reserved] = await race(
      (state) => state.erase(),
      () => reservations(1).reserve([samplePackId()], 1),
    );
    expect(reserved).toBeInstanceOf(RepoGoneError);
    expect(await reservations(0).before(9e15)).toEqual([]);
  });

  it('REPO-116: never begin an erased repository, even if both happen at once', async () => {
    id = sampleRepoId();
    await race(
      (state) => state.begin(sampleHead(id), sampleToken('t1')),
      () => on(1).erase(),
    );
    await on(2).begin(sampleHead(id), sampleToken('t1'));
    expect(await on(0).open(sampleToken('t1').secretHash)).toEqual({ kind: 'gone' });
    expect(await leftRows()).toEqual([]);
  });

  it('REPO-321: never wait for a change of another repository of the account', async () => {
    const other = sampleRepoId();
    const state = postgresRepoState(drivers[1] as PostgresDriver, other);
    await state.begin(sampleHead(other), sampleToken('t1'));
    let isFirstOver = false;
    const push = change([update('refs/heads/a', null, 1)], { addPacks: [samplePack()] });
    const [, isBefore] = await race(
      (first) => first.commit(push).finally(() => (isFirstOver = true)),
      () => state.commit(push).then(() => !isFirstOver),
    );
    expect(isBefore).toBe(true);
  });

  it('TOKEN-011: keep the newest ended tokens of the history, and all active ones', async () => {
    await times(20, (number) => on(number).addToken(sampleToken(`old${number}`, number, number + 1), 100, 5));
    await times(5, (number) => on(number).addToken(sampleToken(`new${number}`, 1_000 + number), 100, 5));
    const { tokens } = await on(0).tokens(everyToken);
    const ended = tokens.filter((token) => token.expiresAt <= 100).map((token) => token.id);
    expect(ended).toEqual([19, 18, 17, 16, 15].map((number) => `old${number}`));
    expect(tokens).toHaveLength(5 + 5 + 1);
    const revoked = await times(6, (number) => on(number).revokeToken('new0', 1_500));
    expect(revoked.filter((outcome) => outcome === 'revoked')).toHaveLength(1);
  });

  it('REPO-198, REPO-377: keep events in the order of the changes, for the listener and for webhooks', async () => {
    await on(0).addWebhook(sampleWebhook(`w-${id}`), 20);
    const changes = await times(20, async (number) => {
      const event = sampleEvent(`e${number}`);
      const outcome = await on(number).commit(change([{ ...update(`refs/heads/${number}`, null, 1), event }]));
      return { event: event.id, version: outcome.kind === 'done' ? outcome.version : 0 };
    });
    const inOrder = changes.toSorted((one, other) => one.version - other.version).map(({ event }) => event);
    expect((await on(0).pendingEvents(99)).events.map((event) => event.id)).toEqual(inOrder);
    expect((await on(0).webhookEvents(0, 99)).map((event) => event.id)).toEqual(inOrder);
  });

  it('GIT-187: prepare no second pack while another server begins one', async () => {
    const [first, second] = await race(
      (_, driver) => prepared(driver).begin('a', 100, 1_000_000),
      () => prepared(drivers[1] as PostgresDriver).begin('b', 100, 1_000_000),
    );
    expect([first, second]).toEqual([expect.any(String), undefined]);
    expect(await reservations(0).before(9e15)).toEqual([first]);
  });

  it('LIM-100: add the last webhook of a repository once', async () => {
    const added = await race(
      (state) => state.addWebhook(sampleWebhook(`w1-${id}`), 1),
      () => on(1).addWebhook(sampleWebhook(`w2-${id}`), 1),
    );
    expect(added).toEqual([true, false]);
    expect((await on(2).webhooks()).map((webhook) => webhook.id)).toEqual([`w1-${id}`]);
  });

  it('REPO-198: find an event due that was recorded while another server emptied the queue', async () => {
    await on(0).record(sampleEvent('e1'));
    await race(
      (state) => state.record(sampleEvent('e2')),
      () => on(1).delivered(['e1']),
    );
    const { events } = await postgresDueWork(drivers[0] as PostgresDriver);
    expect((await events.due(9e15, 1_000)).map((repo) => repo.id)).toContain(id);
    expect((await on(0).pendingEvents(9)).events.map((event) => event.id)).toEqual(['e2']);
  });
});

/**
 * Lets `second` run while the transaction of `first` is about to commit, until `second` ends or waits for a lock. Returns
 * their results or errors.
 */
async function race(
  first: (state: MaintainedRepoState, driver: PostgresDriver) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<readonly unknown[]> {
  const driver = drivers[0] as PostgresDriver;
  const [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const paused: PostgresDriver = {
    rows: (statement, parameters) => driver.rows(statement, parameters),
    close: () => driver.close(),
    transaction: (work, kind) =>
      driver.transaction(async (session) => {
        const result = await work(session);
        await session.rows('SELECT 1');
        written.resolve();
        await released.promise;
        return result;
      }, kind),
  };
  const results = [first(postgresRepoState(paused, id), paused).catch((error: unknown) => error)];
  await written.promise;
  let isOver = false;
  results.push(second().catch((error: unknown) => error));
  void results[1]?.then(() => (isOver = true));
  const isWaiting = async (): Promise<boolean> => {
    const rows = await driver.rows(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return isOver || rows.length > 0;
  };
  await expect.poll(isWaiting).toBe(true);
  released.resolve();
  return Promise.all(results);
}

/** Returns the tables that still have rows of the repository, apart from those that survive it. */
async function leftRows(): Promise<string[]> {
  const driver = drivers[0] as PostgresDriver;
  const tables = await driver.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'packhouse' AND column_name = 'repo_id'
       AND table_name NOT IN ('uploads', 'events', 'event_queues')`,
  );
  expect(tables.length).toBeGreaterThan(9);
  const left: string[] = [];
  for (const { name } of tables) {
    const rows = await driver.rows(`SELECT 1 FROM packhouse.${name} WHERE repo_id = $1`, [id]);
    if (rows.length > 0) left.push(name);
  }
  return left;
}

testEventQueues('PostgreSQL', async () => {
  const opened = await openServers(await server.createDatabase());
  const driver = opened[0] as PostgresDriver;
  const work = postgresDueWork(driver);
  return {
    open: (repo, recorded) => postgresRepoState(driver, repo, recorded),
    due: (now, limit) => work.events.due(now, limit),
    forgetKept: (now) => work.events.forgetKept(now),
    bodies: async (repo) => {
      const rows = await driver.rows<{ body: string }>('SELECT body FROM packhouse.events WHERE repo_id = $1', [repo]);
      return rows.map(({ body }) => body);
    },
    close: () => closeAll(opened),
  };
});
