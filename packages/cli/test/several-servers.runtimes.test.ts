/** Three servers over one PostgreSQL and one bucket, each on another runtime. */

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import {
  discover,
  fetchBody,
  listedRefs,
  post,
  push,
  pushBody,
  set,
  type Remote,
} from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEventSink, type EventSink } from './support/event-sink.ts';
import { apiToken, runCli, type KillableServer } from './support/killable-server.ts';
import {
  clonedCommits,
  createRepo,
  madeChange as change,
  openSharedStorage,
  rest,
  type Reply,
  type SharedStorage,
} from './support/shared-storage.ts';

const metricsToken = 'metrics-token-0123456789';
let folder: string;
let shared: SharedStorage;
let sink: EventSink;
let a: KillableServer;
let b: KillableServer;
let c: KillableServer;

beforeAll(async () => {
  sink = await startEventSink(() => 30);
  shared = await openSharedStorage({
    webhook_url: sink.url,
    webhook_secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
    webhook_allow: ['127.0.0.1'],
    metrics: { token: metricsToken },
  });
  folder = shared.folder;
  // At once, so that all of them create the tables.
  [a, b, c] = await Promise.all([
    shared.start('a'),
    shared.start('b', { runtime: 'deno' }),
    shared.start('c', { runtime: 'bun' }),
  ]);
}, 60_000);

afterAll(async () => {
  await Promise.all([a, b, c].map((server) => server?.kill()));
  await sink.close();
  await shared.close();
});

const create = (name: string, through = a) => createRepo(name, through);

const cloned = (remote: Remote): Promise<readonly string[]> => clonedCommits(remote, folder);

const readyOf = async ({ url }: KillableServer): Promise<number> => (await fetch(`${url}/readyz`)).status;

const main = 'refs/heads/main';
const acceptedReport = ['unpack ok', `ok ${main}`];
/** A pack in rows, and one in the place for packs. */
const sizes = [100, 3_000_000];

