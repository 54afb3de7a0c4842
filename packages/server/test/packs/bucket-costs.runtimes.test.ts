import { randomFillSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { startS3Server } from '@packhouse/fixtures/s3';
import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, neutral } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import { memoryCatalogs, repoStateMigrations, sqlRepoState } from '@packhouse/storage';
import { nodeFileSystem } from '@packhouse/storage/node';
import { cachedBucket, DiskCache, s3Bucket, s3Packs, type S3Request } from '@packhouse/storage/s3';
import { memoryPackHolders } from '@packhouse/storage/testing';
import { sqlPackReservations } from '@packhouse/storage/workers';
import { expect, it } from 'vitest';
import { createListener } from '../../src/node-http/listener.ts';
import { git } from '../support/git.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const mebi = 1_048_576;

/** Counts of requests to the bucket by method, and the bytes of their bodies. */
type Costs = Partial<Record<'PUT' | 'POST' | 'GET' | 'HEAD' | 'DELETE', number>> & { sent: number };

it('sends small pushes to the database alone, and reads a pack from the bucket once for each server', async () => {
  const store = await startS3Server('s3rver');
  const folder = makeFolder();
  const database = openNodeSqlite(':memory:');
  migrate(database, 'repo-state', repoStateMigrations);
  const [catalogs, holders] = [memoryCatalogs(), memoryPackHolders()];
  const requests: S3Request[] = [];
  const plain = s3Bucket({
    ...store,
    credentials: () => store.credentials,
    onRequest: (request) => requests.push(request),
  });
  const servers: { close(): void }[] = [];

  /** Starts a server with a cache on disk. Returns its address. */
  const serve = async (cache: string): Promise<string> => {
    const http = createServer().listen(0, '127.0.0.1');
    servers.push(http);
    await new Promise((resolve) => http.once('listening', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const disk = await DiskCache.open({ folder: join(folder, cache), fileSystem: nodeFileSystem, max: 1_024 * mebi });
    const packs = s3Packs({
      bucket: cachedBucket(plain, disk),
      reservations: (_, id) => sqlPackReservations(database, id),
      holders: () => holders,
    });
    const engine = createGitEngine({ codec: nodeCodec() });
    const report = (error: unknown): void => console.error(error);
    const hosting = createHosting({
      engine,
      dialect: neutral,
      catalog: catalogs,
      storage: {
        repo: (account, id) => ({ id, state: sqlRepoState(database, id), packs: packs.repo(account, id) }),
        sharePacks: async () => false,
      },
      authorizer: { authorize: async () => [{ account: 'local', permission: neutral.permissions.edit }] },
      settings: { public_url: url },
      report,
    });
    const handler = createService({ hosting, git: gitFace({ hosting, engine, report }) });
    const listener = createListener({ handler, fallbackHost: '127.0.0.1' });
    http.on('request', (incoming, outgoing) => listener.serve(incoming, outgoing));
    return url;
  };

  const costOf = async (work: () => Promise<unknown>): Promise<Costs> => {
    requests.length = 0;
    await work();
    const costs: Costs = { sent: requests.reduce((sum, { sent }) => sum + sent, 0) };
    for (const { method } of requests) {
      const kind = method as keyof Omit<Costs, 'sent'>;
      costs[kind] = (costs[kind] ?? 0) + 1;
    }
    return costs;
  };

  try {
    const first = await serve('first');
    const made = await fetch(`${first}/v4/accounts/local/repos/namespaces/default/repos`, {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'costs' }),
    });
    const { result } = (await made.json()) as { result: { remote: string; token: string } };
    const work = join(folder, 'work');
    const header = (url: string): string[] => [
      '-c',
      `http.extraHeader=Authorization: Bearer ${result.token}`,
      '-c',
      `url.${url}/.insteadOf=${first}/`,
    ];
    await git(['init', '-q', '-b', 'main', work]);
    await git(['remote', 'add', 'origin', result.remote], { cwd: work });
    const push = async (size: number, count = 1) => {
      for (let i = 0; i < count; i++) writeFileSync(join(work, `${size}-${i}`), randomFillSync(Buffer.alloc(size)));
      await git(['add', '.'], { cwd: work });
      await git(['commit', '-qm', `${size}`], { cwd: work });
      return costOf(() => git([...header(first), 'push', '-q', 'origin', 'main'], { cwd: work }));
    };
    const clone = async (url: string, name: string) =>
      costOf(() => git([...header(url), 'clone', '-q', '--bare', result.remote, join(folder, name)]));
    const nothing = { sent: 0 };
    expect(await push(1_000)).toEqual(nothing);
    expect(await clone(first, 'small')).toEqual(nothing);
    // The pack in one piece, its index and its graph.
    expect(await push(4 * mebi)).toEqual({ PUT: 3, sent: expect.closeTo(4 * mebi, -5) });
    // Four parts of it, the id of the upload, index and graph.
    expect(await push(2 * mebi, 13)).toEqual({
      POST: 2,
      PUT: expect.toSatisfy((count: number) => count <= 7),
      DELETE: 1,
      GET: 1,
      sent: expect.closeTo(26 * mebi, -5),
    });
    // A request for about a mebibyte.
    expect((await clone(await serve('second'), 'cold')).GET).toBeLessThanOrEqual(33);
    const second = await serve('second');
    for (const name of ['warm', 'warmer']) expect(await clone(second, name)).toEqual(nothing);
    const fetched = async () =>
      costOf(() => git([...header(second), 'fetch', '-q', 'origin', 'main'], { cwd: join(folder, 'warm') }));
    expect(await fetched()).toEqual(nothing);
    await push(1_001);
    expect((await fetched()).GET ?? 0).toBeLessThanOrEqual(2);
  } finally {
    for (const server of servers) server.close();
    plain.close();
    await store.close();
    database.close();
    removeFolder(folder);
  }
}, 180_000);
