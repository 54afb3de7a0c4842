/** Kills migrations at random steps, there and back, and compares what they leave in the end. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runs } from '@packhouse/fixtures';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { startS3Server, storeVariables, type S3Server } from '@packhouse/fixtures/s3';
import { sharedStorage, type SharedStorage } from '@packhouse/server/shared-storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf } from './support/folder-content.ts';
import { makeFolderToMigrate, type FolderToMigrate } from './support/folder-to-migrate.ts';
import { killMigrations } from './support/kill-migrations.ts';
import { runCli } from './support/killable-server.ts';

let root: string;
let database: PostgresServer;
let store: S3Server;
let folder: FolderToMigrate;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-kill-migrate-'));
  // This one can abort uploads, which a kill leaves.
  [database, store] = await Promise.all([startPostgres(), startS3Server('fauxqs')]);
  folder = await makeFolderToMigrate(root, ['encodings', 'merges', 'tags', 'wide']);
}, 300_000);

afterAll(async () => {
  await Promise.all([database.close(), store.close()]);
  rmSync(root, { recursive: true, force: true });
});

const kills = Number(process.env['PACKHOUSE_KILLS'] ?? runs(12));
const seed = Number(process.env['PACKHOUSE_SEED'] ?? 1);

it.each(['bucket', 'folder'])(
  'REPO-387: a migration to a %s is whole after any number of kills',
  async (kind) => {
    const url = await database.createDatabase();
    const packs = kind === 'folder' ? join(root, 'packs') : `s3://${store.bucket}/killed`;
    const bucketAccess = { ...store.credentials, endpoint: store.endpoint };
    const shared = sharedStorage({ database: url, packs, bucketAccess }, { settings: {} }) as SharedStorage;
    await killMigrations({ data: folder.data, shared, back: false }, { kills, steps: 110, seed });
    const env = storeVariables(store);
    const doctor = await runCli(['doctor', '--database', url, '--packs', packs, '--json'], env);
    expect([doctor.status, JSON.parse(doctor.stdout)]).toEqual([0, expect.objectContaining({ problems: [] })]);
    const back = join(root, `back-${kind}`);
    await killMigrations({ data: back, shared, back: true }, { kills, steps: 110, seed: seed + 1 });
    expect(contentOf(back)).toEqual(contentOf(folder.data));
    expect((await runCli(['doctor', '--data', back])).status).toBe(0);
  },
  1_200_000,
);
