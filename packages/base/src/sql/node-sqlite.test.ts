import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { itemTable, testSqlDriver } from '../contract/sql-driver.ts';
import { migrate, MigrationError } from './migrate.ts';
import { openNodeSqlite, type NodeSqlite } from './node-sqlite.ts';

let folder: string;
let driver: NodeSqlite;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-sql-'));
  driver = openNodeSqlite(join(folder, 'test.sqlite'));
  driver.run(itemTable);
});

afterEach(() => {
  driver.close();
  rmSync(folder, { recursive: true });
});

const names = (from = driver) =>
  from.all<{ name: string }>('SELECT name FROM item ORDER BY name').map((row) => row.name);

testSqlDriver('node:sqlite', () => async (work) => work(driver));

describe('openNodeSqlite', () => {
  it('makes files that only their owner may read, regardless of the mode of the folder', () => {
    chmodSync(folder, 0o755);
    expect(readdirSync(folder).toSorted()).toEqual(['test.sqlite', 'test.sqlite-shm', 'test.sqlite-wal']);
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('uses the write-ahead log, synced by the driver, and foreign keys', () => {
    expect(driver.all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(driver.all('PRAGMA synchronous')).toEqual([{ synchronous: 1 }]);
    expect(driver.all('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }]);
  });

  it('GIT-155: is durable again a while after each statement or transaction that writes, not after others', async () => {
    const waits = async (work: () => unknown): Promise<boolean> => {
      await driver.durable();
      expect(driver.durable()).toBeUndefined();
      work();
      return driver.durable() !== undefined;
    };
    const insert = (name: string) => driver.run('INSERT INTO item (name) VALUES (?)', name);
    expect(await waits(() => insert('a'))).toBe(true);
    expect(await waits(() => driver.transaction(() => insert('b')))).toBe(true);
    expect(await waits(() => driver.all("INSERT INTO item (name) VALUES ('c') RETURNING name"))).toBe(true);
    expect(await waits(() => driver.transaction(() => driver.transaction(() => insert('d'), 'lazy')))).toBe(true);
    expect(await waits(() => driver.transaction(() => insert('e'), 'lazy'))).toBe(false);
    expect(await waits(() => driver.transaction(() => names()))).toBe(false);
    expect(await waits(() => names())).toBe(false);
    const undone = () => driver.transaction(() => [insert('f'), insert('f')]);
    expect(await waits(() => expect(undone).toThrow())).toBe(false);
    const common = "WITH new(name) AS (VALUES ('g')) ";
    expect(await waits(() => driver.all(`${common}INSERT INTO item (name) SELECT name FROM new RETURNING name`))).toBe(
      true,
    );
    expect(await waits(() => driver.all(`${common}SELECT * FROM new`))).toBe(false);
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'g']);
  });

  it('REPO-178: rolls back if the hook before the commit throws', () => {
    let refusals = 0;
    const refusing = openNodeSqlite(join(folder, 'test.sqlite'), {
      beforeCommit() {
        refusals++;
        throw new Error('no commit');
      },
    });
    const insert = (): number => refusing.run("INSERT INTO item (name) VALUES ('refused')");
    expect(insert).toThrow('no commit');
    expect(() => refusing.transaction(insert)).toThrow('no commit');
    expect(refusing.transaction(() => names(refusing), 'read')).toEqual([]);
    expect(refusals).toBe(2);
    refusing.close();
  });

  it('takes the write lock at the beginning of a transaction', () => {
    const other = openNodeSqlite(join(folder, 'test.sqlite'), { busyTimeout: 0 });
    driver.transaction(() => {
      expect(() => other.transaction(() => 1)).toThrow(/locked/);
      expect(names(other)).toEqual([]);
    });
    expect(other.transaction(() => 1)).toBe(1);
    other.close();
  });

  it('sees one snapshot in a read transaction, which neither waits for a writer nor blocks one', () => {
    const other = openNodeSqlite(join(folder, 'test.sqlite'), { busyTimeout: 0 });
    driver.run("INSERT INTO item (name) VALUES ('before')");
    driver.transaction(() => {
      driver.run("INSERT INTO item (name) VALUES ('meanwhile')");
      expect(other.transaction(() => names(other), 'read')).toEqual(['before']);
    });
    other.transaction(() => {
      expect(names(other)).toEqual(['before', 'meanwhile']);
      driver.transaction(() => driver.run("INSERT INTO item (name) VALUES ('later')"));
      expect(names(other)).toEqual(['before', 'meanwhile']);
    }, 'read');
    expect(names(other)).toEqual(['before', 'later', 'meanwhile']);
    other.close();
  });

  it('survives more statements than it caches', () => {
    for (let i = 0; i < 300; i++) expect(driver.all(`SELECT ${i} AS n`)).toEqual([{ n: i }]);
    expect(names()).toEqual([]);
  });

  it('caches the last used statements', () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    for (let i = 0; i < 600; i++) {
      names();
      driver.all(`SELECT ${i} AS n`);
    }
    expect(prepare.mock.calls.filter(([statement]) => statement.includes('FROM item'))).toHaveLength(1);
    expect(prepare).toHaveBeenCalledTimes(601);
    driver.all('SELECT 0 AS n');
    expect(prepare).toHaveBeenCalledTimes(602);
    prepare.mockRestore();
  });

  it('can be closed twice', () => {
    driver.close();
    driver.close();
    expect(() => names()).toThrow();
    driver = openNodeSqlite(':memory:');
  });
});

describe('migrate', () => {
  const first = { name: 'one', statements: ['CREATE TABLE one (a INTEGER)', 'INSERT INTO one VALUES (1)'] };
  const second = { name: 'two', statements: ['INSERT INTO one VALUES (2)'] };
  const rows = () => driver.all<{ a: number }>('SELECT a FROM one').map((row) => row.a);

  it('applies each step once, in order, separately for each list', () => {
    migrate(driver, 'x', [first]);
    migrate(driver, 'x', [first, second]);
    migrate(driver, 'x', [first, second]);
    migrate(driver, 'y', [{ name: 'one', statements: ['INSERT INTO one VALUES (3)'] }]);
    expect(rows()).toEqual([1, 2, 3]);
  });

  it('rolls back a step that fails', () => {
    migrate(driver, 'x', [first]);
    expect(() =>
      migrate(driver, 'x', [first, { name: 'bad', statements: ['INSERT INTO one VALUES (9)', 'nonsense'] }]),
    ).toThrow();
    expect(rows()).toEqual([1]);
    migrate(driver, 'x', [first, second]);
    expect(rows()).toEqual([1, 2]);
  });

  it('refuses a database of a newer version or another history', () => {
    migrate(driver, 'x', [first, second]);
    expect(() => migrate(driver, 'x', [first])).toThrow(MigrationError);
    expect(() => migrate(driver, 'x', [first, { name: 'other', statements: [] }])).toThrow(/two/);
  });
});
