import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { commitFile, git, newRepository } from './support/git.ts';
import { startLocalService, type LocalService } from './support/local-service.ts';

/** Events that a webhook on loopback received, and below the status that it returns. */
const sent: { readonly id: string; readonly type: string; readonly repo: string; readonly path: string }[] = [];
let answer = 204;
let sink: Server;
let origin: string;
let service: LocalService;

beforeAll(async () => {
  sink = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { type, source } = JSON.parse(text) as { type: string; source: { repoName: string } };
    if (answer === 204) {
      sent.push({
        id: String(request.headers['webhook-id']),
        type: type.replace('repos.repo.', ''),
        repo: source.repoName,
        path: request.url ?? '',
      });
    }
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  service = await startLocalService({
    webhook_url: `${origin}/hook`,
    user_webhook_allow: ['127.0.0.1'],
    webhook_allow: ['127.0.0.1'],
    webhook_secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  });
});

afterAll(async () => {
  await service.close();
  await new Promise((resolve) => sink.close(resolve));
});

const told = (repo: string): string[] =>
  sent.filter((event) => event.repo === repo && event.path === '/hook').map(({ type }) => type);
const waitFor = (repo: string, types: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(told(repo)).toEqual(types), { timeout: 15_000, interval: 20 });

it('REPO-190, REPO-198: the object of a repository tells what becomes of it, in order, and that it is gone', async () => {
  const folder = await newRepository();
  try {
    const { remote } = await service.createRepo('notes');
    await commitFile(folder, 'first');
    await git(['push', '-q', remote, 'main'], folder);
    const path = '/namespaces/default/tokens';
    const { body } = await service.rest('POST', path, { repo: 'notes' });
    await service.rest('DELETE', `${path}/${String(body.result['id'])}`);
    await service.rest('DELETE', '/namespaces/default/repos/notes');
    await waitFor('notes', ['created', 'token.created', 'pushed', 'token.created', 'token.revoked', 'deleted']);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('REPO-377: the object of a repository delivers to its webhooks, beside the sink', async () => {
  const folder = await newRepository();
  try {
    const { remote } = await service.createRepo('hooked');
    const path = '/namespaces/default/repos/hooked';
    const made = await service.rest('POST', `${path}/webhooks`, {
      url: `${origin}/user`,
      events: ['pushed', 'deleted'],
    });
    expect(made.status).toBe(201);
    expect((await service.rest('POST', '/namespaces/default/webhooks', { url: `${origin}/user` })).status).toBe(400);
    await commitFile(folder, 'first');
    await git(['push', '-q', remote, 'main'], folder);
    await service.rest('DELETE', path);
    const toUser = (): string[] => sent.filter((event) => event.path === '/user').map(({ type }) => type);
    await vi.waitFor(() => expect(toUser()).toEqual(['pushed', 'deleted']), { timeout: 15_000, interval: 20 });
    await waitFor('hooked', ['created', 'token.created', 'pushed', 'deleted']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('REPO-201: a sink that fails delays no change, and is tried again', async () => {
  answer = 500;
  const { id } = await service.createRepo('later');
  expect((await service.rest('DELETE', '/namespaces/default/repos/later')).status).toBe(202);
  const failed = new RegExp(`of repo ${id} was not taken, try 1: the webhook sink answered 500$`);
  await vi.waitFor(() => expect(service.lines.some((line) => failed.test(String(line['message'])))).toBe(true), {
    timeout: 15_000,
    interval: 20,
  });
  expect(told('later')).toEqual([]);
});
