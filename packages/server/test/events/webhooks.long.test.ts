/** Webhooks of users, over real sockets. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runGit } from '@packhouse/fixtures';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, it, vi } from 'vitest';
import { git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly type: string;
  readonly source: { readonly repoName: string };
  readonly payload: { readonly ref?: string };
}

const servers: Server[] = [];
let server: TestServer | undefined;
let work = '';
afterEach(async () => {
  await server?.close();
  for (const one of servers.splice(0)) {
    one.closeAllConnections();
    one.close();
  }
  if (work !== '') removeFolder(work);
  work = '';
});

/** Starts a receiver that replies with what `answer` returns; undefined: never. */
async function receiver(answer: () => number | undefined = () => 204) {
  const received: Received[] = [];
  const listening = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const status = answer();
    if (status === undefined) return;
    const headers = request.headers as Record<string, string>;
    if (status < 300) received.push({ ...(JSON.parse(text) as Received), headers, text });
    response.writeHead(status).end('a body with words of the receiver');
  });
  servers.push(listening);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/hook?key=private`;
  return { url, received, names: () => received.map(({ type }) => type.replace('repos.repo.', '')) };
}

const start = async (): Promise<TestServer> => {
  server = await startTestServer({ settings: { user_webhook_allow: ['127.0.0.1'] } });
  return server;
};
const whenThere = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const ofNamespace = '/namespaces/default/webhooks';
const ofRepo = '/namespaces/default/repos/notes/webhooks';

async function pushed(remote: string, auth: readonly string[], ...refs: readonly string[]): Promise<void> {
  if (work === '') work = makeFolder();
  runGit(['init', '--quiet', '-b', 'main', work]);
  runGit(['commit', '--quiet', '--allow-empty', '-m', refs.join()], { cwd: work });
  const targets = refs.map((ref) => `main:refs/heads/${ref}`);
  await git([...auth, 'push', '--quiet', remote, ...targets], { cwd: work });
}

it('REPO-375, REPO-376, REPO-377, REPO-380: delivers signed events that match, and shows the secret once', async () => {
  const { rest, createRepo } = await start();
  const [all, some] = [await receiver(), await receiver()];
  await rest('POST', '/namespaces', { namespace: 'default' });
  const whole = await rest('POST', ofNamespace, { url: all.url });
  expect([whole.status, Object.keys(whole.result)]).toEqual([
    201,
    ['id', 'url', 'events', 'refs', 'active', 'stopped_reason', 'created_at', 'updated_at', 'last_delivery', 'secret'],
  ]);
  const repo = await createRepo('notes');
  const made = await rest('POST', ofRepo, { url: some.url, events: ['pushed'], refs: ['refs/heads/m*n'] });
  await pushed(repo.remote, repo.auth, 'main', 'side');
  const refs = [{ name: 'refs/tags/v1', hash: runGit(['rev-parse', 'main'], { cwd: work }).toString().trim() }];
  await rest('POST', '/namespaces/default/repos/notes/refs', { updates: refs });
  await rest('DELETE', '/namespaces/default/repos/notes');
  await whenThere(() => expect(all.names().at(-1)).toBe('deleted'));
  expect(all.names().slice(0, 4)).toEqual(['created', 'token.created', 'pushed', 'pushed']);
  await whenThere(() => expect(some.received.map(({ payload }) => payload.ref)).toEqual(['refs/heads/main']));
  const [event] = some.received as [Received];
  expect(new Webhook(String(made.result['secret'])).verify(event.text, event.headers)).toMatchObject({
    metadata: { eventSubscriptionId: made.result['id'] },
  });
  const { result } = await rest('GET', ofNamespace);
  expect(result).toMatchObject([
    { id: whole.result['id'], last_delivery: { event_type: 'repos.repo.deleted', status: 204, error: null } },
  ]);
  expect(JSON.stringify(result)).not.toMatch(/secret|whsec|words/);
});

it('REPO-378, REPO-381, REPO-382: a failing or slow webhook delays no other; ping and change repair it', async () => {
  const { rest, createRepo } = await start();
  const repo = await createRepo('notes');
  let status = 500;
  const [good, bad, silent] = [await receiver(), await receiver(() => status), await receiver(() => undefined)];
  for (const { url } of [good, bad, silent]) await rest('POST', ofRepo, { url });
  await pushed(repo.remote, repo.auth, 'one');
  await whenThere(() => expect(good.names()).toEqual(['pushed']));
  await pushed(repo.remote, repo.auth, 'two');
  await whenThere(() => expect(good.names()).toEqual(['pushed', 'pushed']));
  const list = async () => (await rest('GET', ofRepo)).result as unknown as Record<string, unknown>[];
  const id = String((await list())[1]?.['id']);
  expect((await list())[1]).toMatchObject({
    active: true,
    last_delivery: { status: 500, error: 'the receiver answered 500', event_type: 'repos.repo.pushed' },
  });
  const pinged = await rest('POST', `${ofRepo}/${id}/ping`);
  expect([pinged.status, pinged.result]).toMatchObject([200, { status: 500, event_type: 'repos.repo.ping' }]);
  status = 200;
  expect((await rest('POST', `${ofRepo}/${id}/ping`)).result).toMatchObject({ status: 200, error: null });
  await rest('PATCH', `${ofRepo}/${id}`, { events: ['pushed', 'deleted'] });
  await whenThere(() => expect(bad.names()).toEqual(['ping', 'pushed', 'pushed']));
  expect((await rest('DELETE', `${ofRepo}/${id}`)).status).toBe(204);
  expect((await rest('GET', `${ofRepo}/${id}`)).errors).toMatchObject([{ code: 10200, message: 'Webhook not found' }]);
});

it('REPO-376, REPO-378, REPO-383, LIM-100, LIM-101, LIM-103: refuses other members, and sends nothing to private addresses', async () => {
  const { rest, createRepo, restart } = await start();
  await createRepo('notes');
  const url = 'https://hooks.example/';
  for (const [body, pointer] of [
    [{}, '/url'],
    [{ url: 'http://hooks.example/' }, '/url'],
    [{ url: 'https://user:word@hooks.example/' }, '/url'],
    [{ url: 'https://10.0.0.5/' }, '/url'],
    [{ url: 'https://[::1]/' }, '/url'],
    [{ url: 'https://localhost./' }, '/url'],
    [{ url: 'https://x.localhost/' }, '/url'],
    [{ url: `${url}${'x'.repeat(2_048)}` }, '/url'],
    [{ url, events: [] }, '/events'],
    [{ url, events: ['pushed', 'other'] }, '/events'],
    [{ url, refs: ['main'] }, '/refs'],
    [{ url, refs: [`refs/${'x'.repeat(256)}`] }, '/refs'],
    [{ url, refs: Array.from({ length: 21 }, () => 'refs/*') }, '/refs'],
    [{ url, active: 1 }, '/active'],
    [{ url, secret: 'whsec_short' }, '/secret'],
  ] as const) {
    const { status, errors } = await rest('POST', ofRepo, body);
    expect([status, errors[0]?.code, errors[0]?.source?.pointer], JSON.stringify(body)).toEqual([400, 10100, pointer]);
  }
  expect((await rest('GET', '/namespaces/other/webhooks')).errors).toMatchObject([{ message: 'Namespace not found' }]);
  const { result } = await rest('POST', ofRepo, { url: 'https://127.0.0.1/' });
  const one = `${ofRepo}/${String(result['id'])}`;
  expect((await rest('PATCH', one, { url: 'https://10.0.0.5/' })).status).toBe(400);
  await restart({ settings: {} });
  expect((await rest('POST', `${one}/ping`)).result).toMatchObject({
    status: null,
    error: 'the receiver is not sent to: the host has an address that is not public',
  });
  for (let n = 1; n < 20; n++) expect((await rest('POST', ofRepo, { url })).status).toBe(201);
  expect((await rest('POST', ofRepo, { url })).status).toBe(400);
});

it('REPO-377: goes on after a restart with what waits', async () => {
  const { rest, createRepo, restart } = await start();
  const repo = await createRepo('notes');
  let status = 503;
  const hook = await receiver(() => status);
  await rest('POST', ofRepo, { url: hook.url });
  await pushed(repo.remote, repo.auth, 'main');
  await whenThere(async () => {
    const { result } = await rest('GET', ofRepo);
    expect(result).toMatchObject([{ last_delivery: { status: 503 } }]);
  });
  status = 200;
  await restart();
  await whenThere(() => expect(hook.names()).toEqual(['pushed']));
});
