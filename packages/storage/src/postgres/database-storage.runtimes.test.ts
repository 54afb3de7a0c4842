import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageUnavailable } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { LeaseLostError } from '@packhouse/hosting';
import { change, sampleHead, sampleRepoId, sampleToken, update } from '@packhouse/hosting/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderPlace } from '../files/folder-place.ts';
import { databaseStorage, type DatabaseStorage } from './database-storage.ts';
import { WrongPlaceError } from './servers/claim-place.ts';

let server: PostgresServer;
let folder: string;
let url: string;
const opened: DatabaseStorage[] = [];

async function open(packs: string): Promise<DatabaseStorage> {
  const storage = await databaseStorage({ driver: openNodePostgres(url), place: folderPlace(join(folder, packs)) });
  opened.push(storage);
  return storage;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-place-'));
  server = await startPostgres();
  url = await server.createDatabase();
});
afterAll(async () => {
  for (const storage of opened) await storage.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('databaseStorage', () => {
  it('REPO-337: marks the place of packs once, refuses another one, that of another database, and misses one that is gone', async () => {
    const [storage] = await Promise.all([open('packs'), open('packs'), open('packs')]);
    expect(readdirSync(join(folder, 'packs'))).toHaveLength(1);
    await storage.demandPresent();
    const elsewhere = openNodePostgres(url);
    const other = databaseStorage({ driver: elsewhere, place: folderPlace(join(folder, 'other')) });
    await expect(other).rejects.toBeInstanceOf(WrongPlaceError);
    await elsewhere.close();
    const newcomer = openNodePostgres(await server.createDatabase());
    const taken = databaseStorage({ driver: newcomer, place: folderPlace(join(folder, 'packs')) });
    await expect(taken).rejects.toMatchObject({ name: 'WrongPlaceError', isTaken: true });
    const free = folderPlace(join(folder, 'raced'));
    const mark = async (id: string): Promise<void> => {
      await free.mark(id);
      await free.mark('other');
    };
    const raced = databaseStorage({ driver: newcomer, place: { ...free, mark } });
    await expect(raced).rejects.toMatchObject({ isTaken: true });
    await newcomer.close();
    rmSync(join(folder, 'packs'), { recursive: true });
    await expect(storage.demandPresent()).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('REPO-331: a lease that was lost commits nothing to a repository', async () => {
    const [storage] = opened as [DatabaseStorage];
    const id = sampleRepoId();
    const { state } = storage.repos.repo('a1', id, 'unrestricted');
    await state.begin(sampleHead(id), sampleToken('t1'));
    const lease = await storage.leases.take(`maintain ${id}`, 60_000);
    const leased = lease?.storage.repos.repo('a1', id, 'unrestricted').state;
    expect(await leased?.commit(change([update('refs/heads/one', null, 1)]))).toMatchObject({ kind: 'done' });
    await lease?.release();
    await storage.leases.take(`maintain ${id}`, 60_000);
    const late = leased?.commit(change([update('refs/heads/two', null, 1)]));
    await expect(late).rejects.toBeInstanceOf(LeaseLostError);
    expect((await state.snapshot())?.version).toBe(2);
  });

  it('leaves work under a lease of a server out of what is due', async () => {
    const [storage] = opened as [DatabaseStorage];
    const id = sampleRepoId();
    const { state } = storage.repos.repo('a1', id, 'unrestricted');
    await state.begin(sampleHead(id), sampleToken('t2'));
    await state.commit(change([update('refs/heads/main', null, 1)]));
    const due = async (): Promise<boolean> => (await storage.due(9e12, 100)).some((repo) => repo.id === id);
    expect(await due()).toBe(true);
    expect(await storage.counts(9e12)).toMatchObject({ repositories: 2, packs: 0, packBytes: 0, maintenanceDue: 2 });
    const lease = await storage.leases.take(`maintain ${id}`, 60_000);
    expect(await due()).toBe(false);
    await lease?.release();
    expect(await due()).toBe(true);
  });
});
