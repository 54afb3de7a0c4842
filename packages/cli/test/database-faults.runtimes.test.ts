/** One server whose PostgreSQL loses replies, fails over to its standby, or is behind PgBouncer. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { listedRefs, push, set, type Remote } from '@packhouse/conformance/tools/wire-client';
import {
  hasPgBouncer,
  startPgBouncer,
  startReplicatedPostgres,
  type ReplicatedPostgres,
} from '@packhouse/fixtures/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiToken, startServer, type KillableServer } from './support/killable-server.ts';

let folder: string;
let database: ReplicatedPostgres;
let url: string;
let server: KillableServer;

const start = (name: string, databaseUrl: string): Promise<KillableServer> =>
  startServer(join(folder, name), 0, 'node', undefined, [], {
    words: ['--packs', join(folder, 'packs')],
    env: { DATABASE_URL: databaseUrl },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-database-'));
  database = await startReplicatedPostgres();
  url = await database.createDatabase();
  server = await start('data', url);
});

afterAll(async () => {
  await server.kill();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function create(name: string): Promise<Remote> {
  const response = await fetch(`${server.url}/v4/accounts/local/repos/namespaces/default/repos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  const { result } = (await response.json()) as { readonly result: { readonly token: string } };
  return { token: result.token, remote: `${server.url}/git/local/default/${name}.git` };
}

const main = 'refs/heads/main';
const done = ['unpack ok', `ok ${main}`];

/** Makes a commit of a small file. */
function change(message: string, ...parents: readonly MadeObject[]) {
  const file = blob(Buffer.from(message));
  const root = tree({ file });
  const node = commit(message, root, parents);
  return { node, pack: pack(node, root, file) };
}

/** True for the reply to the COMMIT of a transaction that may have written. */
const isCommit = (reply: Buffer, sent: string): boolean =>
  reply.includes('COMMIT\0') && sent.lastIndexOf('READ COMMITTED') > sent.lastIndexOf('READ ONLY');

/** Failures in the log that do not say that the storage was away. */
const unexpected = (): readonly string[] =>
  server
    .lines('"event":"failure"')
    .filter((line) => !/"error":"(?:DatabaseUnavailable|PushUncertainError)"/.test(line));

describe('a server', () => {
  it('REPO-335: reports a push whose COMMIT got no reply as the database has it', async () => {
    const repo = await create('one-lost');
    const { node, pack } = change('first');
    let lost = 0;
    database.relay.judge((...bytes) => (isCommit(...bytes) && lost++ === 0 ? 'break' : 'pass'));
    const report = await push(repo, [set(main, node)], pack);
    database.relay.judge(undefined);
    expect(lost).toBeGreaterThan(0);
    expect(report).toEqual(done);
    expect((await listedRefs(repo))[main]).toBe(node.oid);
    // It was committed once: its new value is the old one of the next push.
    const next = change('next', node);
    expect(await push(repo, [set(main, next.node, node)], next.pack)).toEqual(done);
  });

  it('REPO-335: claims nothing about a push if the database cannot say, which has it as a whole', async () => {
    const repo = await create('all-lost');
    const { node, pack } = change('first');
    let isAway = false;
    database.relay.judge((...bytes) => {
      isAway = isAway || isCommit(...bytes);
      return isAway ? 'break' : 'pass';
    });
    await expect(push(repo, [set(main, node)], pack)).rejects.toThrow(TypeError);
    database.relay.judge(undefined);
    expect((await listedRefs(repo))[main]).toBe(node.oid);
    expect(unexpected()).toEqual([]);
  });

  it('REPO-395: keeps each acknowledged push when the database fails over to its synchronous standby', async () => {
    const repo = await create('moved');
    const acknowledged: string[] = [];
    const over = new AbortController();
    const pushing = (async () => {
      for (let i = 0; !over.signal.aborted; i++) {
        const { node, pack } = change(`push ${i}`);
        const ref = `refs/heads/${i}`;
        const report = await push(repo, [set(ref, node)], pack).catch(() => []);
        if (report[1] === `ok ${ref}`) acknowledged.push(ref);
      }
    })();
    for (let move = 1; move <= 2; move++) {
      await expect.poll(() => acknowledged.length).toBeGreaterThan(move * 5);
      await database.failOver();
    }
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before);
    over.abort();
    await pushing;
    expect(Object.keys(await listedRefs(repo))).toEqual(expect.arrayContaining(acknowledged));
    expect(unexpected()).toEqual([]);
  });

  it.skipIf(!hasPgBouncer)('REPO-320: takes pushes through PgBouncer in transaction mode', async () => {
    const pooler = await startPgBouncer(database.relay.port);
    const through = new URL(url);
    through.port = String(pooler.port);
    const other = await start('pooled', through.href);
    try {
      const { token, remote } = await create('pooled');
      const repo = { token, remote: remote.replace(server.url, other.url) };
      const refs = Array.from({ length: 30 }, (_, i) => `refs/heads/${i}`);
      const pushes = refs.map((ref) => {
        const { node, pack } = change(ref);
        return push(repo, [set(ref, node)], pack);
      });
      expect(await Promise.all(pushes)).toEqual(refs.map((ref) => ['unpack ok', `ok ${ref}`]));
      expect(await other.stop()).toBe(0);
    } finally {
      await other.kill();
      await pooler.close();
    }
  });
});
