import { Pool, type PoolClient, type QueryConfig } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRelay, type Relay } from '@packhouse/fixtures';
import { startPostgres, startStandby, type PostgresServer } from '@packhouse/fixtures/postgres';
import { Connection } from './connection.ts';
import type { PostgresDriver, PostgresSession } from './driver.ts';
import { DatabaseUnavailable } from './errors.ts';
import { openNodePostgres, type NodePostgresOptions } from './node-postgres.ts';
import { runTransaction } from './transaction.ts';

let server: PostgresServer;
let url: string;
let driver: PostgresDriver;
const opened: PostgresDriver[] = [];

const open = (options?: NodePostgresOptions, address = url): PostgresDriver => {
  const made = openNodePostgres(address, options);
  opened.push(made);
  return made;
};

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.close());

beforeEach(async () => {
  url = await server.createDatabase();
  driver = open();
  await driver.rows('CREATE TABLE item (name text COLLATE "C" PRIMARY KEY, number int8)');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

const add = (session: PostgresSession, name: string, number = 0) =>
  session.rows('INSERT INTO item VALUES ($1, $2)', [name, number]);
const names = async (session: PostgresSession) =>
  (await session.rows<{ name: string }>('SELECT name FROM item ORDER BY name')).map(({ name }) => name);
const numberOf = async (session: PostgresSession, name: string) =>
  (await session.rows<{ number: number }>('SELECT number FROM item WHERE name = $1', [name]))[0]?.number;

/** Resolves when a session waits for a lock of another one. */
async function untilBlocked(): Promise<void> {
  await expect.poll(() => driver.rows("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).toHaveLength(1);
}

/** Forwards connections to the database, so that a test can break them. */
async function relayed(): Promise<{ readonly url: string; readonly relay: Relay }> {
  const relay = await startRelay(server.port);
  return { url: url.replace(String(server.port), String(relay.port)), relay };
}

describe('values', () => {
  it('come back as they were sent, alone and in arrays', async () => {
    const bytes = Uint8Array.of(9, 0, 255, 128, 9).subarray(1, 4);
    const sent = [2 ** 53 - 1, null, -1, 'ä"\\,{}🐟', bytes, new Uint8Array(0), true];
    const [row] = await driver.rows<Record<string, unknown>>(
      'SELECT $1::int8 AS a, $2::int8 AS b, $3::int8 AS c, $4::text AS d, $5::bytea AS e, $6::bytea AS f, $7::bool AS g',
      sent,
    );
    expect(Object.values(row ?? {})).toEqual([...sent.slice(0, 4), Uint8Array.of(0, 255, 128), ...sent.slice(5)]);
    const lists = [[2 ** 53 - 1, null, -1], ['ä"\\,{}🐟', null, '', 'NULL'], [bytes, null], []];
    const [arrays] = await driver.rows<Record<string, unknown>>(
      'SELECT $1::int8[] AS a, $2::text[] AS b, $3::bytea[] AS c, $4::int8[] AS d',
      lists,
    );
    expect(Object.values(arrays ?? {})).toEqual([...lists.slice(0, 2), [Uint8Array.of(0, 255, 128), null], []]);
  });

  it('are numbers if the database computed them', async () => {
    const [row] = await driver.rows('SELECT count(*) AS a, sum(x) AS b, max(x) AS c FROM unnest($1::int8[]) x', [
      [3, 4],
    ]);
    expect(row).toEqual({ a: 2, b: 7, c: 4 });
  });
});

describe('transactions', () => {
  it('are rolled back if the work throws, or if a statement failed even if its error was caught', async () => {
    const thrown = new Error('mine');
    const failing = driver.transaction(async (session) => {
      await add(session, 'a');
      throw thrown;
    });
    await expect(failing).rejects.toBe(thrown);
    const caught = driver.transaction(async (session) => {
      await add(session, 'a');
      await add(session, 'a').catch(() => {});
    });
    await expect(caught).rejects.toMatchObject({ name: 'PostgresError', code: '23505', constraint: 'item_pkey' });
    const unawaited = driver.transaction(async (session) => {
      void add(session, 'b');
      void add(session, 'b');
    });
    await expect(unawaited).rejects.toMatchObject({ code: '23505' });
    expect(await names(driver)).toEqual([]);
  });

  it('run statements in order, and commit those that the work did not await', async () => {
    const read = await driver.transaction(async (session) => {
      void add(session, 'a');
      const read = names(session);
      void add(session, 'b');
      return await read;
    });
    expect([read, await names(driver)]).toEqual([['a'], ['a', 'b']]);
  });

  it('are repeated after a deadlock, so that both take effect', async () => {
    await add(driver, 'a');
    await add(driver, 'b');
    let runs = 0;
    const meet = Promise.withResolvers<void>();
    const addTo = (first: string, second: string) =>
      driver.transaction(async (session) => {
        await session.rows('UPDATE item SET number = number + 1 WHERE name = $1', [first]);
        if (++runs === 2) meet.resolve();
        await meet.promise;
        await session.rows('UPDATE item SET number = number + 1 WHERE name = $1', [second]);
      });
    await Promise.all([addTo('a', 'b'), addTo('b', 'a')]);
    expect([await numberOf(driver, 'a'), await numberOf(driver, 'b'), runs]).toEqual([2, 2, 3]);
  });

  it('are repeated after a serialization failure', async () => {
    await add(driver, 'a');
    let runs = 0;
    await driver.transaction(async (session) => {
      await session.rows('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      const number = await numberOf(session, 'a');
      if (runs++ === 0) await driver.rows('UPDATE item SET number = 5');
      await session.rows('UPDATE item SET number = $1', [(number ?? 0) + 1]);
    });
    expect([await numberOf(driver, 'a'), runs]).toEqual([6, 2]);
  });

  it('see what was committed before each statement, also after a wait for a lock', async () => {
    await add(driver, 'a');
    let second: Promise<number | undefined> | undefined;
    await driver.transaction(async (session) => {
      await session.rows('UPDATE item SET number = 1');
      second = driver.transaction(async (other) => {
        void other.rows('SELECT 1 FROM item FOR UPDATE');
        return await numberOf(other, 'a');
      });
      await untilBlocked();
    });
    expect(await second).toBe(1);
  });

  it('see one snapshot if they only read, and cannot write', async () => {
    await add(driver, 'a');
    await driver.transaction(async (session) => {
      expect(await names(session)).toEqual(['a']);
      await add(driver, 'b');
      expect(await names(session)).toEqual(['a']);
    }, 'read');
    await expect(driver.transaction((session) => add(session, 'c'), 'read')).rejects.toThrow('25006');
  });

  it('release their locks if the work hangs', async () => {
    const impatient = open({ statementTimeout: 200 });
    await add(driver, 'a');
    const hanging = impatient.transaction(async (session) => {
      await session.rows('UPDATE item SET number = 1');
      await driver.rows('UPDATE item SET number = 2');
      await session.rows('SELECT 1');
    });
    const slow = impatient
      .rows('SELECT 1')
      .then(() => impatient.transaction((session) => session.rows('SELECT pg_sleep(9)')));
    await Promise.all([
      expect(slow).rejects.toMatchObject({ name: 'DatabaseUnavailable', code: '57014' }),
      expect(hanging).rejects.toMatchObject({ name: 'DatabaseUnavailable', mayHaveChanged: false }),
    ]);
    expect(await numberOf(driver, 'a')).toBe(2);
  });
});

describe('connections', () => {
  it('REPO-322: of a pooler that refuses to begin a transaction change nothing by themselves', async () => {
    const pool = new Pool({ connectionString: url, pipeline: true });
    const client = await pool.connect();
    const refusing = {
      query: (query: QueryConfig) => client.query(query.text.startsWith('BEGIN') ? { text: 'SELECT 1 / 0' } : query),
    };
    const connection = new Connection(refusing as PoolClient, undefined);
    const change = async (session: PostgresSession): Promise<void> => {
      await session.rows('SELECT 1');
      void add(session, 'a');
    };
    await expect(runTransaction(connection, change, { kind: undefined, timeout: 1_000 })).rejects.toThrow('22012');
    const read = (session: PostgresSession): Promise<string[]> => names(session);
    await expect(runTransaction(connection, read, { kind: undefined, timeout: 1_000 })).rejects.toThrow('22012');
    expect(await names(driver)).toEqual([]);
    client.release();
    await pool.end();
  });

  it('are replaced if the database restarted since their last use', async () => {
    await add(driver, 'a');
    await server.kill();
    await expect(driver.rows('SELECT 1')).rejects.toThrow(DatabaseUnavailable);
    await server.restart();
    expect(await driver.transaction(names)).toEqual(['a']);
  });

  it('REPO-334: to a server that has become a standby are an outage, and go to the new primary afterwards', async () => {
    await add(driver, 'a');
    const standby = await startStandby(server, 'follower');
    const relay = await startRelay(standby.port);
    const through = open({}, url.replace(String(server.port), String(relay.port)));
    await expect.poll(() => names(through).catch(() => [])).toEqual(['a']);
    const write = (name: string) => through.transaction((session) => add(session, name));
    await expect(write('b')).rejects.toMatchObject({ name: 'DatabaseUnavailable', code: '25006' });
    expect(await names(through)).toEqual(['a']);
    relay.aim(server.port);
    await write('b');
    expect(await names(driver)).toEqual(['a', 'b']);
    await through.close();
    await relay.close();
    await standby.close();
  });

  it('REPO-322: that break before the commit make the transaction run again', async () => {
    let runs = 0;
    await driver.transaction(async (session) => {
      await add(session, 'a');
      if (runs++ > 0) return;
      await driver.rows(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
      );
      await session.rows('SELECT 1');
    });
    expect([await names(driver), runs]).toEqual([['a'], 2]);
  });

  it('REPO-322: that break during the commit leave it open if it took effect', async () => {
    let isCommitting = false;
    const { url, relay } = await relayed();
    relay.judge(() => (isCommitting ? 'break' : 'pass'));
    const through = open({}, url);
    let runs = 0;
    const committing = through.transaction(async (session) => {
      runs += 1;
      await add(session, 'a');
      isCommitting = true;
    });
    await expect(committing).rejects.toMatchObject({ name: 'DatabaseUnavailable', mayHaveChanged: true });
    expect([await names(driver), runs]).toEqual([['a'], 1]);
    await relay.close();
  });

  it('REPO-324: that do not answer are given up, and the message has no address', async () => {
    const { url, relay } = await relayed();
    relay.judge(() => 'drop');
    const through = open({ connectTimeout: 100 }, url);
    const error: unknown = await through.rows('SELECT 1').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(String(error)).toBe('DatabaseUnavailable: The database is unavailable (no reply)');
    await relay.close();
  });

  it('REPO-334: that the database refuses are an outage, like a database that is gone', async () => {
    const [role, database] = [new URL(url), new URL(url)];
    [role.username, database.pathname] = ['nobody', '/missing'];
    const codes = [role, database].map(({ href }) =>
      open({}, href)
        .rows('SELECT 1')
        .catch((error: unknown) => error),
    );
    expect(await Promise.all(codes)).toMatchObject(
      ['28000', '3D000'].map((code) => ({ name: 'DatabaseUnavailable', code })),
    );
  });

  it('that give up a slow statement do not send it again', async () => {
    const impatient = open({ statementTimeout: 1 });
    await expect(impatient.rows('SELECT pg_sleep(60)')).rejects.toThrow(DatabaseUnavailable);
    const running = await driver.rows("SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'");
    expect(running).toHaveLength(1);
  });

  it('run out for a caller that waits longer than allowed, and serve the others', async () => {
    const narrow = open({ connections: 1, connectTimeout: 100 });
    const held = Promise.withResolvers<void>();
    const holding = narrow.transaction(async (session) => {
      await add(session, 'a');
      await held.promise;
    });
    await expect(narrow.rows('SELECT 1')).rejects.toMatchObject({ name: 'DatabaseUnavailable', mayHaveChanged: false });
    held.resolve();
    await holding;
    expect(await names(narrow)).toEqual(['a']);
  });

  it('REPO-324: keep no value of a statement in an error', async () => {
    const error: unknown = await add(driver, 'secret')
      .then(() => add(driver, 'secret'))
      .catch((error: unknown) => error);
    expect(JSON.stringify([String(error), error])).not.toContain('secret');
    const cast: unknown = await driver.rows("SELECT 'secret'::int8").catch((error: unknown) => error);
    expect(JSON.stringify([String(cast), cast])).not.toContain('secret');
  });
});