describe('servers on Node, Deno and Bun over one database', () => {
  it('REPO-336: what is pushed through one is cloned from the others, forks and records too', async () => {
    const repo = await create('one');
    const servers = [a, b, c];
    const after = (i: number): KillableServer => servers[(i + 1) % 3] as KillableServer;
    const nodes: MadeObject[] = [];
    // Each pushes both sizes.
    for (const [i, server] of [...servers, ...servers].entries()) {
      const { node, pack } = change(`push ${i}`, sizes[i % 2] as number, ...nodes.slice(0, 1));
      expect(await push(repo.at(server), [set(main, node, nodes[0])], pack)).toEqual(acceptedReport);
      nodes.unshift(node);
      expect(await cloned(repo.at(after(i)))).toEqual(nodes.map(({ oid }) => oid));
    }
    for (const [i, server] of servers.entries()) {
      const record = await rest(server, 'GET', '/repos/one');
      expect(record.result?.['last_push_at']).not.toBeNull();
      const fork = await rest(server, 'POST', '/repos/one/fork', { name: `forked-${i}` });
      const remote = `${after(i).url}/git/local/default/forked-${i}.git`;
      expect(await cloned({ remote, token: String(fork.result?.['token']) })).toHaveLength(nodes.length);
    }
  });

  it('REPO-342: each has metrics of the cache on its disk', async () => {
    for (const { url } of [a, b, c]) {
      const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
      const [, bytes] = /^packhouse_cache_bytes\{cache="disk"\} (.*)$/m.exec(await reply.text()) ?? [];
      expect(Number(bytes)).toBeGreaterThan(sizes[1] as number);
    }
  });

  it('GIT-125: of 50 pushes at once through all, one is accepted and stays, and the others are stale', async () => {
    const repo = await create('raced');
    const root = change('root', 10);
    await push(repo.at(a), [set(main, root.node)], root.pack);
    const servers = [a, b, c];
    const pushes = Array.from({ length: 50 }, (_, i) => change(`push ${i}`, 50, root.node));
    const reports = await Promise.all(
      pushes.map(({ node, pack }, i) =>
        push(repo.at(servers[i % 3] as KillableServer), [set(main, node, root.node)], pack),
      ),
    );
    const won = reports.findIndex((report) => report[1] === acceptedReport[1]);
    const stale = ['unpack ok', `ng ${main} stale ref`];
    expect(reports).toEqual(reports.map((_, i) => (i === won ? acceptedReport : stale)));
    const tip = pushes[won]?.node.oid;
    for (const server of servers) expect((await listedRefs(repo.at(server)))[main]).toBe(tip);
    expect(await cloned(repo.at(b))).toEqual([tip, root.node.oid]);
  });

  it('REPO-123: a fork while the other server deletes its parent is whole, or fails and leaves nothing', async () => {
    for (let round = 0; round < 6; round++) {
      const repo = await create(`parent-${round}`);
      const { node, pack } = change(`of ${round}`, sizes[round % 2] as number);
      await push(repo.at(a), [set(main, node)], pack);
      const [fork, deletion] = await Promise.all([
        rest(a, 'POST', `/repos/parent-${round}/fork`, { name: `fork-${round}` }),
        wait(round * 4).then(() => rest(b, 'DELETE', `/repos/parent-${round}`)),
      ]);
      expect(deletion.status).toBeLessThan(300);
      expect([201, 404]).toContain(fork.status);
      const found = await rest(b, 'GET', `/repos/fork-${round}`);
      expect(found.status === 200).toBe(fork.status === 201);
      if (fork.status !== 201) continue;
      const remote = `${b.url}/git/local/default/fork-${round}.git`;
      expect(await cloned({ remote, token: String(fork.result?.['token']) })).toEqual([node.oid]);
    }
  });

  it('REPO-370: a token that one server revokes during requests ends on the other before the reply', async () => {
    const tokensOf = (server: KillableServer) => `${server.url}/v4/accounts/local/repos/api-tokens`;
    const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'race', permissions: ['edit'] });
    const { remote } = (await create('by-token')).at(b);
    for (let round = 0; round < 5; round++) {
      const { result } = (await (await fetch(tokensOf(a), { method: 'POST', headers, body })).json()) as Reply;
      const { id = '', plaintext = '' } = result ?? {};
      const by = { headers: { authorization: `Bearer ${plaintext}` } };
      const uses = async (): Promise<readonly number[]> => {
        const urls = [tokensOf(b), `${remote}/info/refs?service=git-receive-pack`];
        return Promise.all(urls.map(async (url) => (await fetch(url, by)).status));
      };
      const created = fetch(tokensOf(b), { method: 'POST', headers: { ...headers, ...by.headers }, body });
      const during = Promise.all(Array.from({ length: 10 }, uses));
      expect((await fetch(`${tokensOf(a)}/${id}`, { method: 'DELETE', headers })).status).toBe(200);
      expect(await uses()).toEqual([401, 403]);
      for (const [status, git] of await during) {
        expect([200, 401]).toContain(status);
        expect([200, 403]).toContain(git);
      }
      // What it created meanwhile, if anything, has ended with it.
      const child = (await (await created).json()) as Reply;
      const left = { headers: { authorization: `Bearer ${child.result?.['plaintext'] ?? 'none'}` } };
      expect((await fetch(tokensOf(b), left)).status).toBe(401);
    }
  });

  it('REPO-331: a server that is killed during pushes takes nothing acknowledged with it', async () => {
    const repo = await create('killed');
    const seen: string[] = [];
    let tip: MadeObject | undefined;
    const pushing = (async () => {
      for (let i = 0; i < 1_000; i++) {
        const { node, pack } = change(`push ${i}`, sizes[i % 2] as number, ...(tip === undefined ? [] : [tip]));
        const report = await push(repo.at(a), [set(main, node, tip)], pack);
        if (report[1] === `ok ${main}`) seen.push(node.oid);
        tip = node;
      }
    })().catch(() => undefined);
    while (seen.length < 4) await wait(20);
    await wait(37);
    await a.kill();
    await pushing;
    const there = await cloned(repo.at(b));
    expect(there).toEqual(expect.arrayContaining(seen));
    // The last push may have been committed before its reply.
    expect(there.length - seen.length).toBeLessThanOrEqual(1);
    a = await shared.start('a', { port: Number(new URL(a.url).port) });
    expect(await cloned(repo.at(a))).toEqual(there);
  });

  it('REPO-334: without the database, servers answer 503 and are not ready, and work again when it is back', async () => {
    const repo = await create('away');
    const { node, pack } = change('away', 100);
    const tags = (server: KillableServer): Promise<Response> =>
      fetch(`${server.url}/v4/accounts/local/tags/summary`, { headers: { authorization: `Bearer ${apiToken}` } });
    await shared.database.kill();
    const text = 'The storage of the service cannot be reached. Please retry.';
    for (const server of [a, b, c]) {
      const [ready, read, tagged, fetched, pushed] = await Promise.all([
        readyOf(server),
        rest(server, 'GET', '/repos/away'),
        tags(server),
        discover(repo.at(server)),
        post(repo.at(server), pushBody([set(main, node)], pack), { service: 'git-receive-pack' }),
      ]);
      expect(ready).toBe(503);
      const errors = [{ code: 10503, message: text }].map((error) => expect.objectContaining(error) as unknown);
      expect(read).toMatchObject({ status: 503, errors });
      expect([tagged.status, await tagged.json()]).toEqual([503, expect.objectContaining({ errors })]);
      for (const { status, body } of [fetched, pushed]) expect([status, body.toString()]).toEqual([503, text]);
      const replies = [read, tagged, fetched, pushed];
      expect(replies.map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '5', '5', '5']);
    }
    await shared.database.restart();
    for (const server of [a, b, c]) await expect.poll(() => readyOf(server)).toBe(200);
    expect((await tags(c)).status).toBe(200);
    expect(await push(repo.at(a), [set(main, node)], pack)).toEqual(acceptedReport);
    expect(await cloned(repo.at(b))).toEqual([node.oid]);
    const lines = [a, b, c].flatMap((server) => server.lines('failure')).join('\n');
    expect(lines).not.toContain('postgres@');
  }, 60_000);

  it('REPO-334, REPO-343, REPO-401: without the bucket, servers are not ready and refuse what needs it, until it is back', async () => {
    const repo = await create('no-bucket');
    const [first, second] = [change('first', 3_000_000), change('second', 3_000_000)];
    expect(await push(repo.at(a), [set(main, first.node)], first.pack)).toEqual(acceptedReport);
    await shared.store.kill();
    const branch = 'refs/heads/second';
    const unavailable = 'storage is unavailable';
    const pushes = [a, b, c].map(async (server) => {
      const report = await push(repo.at(server), [set(branch, second.node)], second.pack);
      expect(report).toEqual([`unpack ${unavailable}`, `ng ${branch} ${unavailable}`]);
      expect(await readyOf(server)).toBe(503);
    });
    // The pack is in the cache of the first server alone.
    const reads = [b, c].map(async (server) => {
      const read = await rest(server, 'GET', `/repos/no-bucket/commit/${first.node.oid}`);
      expect([read.status, read.errors[0]?.code, read.headers.get('retry-after')]).toEqual([503, 10503, '5']);
      const { body } = await post(repo.at(server), fetchBody([first.node.oid], []));
      expect(body.toString('latin1')).toMatch(/\x03storage is unavailable\n$/);
    });
    await Promise.all([...pushes, ...reads]);
    // Its packs are in rows.
    const small = await create('no-bucket-needed', b);
    const { node, pack } = change('small', 100);
    expect(await push(small.at(b), [set(main, node)], pack)).toEqual(acceptedReport);
    expect(await cloned(small.at(c))).toEqual([node.oid]);

    await shared.store.restart();
    for (const server of [a, b, c]) await expect.poll(() => readyOf(server)).toBe(200);
    const again = await push(repo.at(c), [set(branch, second.node)], second.pack);
    expect(again).toEqual(['unpack ok', `ok ${branch}`]);
    for (const server of [a, b, c]) expect(await cloned(repo.at(server))).toEqual([first.node.oid]);
  }, 120_000);

  it('REPO-190, REPO-330: together they deliver events in the order of their repo, and maintain it', async () => {
    const repo = await create('events');
    const nodes: MadeObject[] = [];
    for (let i = 0; i < 12; i++) {
      const { node, pack } = change(`event ${i}`, 100, ...nodes.slice(-1));
      await push(repo.at(i % 2 === 0 ? a : b), [set(main, node, nodes.at(-1))], pack);
      nodes.push(node);
    }
    const delivered = (): readonly string[] =>
      sink.events
        .filter(({ type, source }) => type.endsWith('.pushed') && source.repoName === 'events')
        .map(({ payload }) => String(payload['after']));
    const order = nodes.map(({ oid }) => oid);
    // No server has died, so none is delivered twice.
    await expect.poll(delivered, { timeout: 20_000 }).toEqual(order);
    const maintained = (): number => [a, b].flatMap((server) => server.lines('"repo":"default/events"')).length;
    await expect.poll(maintained, { timeout: 20_000 }).toBeGreaterThan(0);
    for (const server of [a, b]) expect(await cloned(repo.at(server))).toEqual(order.toReversed());
  }, 60_000);
});

