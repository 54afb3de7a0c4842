import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { commitFile, git, newRepository, tryGit } from './support/git.ts';
import { startLocalService, type LocalService } from './support/local-service.ts';

let service: LocalService | undefined;

afterEach(() => service?.close());

it('a wrong setting answers 500, and the log names it', async () => {
  service = await startLocalService({ docs_base: 'nonsense' });
  const response = await fetch(`${service.url}/healthz`);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('docs_base');
  // The log arrives separately from the reply.
  await expect.poll(() => service?.lines.length).toBe(1);
  const [line] = service.lines;
  expect(line).toMatchObject({ level: 'error', event: 'configuration' });
  expect(String(line?.['message'])).toMatch(/^docs_base: must be a URL/);
});

it('REPO-009: a request is one line of the log, without token or query', async () => {
  service = await startLocalService();
  const repo = await service.createRepo('logged');
  const { password } = new URL(repo.remote);
  await fetch(`${service.url}/git/local/default/logged.git/info/refs?service=git-upload-pack&x=${password}`);
  const [line] = await service.requests('/info/refs', 1);
  expect(line).toMatchObject({ event: 'request', method: 'GET', status: 401, account: 'local', object_calls: 0 });
  expect(JSON.stringify(service.lines)).not.toContain(password);
  expect(service.lines.filter(({ event }) => event === 'request')).toHaveLength(2);
});

it('REPO-101: stores pushes to a namespace of a jurisdiction in the bucket of that jurisdiction', async () => {
  service = await startLocalService();
  const folder = await newRepository();
  try {
    const namespace = { namespace: 'in-eu', jurisdiction: 'eu' };
    expect(await service.rest('POST', '/namespaces', namespace)).toMatchObject({ status: 201 });
    const { body } = await service.rest('POST', '/namespaces/in-eu/repos', { name: 'bound' });
    const secret = String(body.result['token']).split('?')[0];
    const remote = `http://x:${secret}@${new URL(service.url).host}/git/local/in-eu/bound.git`;
    await commitFile(folder, 'large', 3_000_000);
    await git(['push', '-q', remote, 'main'], folder);
    const stored = (name: string): number => {
      const blobs = join((service as LocalService).folder, 'workerd', 'buckets', name, 'blobs');
      return existsSync(blobs) ? readdirSync(blobs).length : 0;
    };
    expect([stored('PACKS'), stored('PACKS_EU'), stored('PACKS_US')]).toEqual([0, 3, 0]);
    const copy = join(folder, '.copy');
    await git(['clone', '-q', '--bare', remote, copy]);
    expect(await git(['fsck', '--full'], copy)).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('GIT-031, LIM-053: requests above the rate are refused in the object of the repo, and only there', async () => {
  service = await startLocalService({ rate_git: { requests: 3, seconds: 3600 } });
  const [one, other] = [await service.createRepo('one'), await service.createRepo('other')];
  for (let i = 0; i < 3; i++) await git(['-c', 'protocol.version=0', 'ls-remote', one.remote]);
  const refused = await tryGit(['-c', 'protocol.version=0', 'ls-remote', one.remote]);
  expect(refused.stderr).toContain('429');
  const { username, password } = new URL(one.remote);
  const response = await fetch(`${service.url}/git/local/default/one.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
  });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(await response.text()).toBe('Rate limit exceeded: 3 requests in 3600 s (rate_git)');
  await git(['ls-remote', other.remote]);
});

it('GIT-158: a deleted repo answers like one that never was, though its name is remembered', async () => {
  service = await startLocalService();
  const { remote } = await service.createRepo('short-lived');
  await git(['ls-remote', remote]);
  expect((await service.rest('DELETE', '/namespaces/default/repos/short-lived')).status).toBe(202);
  expect((await tryGit(['ls-remote', remote])).stderr).toContain('403');
  await service.createRepo('short-lived');
  expect((await tryGit(['ls-remote', remote])).stderr).toContain('403');
});

it('a client that leaves while it sends is no error, and moves nothing', async () => {
  service = await startLocalService();
  const { remote } = await service.createRepo('left');
  const { origin, pathname, username, password } = new URL(remote);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const head = [
    `POST ${pathname}/git-receive-pack HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `Authorization: Basic ${btoa(`${username}:${password}`)}`,
    'Content-Type: application/x-git-receive-pack-request',
    'Content-Length: 1000000',
  ];
  const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0report-status`;
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  await new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${line}PACK`, () => resolve());
  });
  while (service.workerd.running() === 0) await new Promise((resolve) => setTimeout(resolve, 25));
  socket.destroy();
  const [entry] = await service.requests('/git-receive-pack', 1);
  expect(entry).toMatchObject({ level: 'info', status: 0, whole: false });
  expect(service.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(await git(['ls-remote', remote])).toBe('');
});
