import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bucketStorage } from '../src/contract/bucket-storage.ts';
import { Dying } from '../src/contract/dying.ts';
import { testSharing, type SharingFixture } from '@packhouse/hosting/contract';
import { memoryRepos } from '../src/memory/storage.ts';
import { nodeStorage } from '../src/node-storage.ts';
import { FaultyFileSystem } from '../src/testing/faulty-file-system.ts';
import type { FileSystem } from '../src/files/file-system.ts';
import { filePacks } from '../src/files/file-packs.ts';
import { sharePacks } from '../src/packs/share-packs.ts';
import type { RepoStorage } from '@packhouse/hosting';
import { nodeFileSystem } from '../src/files/node-file-system.ts';
import { StrictBucket, strictSizedStream } from '../src/testing/strict-bucket.ts';
import { FaultyBucket } from '../src/testing/faulty-bucket.ts';
import { repoStateMigrations } from '../src/sql/repo-state/schema.ts';
import { sqlPackReservations } from '../src/sql/repo-state/reservations.ts';
import { sqlRepoState } from '../src/sql/repo-state/repo-state.ts';
import { limitedDriver } from '@packhouse/base/testing';
import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { packHolderMigrations, sqlPackHolders } from '../src/sql/catalog/pack-holders.ts';

testSharing('memory', () => {
  const storage = memoryRepos();
  return {
    account: 'a1',
    open: () => storage,
    // Arrays cannot be counted.
    stored: () => 0,
    writes: () => 0,
    dieAt: () => undefined,
    revive: () => false,
    close: () => undefined,
  };
});

/** Packs as files, with the database in its own folder. */
function inFiles(fileSystem: (packs: string) => FileSystem, stored: (packs: string) => number, writes: () => number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'packhouse-sharing-'));
  const packs = join(dataDir, 'packs');
  const dying = new Dying();
  const open = () => nodeStorage({ dataDir, fileSystem: dying.port(chosen) });
  const chosen = fileSystem(packs);
  let storage = open();
  return {
    account: 'a1',
    open: () => storage.repos,
    stored: () => stored(packs),
    writes,
    dieAt: (at, late) => dying.arm(at, late),
    revive() {
      const died = dying.revive();
      if (died) {
        storage.close();
        storage = open();
      }
      return died;
    },
    close: () => {
      storage.close();
      rmSync(dataDir, { recursive: true });
    },
  } satisfies SharingFixture;
}

testSharing('files on disk', () => {
  const names = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });
  let writes = 0;
  const counting: FileSystem = {
    ...nodeFileSystem,
    create(path) {
      writes += 1;
      return nodeFileSystem.create(path);
    },
  };
  return inFiles(
    () => counting,
    (packs) => names(packs).filter((entry) => entry.isFile()).length,
    () => writes,
  );
});

testSharing('files of a disk that was long written when they are shared', () => {
  let writes = 0;
  let disk: FaultyFileSystem | undefined;
  return inFiles(
    (packs) =>
      (disk = new FaultyFileSystem({
        folders: [packs],
        now: () => 1_000,
        fault({ kind }) {
          if (kind === 'write') writes += 1;
          return undefined;
        },
      })),
    () => disk?.files.length ?? 0,
    () => writes,
  );
});

testSharing('a folder of several servers', () => {
  const database = openNodeSqlite(':memory:');
  migrate(database, 'repo-state', repoStateMigrations);
  const dying = new Dying();
  let writes = 0;
  // No time of a file says anything.
  const disk = new FaultyFileSystem({
    folders: ['/packs'],
    now: () => 1_000,
    fault({ kind }) {
      if (kind === 'write') writes += 1;
      return undefined;
    },
  });
  const stateOf = (id: string) => sqlRepoState(database, id);
  const server = (): RepoStorage => {
    const packs = filePacks('/packs', dying.port(disk), {
      reservations: (_, id) => dying.port(sqlPackReservations(database, id)),
    });
    return {
      repo: (account, id) => ({ id, state: stateOf(id), packs: packs.repo(account, id) }),
      sharePacks: async (account, from, to, ids) => sharePacks(packs, stateOf, account, [from, to], ids),
    };
  };
  const both = [server(), server()];
  let turn = 0;
  return {
    account: 'a1',
    open: () => both[turn++ % 2] as RepoStorage,
    stored: () => disk.files.length,
    writes: () => writes,
    dieAt: (at, late) => dying.arm(at, late),
    revive: () => dying.revive(),
    close: () => database.close(),
  };
});

/** Objects in a bucket, with the state in SQL within the limits of Durable Objects. */
function inBucket(): SharingFixture {
  const database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'repo-state', repoStateMigrations);
  migrate(driver, 'pack-holders', packHolderMigrations);
  const dying = new Dying();
  const bucket = new StrictBucket();
  let writes = 0;
  const counting = new FaultyBucket(bucket, ({ operation }) => {
    if (operation !== 'delete' && operation !== 'get' && operation !== 'head') writes += 1;
    return undefined;
  });
  const storage = bucketStorage(
    (id) => ({
      state: sqlRepoState(driver, id),
      reservations: dying.port(sqlPackReservations(driver, id)),
    }),
    { bucket: dying.port(counting), holders: dying.port(sqlPackHolders(driver)), openStream: strictSizedStream },
  );
  return {
    account: 'a1',
    open: () => storage,
    stored: () => bucket.keys.length,
    writes: () => writes,
    dieAt: (at, late) => dying.arm(at, late),
    revive: () => dying.revive(),
    close: () => database.close(),
  };
}

testSharing('SQLite with the limits of Durable Objects, and a bucket with the rules of R2', inBucket);
