import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePages } from './free-pages.ts';
import { openNodeSqlite, type NodeSqlite } from './node-sqlite.ts';

let folder: string;
let path: string;
let driver: NodeSqlite;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-pages-'));
  path = join(folder, 'test.sqlite');
});

afterEach(() => {
  driver.close();
  rmSync(folder, { recursive: true });
});

const megabytes = () => {
  driver.all('PRAGMA wal_checkpoint(TRUNCATE)');
  return statSync(path).size / 1_000_000;
};

/** Makes 400 rows, about 10 MB, and deletes all but every `kept`-th. */
function fillAndDelete(kept: number): void {
  driver.run('CREATE TABLE row (id INTEGER PRIMARY KEY, bytes BLOB)');
  driver.transaction(() => {
    for (let id = 0; id < 400; id++) driver.run('INSERT INTO row VALUES (?, ?)', id, new Uint8Array(25_000).fill(id));
  });
  driver.run('DELETE FROM row WHERE id % ? > 0', kept);
}

function stepsOf(step: () => boolean): number {
  let steps = 0;
  while (step()) steps += 1;
  return steps;
}

describe('freePages', () => {
  it('LIM-075: shortens the file in steps when a quarter of it is free, and keeps every row', () => {
    driver = openNodeSqlite(path);
    fillAndDelete(10);
    expect(megabytes()).toBeGreaterThan(10);
    const step = freePages(driver);
    expect(stepsOf(step)).toBeGreaterThan(0);
    expect(megabytes()).toBeLessThan(2.1);
    expect(driver.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const rows = driver.all<{ id: number; bytes: Uint8Array }>('SELECT id, bytes FROM row ORDER BY id');
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, i) => 10 * i));
    for (const { id, bytes } of rows) expect(bytes.every((byte) => byte === id % 256)).toBe(true);
    expect(step()).toBe(false);
  });

  it('LIM-075: one step moves a bounded number of pages', () => {
    driver = openNodeSqlite(path);
    fillAndDelete(2);
    const pages = () => driver.all<{ page_count: number }>('PRAGMA page_count')[0]?.page_count ?? 0;
    const before = pages();
    let now = 0;
    expect(freePages(driver, () => now++)()).toBe(true);
    expect(before - pages()).toBeLessThan(100);
    expect(before - pages()).toBeGreaterThan(0);
  });

  it('keeps free pages that new rows will soon take: a small part, or less than 1 MiB', () => {
    driver = openNodeSqlite(path);
    fillAndDelete(400);
    driver.run('INSERT INTO row VALUES (1000, zeroblob(8500000))');
    expect(freePages(driver)()).toBe(false);
    driver.run('DELETE FROM row');
    expect(stepsOf(freePages(driver))).toBeGreaterThan(0);
    driver.run('INSERT INTO row VALUES (1, zeroblob(900000))');
    driver.run('DELETE FROM row');
    expect(freePages(driver)()).toBe(false);
  });

  it('leaves a database of an older version alone', () => {
    const older = new DatabaseSync(path);
    older.exec('PRAGMA journal_mode = WAL');
    older.exec('CREATE TABLE old (a)');
    older.close();
    driver = openNodeSqlite(path);
    expect(driver.all('PRAGMA page_size')).toEqual([{ page_size: 4096 }]);
    expect(driver.all('PRAGMA wal_autocheckpoint')).toEqual([{ wal_autocheckpoint: 1000 }]);
    fillAndDelete(10);
    expect(freePages(driver)()).toBe(false);
    expect(megabytes()).toBeGreaterThan(10);
  });
});
