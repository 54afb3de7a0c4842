import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrate } from '@packhouse/base';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/base/node-sqlite';
import type { Catalog } from '@packhouse/hosting';
import { testCatalog } from '@packhouse/hosting/contract';
import { BufferedTouches } from './buffered-touches.ts';
import { sqlCatalog } from './catalog.ts';
import { catalogMigrations } from './schema.ts';

testCatalog('SQLite with buffered pushes', () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'catalog', catalogMigrations);
  const touches = new BufferedTouches(driver);
  return {
    catalog: (account) => touches.wrap(account, sqlCatalog(driver, account)),
    close() {
      touches.close();
      driver.close();
    },
  };
});

describe('BufferedTouches', () => {
  let driver: NodeSqlite;
  let touches: BufferedTouches;
  let catalog: Catalog;
  let isFull: boolean;

  beforeEach(async () => {
    vi.useFakeTimers();
    isFull = false;
    driver = openNodeSqlite(':memory:', {
      beforeCommit() {
        if (isFull) throw new Error('the disk is full');
      },
    });
    migrate(driver, 'catalog', catalogMigrations);
    touches = new BufferedTouches(driver);
    catalog = touches.wrap('a1', sqlCatalog(driver, 'a1'));
    for (const id of ['r1', 'r2']) {
      const repo = { namespace: 'team', name: id, description: null, defaultBranch: 'main', readOnly: false } as const;
      await catalog.reserveRepo(
        { ...repo, id, source: null, parentId: null, rootId: null, status: 'ready', createdAt: 1_000 },
        { id: `t-${id}`, createdAt: 1_000, expiresAt: 2_000 },
      );
    }
  });
  afterEach(() => {
    driver.close();
    vi.useRealTimers();
  });

  const written = () => driver.all('SELECT id, last_push_at AS at, bytes, version FROM catalog_repos ORDER BY id');
  const first = { id: 'r1', at: -1, bytes: 0, version: 0 };
  const second = { id: 'r2', at: -1, bytes: 0, version: 0 };

  it('GIT-193: writes the pushes of a second in one transaction, each repository once', async () => {
    const transaction = vi.spyOn(driver, 'transaction');
    for (let version = 2; version < 102; version++) {
      await catalog.touch('r1', { pushedAt: 5_000 + version, bytes: version, version });
    }
    await catalog.touch('r2', { pushedAt: 9_000, bytes: 7, version: 2 });
    expect(await catalog.storedBytes()).toBe(108);
    expect([written(), transaction.mock.calls.length]).toEqual([[first, second], 0]);
    vi.advanceTimersByTime(1_000);
    expect(written()).toEqual([
      { id: 'r1', at: 5_101, bytes: 101, version: 101 },
      { id: 'r2', at: 9_000, bytes: 7, version: 2 },
    ]);
    expect([await catalog.storedBytes(), transaction.mock.calls.length]).toEqual([108, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('GIT-159: any reader sees them at once', async () => {
    await catalog.touch('r1', { pushedAt: 5_000, bytes: 3, version: 2 });
    expect(await catalog.repo('team', 'r1')).toMatchObject({ lastPushAt: 5_000, version: 2 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('writes at once when many repositories wait', async () => {
    const add = (id: string) =>
      driver.run(
        `INSERT INTO catalog_repos SELECT account, ?1, namespace, ?1, name, description, default_branch, read_only, source,
           status, created_at, updated_at, last_push_at, bytes, version, parent_id, revision, unsettled, root_id
         FROM catalog_repos WHERE id = 'r1'`,
        id,
      );
    for (let i = 0; i < 1_001; i++) {
      add(`x${i}`);
      await catalog.touch(`x${i}`, { pushedAt: 5_000, bytes: 1, version: 2 });
    }
    expect(driver.all('SELECT count(*) AS n FROM catalog_repos WHERE version = 2')).toEqual([{ n: 1_001 }]);
    for (let i = 0; i < 1_000; i++) await catalog.touch(`x${i}`, { pushedAt: 6_000, bytes: 2, version: 3 });
    isFull = true;
    // Beyond what may wait, a touch that cannot be written is refused.
    for (let i = 0; i < 2; i++) {
      await expect(catalog.touch('x1000', { pushedAt: 6_000, bytes: 2, version: 3 })).rejects.toThrow('full');
    }
    isFull = false;
    vi.advanceTimersByTime(1_000);
    expect(driver.all('SELECT count(*) AS n FROM catalog_repos WHERE version = 3')).toEqual([{ n: 1_000 }]);
  });

  it('tells the stored bytes of one moment, even if what waits is written before they are durable', async () => {
    await catalog.touch('r1', { pushedAt: 5_000, bytes: 3, version: 2 });
    const reading = catalog.storedBytes();
    touches.flush();
    expect(await reading).toBe(3);
  });

  it('fails the touch after a write that failed, and keeps it', async () => {
    await catalog.touch('r1', { pushedAt: 5_000, bytes: 3, version: 2 });
    isFull = true;
    vi.advanceTimersByTime(1_000);
    await expect(catalog.touch('r2', { pushedAt: 5_000, bytes: 4, version: 2 })).rejects.toThrow('the disk is full');
    expect(await catalog.storedBytes()).toBe(7);
    isFull = false;
    vi.advanceTimersByTime(1_000);
    expect(written()).toMatchObject([{ bytes: 3 }, { bytes: 4 }]);
    await catalog.touch('r2', { pushedAt: 6_000, bytes: 5, version: 3 });
  });

  it('keeps them if they cannot be written, and lets readers read', async () => {
    await catalog.touch('r1', { pushedAt: 5_000, bytes: 3, version: 2 });
    isFull = true;
    expect(await catalog.repo('team', 'r1')).toMatchObject({ lastPushAt: null });
    vi.advanceTimersByTime(3_000);
    expect(await catalog.storedBytes()).toBe(3);
    isFull = false;
    vi.advanceTimersByTime(1_000);
    expect(written()).toEqual([{ id: 'r1', at: 5_000, bytes: 3, version: 2 }, second]);
  });

  it('writes what waits when it is closed, and never again', async () => {
    await catalog.touch('r1', { pushedAt: 5_000, bytes: 3, version: 2 });
    touches.close();
    expect(written()).toEqual([{ id: 'r1', at: 5_000, bytes: 3, version: 2 }, second]);
    await catalog.touch('r1', { pushedAt: 6_000, bytes: 3, version: 3 });
    isFull = true;
    touches.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
