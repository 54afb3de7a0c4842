import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemTable } from '@packhouse/base/contract';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/base/node-sqlite';
import { storageTrouble } from '@packhouse/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testSqlFaults } from '../src/contract/sql-faults.ts';

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

testSqlFaults('node:sqlite', () => async (work) => work(driver));

describe('node:sqlite', () => {
  it('REPO-178: fails without space like a full disk, and continues once there is space', () => {
    driver.all('PRAGMA max_page_count = 10');
    const fill = (): number => driver.run('INSERT INTO item (name) VALUES (?)', 'x'.repeat(100_000));
    let failure: unknown;
    try {
      fill();
    } catch (error) {
      failure = error;
    }
    expect(storageTrouble(failure)).toBe('disk full');
    driver.all('PRAGMA max_page_count = 1000');
    expect(fill()).toBe(1);
  });
});
