/** Events of repositories and tokens, as a listener gets them from a server. */

import type { DeliveredEvent, OnEvent } from '@packhouse/hosting';
import { afterEach, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const repos = '/namespaces/default/repos';
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

/** Starts a server with a listener that records its events. `before` may delay or fail each event. */
async function listened(
  { dialect }: { dialect?: 'cloudflare' } = {},
  before: OnEvent = async () => {},
): Promise<{ server: TestServer; taken: DeliveredEvent[]; settled: (count: number) => Promise<void> }> {
  const taken: DeliveredEvent[] = [];
  const config = { settings: {}, ...(dialect === undefined ? {} : { dialect }) };
  const started = await startTestServer(config, undefined, async (event, signal) => {
    await before(event, signal);
    taken.push(event);
  });
  server = started;
  const settled = (count: number): Promise<void> =>
    vi.waitFor(() => expect(taken).toHaveLength(count), { timeout: 10_000, interval: 5 });
  return { server: started, taken, settled };
}

it('REPO-018, REPO-019, REPO-190 to REPO-193, REPO-197: tells what becomes of a repo and its tokens, in order', async () => {
  const { server, taken, settled } = await listened();
  const repo = await server.createRepo('notes', { description: 'words', default_branch: 'trunk' });
  const made = await server.rest('POST', '/namespaces/default/tokens', { repo: 'notes', scope: 'read', ttl: 600 });
  const id = String(made.result['id']);
  await server.rest('DELETE', `/namespaces/default/tokens/${id}`);
  await server.rest('DELETE', `/namespaces/default/tokens/${id}`);
  await server.rest('DELETE', `${repos}/notes`);
  await server.rest('DELETE', `${repos}/notes`);
  await settled(5);
  const metadata = {
    accountId: 'local',
    eventSubscriptionId: expect.stringMatching(/^[0-9a-z]{16}$/),
    eventSchemaVersion: 1,
    eventTimestamp: time,
  };
  const ofAccount = { type: 'repos', namespace: 'default', repoName: 'notes' };
  const ofRepo = { type: 'repos.repo', namespace: 'default', repoName: 'notes' };
  const payload = {
    repoId: repo.id,
    defaultBranch: 'trunk',
    description: 'words',
    readOnly: false,
    createdAt: time,
    updatedAt: time,
    lastPushAt: null,
  };
  const token = { tokenId: expect.stringMatching(/^[0-9a-z]{16}$/), scope: 'write', expiresAt: time };
  expect(taken.map(({ body }) => body)).toEqual([
    { type: 'repos.repo.created', source: ofAccount, payload, metadata },
    { type: 'repos.repo.token.created', source: ofRepo, payload: token, metadata },
    {
      type: 'repos.repo.token.created',
      source: ofRepo,
      payload: { tokenId: id, scope: 'read', expiresAt: made.result['expires_at'] },
      metadata,
    },
    { type: 'repos.repo.token.revoked', source: ofRepo, payload: { tokenId: id }, metadata },
    { type: 'repos.repo.deleted', source: ofAccount, payload, metadata },
  ]);
  expect(Object.keys(taken[0]?.body ?? {})).toEqual(['type', 'source', 'payload', 'metadata']);
  expect(taken.every(({ type, body }) => type === body.type)).toBe(true);
  expect(new Set(taken.map((event) => event.id)).size).toBe(5);
  expect(new Set(taken.map(({ body }) => body.metadata.eventSubscriptionId)).size).toBe(1);
  expect(server.failures).toEqual([]);
});

it('REPO-192: reports a fork under the name of its parent', async () => {
  const { server, taken, settled } = await listened();
  const parent = await server.createRepo('parent');
  const { status, result } = await server.rest('POST', `${repos}/parent/fork`, { name: 'child', description: 'ours' });
  expect(status).toBe(201);
  await settled(4);
  const forked = taken.find(({ type }) => type === 'repos.repo.forked');
  expect(forked?.body).toMatchObject({
    source: { type: 'repos', namespace: 'default', repoName: 'parent' },
    payload: { repoId: result['id'], description: 'ours', namespace: 'default', repoName: 'child', lastPushAt: null },
  });
  expect(forked?.body.payload['repoId']).not.toBe(parent.id);
  const ofChild = taken.filter(({ body }) => body.source.repoName === 'child' || body === forked?.body);
  expect(ofChild.map(({ type }) => type)).toEqual(['repos.repo.forked', 'repos.repo.token.created']);
});

it('REPO-190: what is refused or rolled back has no event', async () => {
  const { server, taken, settled } = await listened();
  await server.createRepo('notes');
  await settled(2);
  const statuses = [
    await server.rest('POST', repos, { name: 'notes' }),
    await server.rest('POST', `${repos}/notes/fork`, { name: 'notes' }),
    await server.rest('POST', `${repos}/copy/import`, { url: 'https://127.0.0.1/none' }),
    await server.rest('POST', '/namespaces/default/tokens', { repo: 'other' }),
    await server.rest('DELETE', '/namespaces/default/tokens/0123456789abcdef'),
    await server.rest('DELETE', `${repos}/other`),
  ].map(({ status }) => status);
  expect(statuses.every((status) => status >= 400)).toBe(true);
  await server.rest('DELETE', `${repos}/notes`);
  await settled(3);
  expect(taken.at(-1)?.type).toBe('repos.repo.deleted');
});

it('REPO-018, REPO-019: has the names of the dialect', async () => {
  const { server, taken, settled } = await listened({ dialect: 'cloudflare' });
  const response = await fetch(`${server.url}/client/v4/accounts/local/artifacts${repos}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'notes' }),
  });
  expect(response.status).toBe(201);
  await settled(2);
  expect(taken.map(({ body }) => [body.type, body.source.type])).toEqual([
    ['cf.artifacts.repo.created', 'artifacts'],
    ['cf.artifacts.repo.token.created', 'artifacts.repo'],
  ]);
});

it('REPO-198, REPO-201: a listener that does not end keeps the events of one repo, no change and no other repo', async () => {
  const { server, taken, settled } = await listened({}, async ({ body }) => {
    if (body.source.repoName === 'stuck') await new Promise(() => {});
  });
  await server.createRepo('stuck');
  for (let i = 0; i < 20; i++) await server.createRepo(`free${i}`);
  await settled(40);
  expect(taken.some(({ body }) => body.source.repoName === 'stuck')).toBe(false);
  expect((await server.rest('DELETE', `${repos}/stuck`)).status).toBe(202);
});

it('REPO-190, REPO-198: what was on its way when a server stopped comes from the next one, with its id', async () => {
  const begun: string[] = [];
  let isHeld = true;
  const { server, taken, settled } = await listened({}, async ({ id }, signal) => {
    begun.push(id);
    if (isHeld) await new Promise((_, reject) => signal.addEventListener('abort', reject));
  });
  await server.createRepo('notes');
  await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 10_000, interval: 5 });
  await server.rest('DELETE', `${repos}/notes`);
  await server.restart(undefined, () => {
    isHeld = false;
  });
  await settled(3);
  expect(taken.map(({ type }) => type)).toEqual(
    ['created', 'token.created', 'deleted'].map((name) => `repos.repo.${name}`),
  );
  expect(begun[0]).toBe(taken[0]?.id);
  expect(server.failures).toEqual([]);
});

it('REPO-011: distinguishes equal names of two accounts, and delivers to the subscriptions of each account', async () => {
  const taken: DeliveredEvent[] = [];
  const settings = { accounts: ['local', 'other'] };
  server = await startTestServer({ settings }, undefined, async (event) => void taken.push(event));
  const { id } = await server.createRepo('notes');
  const response = await fetch(`${server.url}/v4/accounts/other/repos${repos}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'notes' }),
  });
  const made = (await response.json()) as { result: { id: string } };
  await vi.waitFor(() => expect(taken).toHaveLength(4), { timeout: 10_000, interval: 5 });
  const created = taken.filter(({ type }) => type.endsWith('.repo.created')).map(({ body }) => body);
  const of = (account: string) => created.find(({ metadata }) => metadata.accountId === account);
  expect([of('local')?.payload['repoId'], of('other')?.payload['repoId']]).toEqual([id, made.result.id]);
  const subscriptions = new Set(
    taken.map(({ body }) => `${body.metadata.accountId} ${body.metadata.eventSubscriptionId}`),
  );
  expect(subscriptions.size).toBe(2);
  expect(of('local')?.metadata.eventSubscriptionId).not.toBe(of('other')?.metadata.eventSubscriptionId);
});