describe('two servers over one database and one folder of packs', () => {
  it('REPO-328, REPO-336, REPO-337: share pushes, forks and deletions, and need the folder', async () => {
    const places = { packs: join(folder, 'packs'), url: await shared.database.createDatabase() };
    const servers = await Promise.all([shared.start('d', { places }), shared.start('e', { places })]);
    const [d, e] = servers;
    try {
      const repo = await create('one', d);
      const first = change('first', 3_000_000);
      const second = change('second', 3_000_001, first.node);
      expect(await push(repo.at(d), [set(main, first.node)], first.pack)).toEqual(acceptedReport);
      const next = await push(repo.at(e), [set(main, second.node, first.node)], second.pack);
      expect(next).toEqual(acceptedReport);
      for (const server of servers) expect(await cloned(repo.at(server))).toEqual([second.node.oid, first.node.oid]);

      const fork = await rest(e, 'POST', '/repos/one/fork', { name: 'forked' });
      expect((await rest(d, 'DELETE', '/repos/one')).status).toBeLessThan(300);
      const token = String(fork.result?.['token']);
      for (const { url: at } of servers)
        expect(await cloned({ remote: `${at}/git/local/default/forked.git`, token })).toHaveLength(2);
      const pushed = { token, remote: `${d.url}/git/local/default/forked.git` };
      const third = change('third', 3_000_002, second.node);
      const pushing = push(pushed, [set(main, third.node, second.node)], third.pack).catch(() => undefined);
      await wait(5);
      await d.kill();
      await pushing;
      expect([2, 3]).toContain((await cloned({ ...pushed, remote: pushed.remote.replace(d.url, e.url) })).length);

      renameSync(places.packs, `${places.packs}-away`);
      await expect.poll(() => readyOf(e), { timeout: 10_000 }).toBe(503);
      renameSync(`${places.packs}-away`, places.packs);
      await expect.poll(() => readyOf(e), { timeout: 10_000 }).toBe(200);
      const words = ['--database', places.url, '--packs', places.packs, '--json'];
      const { status, stdout } = await runCli(['doctor', ...words]);
      expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ problems: [] })]);
    } finally {
      await Promise.all(servers.map((server) => server.kill()));
    }
  }, 120_000);
});
