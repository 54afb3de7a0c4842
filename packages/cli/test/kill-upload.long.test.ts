/** Kills a server in the middle of an upload in parts. The load of the other kills has no pack that is so large. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import {
  startFaultyProxy,
  startS3Server,
  storeVariables,
  type FaultyProxy,
  type S3Server,
} from '@packhouse/fixtures/s3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compareBucket, passDay } from './kills/bucket-bytes.ts';
import { prefix } from './kills/shared-world.ts';
import { runCli, startServer, type KillableServer } from './support/killable-server.ts';
import { clonedCommits, createRepo, madeChange } from './support/shared-storage.ts';

let folder: string;
let database: PostgresServer;
let store: S3Server;
let bucket: FaultyProxy;
const servers: KillableServer[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-kill-upload-'));
  // This one can abort uploads.
  [database, store] = await Promise.all([startPostgres(), startS3Server('fauxqs')]);
  bucket = await startFaultyProxy(store.endpoint);
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await Promise.all([database.close(), bucket.close(), store.close()]);
  rmSync(folder, { recursive: true, force: true });
});

it('REPO-328: another server aborts the upload of a server that was killed during a large push', async () => {
  const databaseUrl = await database.createDatabase();
  const words = ['--packs', `s3://${store.bucket}/${prefix}`];
  const env = { DATABASE_URL: databaseUrl, ...storeVariables(store, bucket.endpoint) };
  const start = async (name: string): Promise<KillableServer> => {
    const server = await startServer(join(folder, name), 0, 'node', undefined, [], { words, env });
    servers.push(server);
    return server;
  };
  const first = await start('first');
  const repo = await createRepo('large', first);
  // Four parts. A file may have 32 MiB.
  const { node, pack } = madeChange('large', 32_000_000);
  const update = set('refs/heads/main', node);

  bucket.fail(({ path }) => (path.includes('partNumber=3') ? 'stalled' : undefined));
  const pushing = push(repo.at(first), [update], pack).catch(() => 'broken');
  await expect.poll(() => bucket.requests.filter(({ path }) => path.includes('partNumber=3')).length).toBe(1);
  await first.kill();
  expect(await pushing).toBe('broken');
  bucket.fail(() => undefined);
  bucket.cut();
  expect(store.uploads()).toHaveLength(1);

  await passDay(databaseUrl);
  const second = await start('second');
  await expect.poll(() => store.uploads()).toEqual([]);
  const left = (): readonly string[] => store.keys().filter((key) => !key.startsWith(`${prefix}/database-`));
  await expect.poll(left).toEqual([]);
  expect(await compareBucket({ databaseUrl, store })).toEqual([]);

  expect(await push(repo.at(second), [update], pack)).toEqual(['unpack ok', 'ok refs/heads/main']);
  expect(await clonedCommits(repo.at(second), folder)).toEqual([node.oid]);
  expect(store.uploads()).toEqual([]);
  expect(await second.stop()).toBe(0);
  expect(await compareBucket({ databaseUrl, store })).toEqual([]);
  const doctor = await runCli(['doctor', '--json', ...words], env);
  expect([doctor.status, JSON.parse(doctor.stdout)]).toEqual([0, expect.objectContaining({ problems: [] })]);
}, 180_000);
