import { cloudflare, neutral } from '@packhouse/hosting';
import { parsePackId, type PackId } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { askedJurisdictions, testService, type Reply } from '../test-service.test.util.ts';

const error = (reply: Reply) => [
  reply.status,
  reply.json.errors[0]?.code,
  reply.json.errors[0]?.message,
  reply.json.errors[0]?.source?.pointer,
];
const cases = [neutral, cloudflare].flatMap((dialect) =>
  (['memory', 'SQLite'] as const).map((storage) => ({ dialect, storage })),
);
const now = '2026-11-20T09:15:02.114Z';
const reservedName = /^[0-9a-z]{16}$/;

describe.each(cases)('namespaces and repos, $dialect.name on $storage', ({ dialect, storage }) => {
  const start = (settings = {}) => testService({ dialect, storage, settings });

  it('REPO-101: the jurisdictions setting shortens the list, and storage receives the jurisdiction', async () => {
    const { call } = start({ jurisdictions: ['unrestricted', 'eu'] });
    expect(error(await call('POST', '/namespaces', { namespace: 'nn', jurisdiction: 'us' }))).toEqual([
      400,
      10100,
      'Invalid option: expected one of "unrestricted"|"eu"',
      '/jurisdiction',
    ]);
    await call('POST', '/namespaces', { namespace: 'nn', jurisdiction: 'eu' });
    const { id } = (await call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    expect(askedJurisdictions.get(id)).toBe('eu');
  });

  it('REPO-073, REPO-105, REPO-106: an empty namespace is deleted with 204 and nothing else', async () => {
    const { call, pass } = start();
    await call('POST', '/namespaces/nn/repos', { name: 'r' });
    expect(error(await call('DELETE', '/namespaces/nn'))).toEqual([409, 10202, 'Namespace is not empty', undefined]);
    pass(5);
    await call('DELETE', '/namespaces/nn/repos/r');
    expect((await call('GET', '/namespaces/nn')).json.result).toMatchObject({
      repo_count: 0,
      created_at: now,
      updated_at: '2026-11-20T09:15:07.114Z',
    });
    const deleted = await call('DELETE', '/namespaces/NN');
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null]);
    expect(error(await call('DELETE', '/namespaces/nn'))).toEqual([404, 10200, 'Namespace not found', undefined]);
  });

  it('REPO-105, REPO-171, REPO-181: deletes and creations are refused during a deletion', async () => {
    const catalog = {
      createNamespace: async () => 'deleting',
      deleteNamespace: async () => 'deleting',
      reserveRepo: async () => ({ kind: 'deleting' }),
    };
    const slow = testService({ dialect, storage, catalog: () => catalog as never });
    const running = [409, 10305, 'Namespace deletion in progress', undefined];
    expect(error(await slow.call('DELETE', '/namespaces/nn'))).toEqual(running);
    expect(error(await slow.call('POST', '/namespaces', { namespace: 'nn' }))).toEqual(running);
    expect(error(await slow.call('POST', '/namespaces/nn/repos', { name: 'r' }))).toEqual(running);
  });

  it('REPO-053, REPO-074, REPO-102, REPO-110, REPO-111, REPO-113: a repo is created with its namespace and a token', async () => {
    const { call } = start();
    const created = await call('POST', '/namespaces/Team/repos', {
      name: 'Notes',
      description: 'Ünd 😀',
      default_branch: 'trunk/x',
      read_only: true,
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('cache-control')).toBe('no-store');
    const { result } = created.json;
    expect(result).toEqual({
      id: expect.stringMatching(reservedName),
      name: 'Notes',
      description: 'Ünd 😀',
      default_branch: 'trunk/x',
      remote: 'http://127.0.0.1:8787/git/a1/Team/Notes.git',
      token: expect.stringMatching(new RegExp(`^${dialect.tokenPrefix}[0-9a-f]{40}\\?expires=1795252502$`)),
    });
    expect(Object.keys(result)).toEqual(['id', 'name', 'description', 'default_branch', 'remote', 'token']);
    expect((await call('GET', '/namespaces/team')).json.result).toMatchObject({
      namespace: 'Team',
      jurisdiction: 'unrestricted',
      repo_count: 1,
    });
    const tokens = (await call('GET', '/namespaces/TEAM/repos/notes/tokens')).json.result;
    expect(tokens).toEqual([
      {
        id: expect.stringMatching(reservedName),
        scope: 'write',
        state: 'active',
        created_at: now,
        expires_at: '2026-11-21T09:15:02.114Z',
      },
    ]);
    const plain = (await call('POST', '/namespaces/team/repos', { name: 'plain' })).json.result;
    expect(plain).toMatchObject({
      description: null,
      default_branch: 'main',
      remote: 'http://127.0.0.1:8787/git/a1/Team/plain.git',
    });
  });

  it('REPO-051, REPO-058, REPO-076, REPO-239: a repo is shown with its members in order', async () => {
    const { call } = start();
    const { id } = (await call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    const { text, json } = await call('GET', '/namespaces/NN/repos/R');
    expect(JSON.stringify(json.result)).toBe(
      `{"id":"${id}","name":"r","description":null,"default_branch":"main","created_at":"${now}","updated_at":"${now}","last_push_at":null,"source":null,"read_only":false,"remote":"http://127.0.0.1:8787/git/a1/nn/r.git","size":0,"object_count":0,"ref_count":0}`,
    );
    expect(text).not.toContain('status');
    expect(error(await call('GET', '/namespaces/nn/repos/none'))).toEqual([
      404,
      10200,
      'Repository not found',
      undefined,
    ]);
    expect(error(await call('GET', '/namespaces/none/repos/r'))).toEqual([
      404,
      10200,
      'Repository not found',
      undefined,
    ]);
  });

  it('REPO-077, REPO-116, REPO-117, REPO-118, LIM-015: deletes at once, remembers the name, erases the bytes', async () => {
    const service = start();
    const { call, pass, leftovers, removed } = service;
    const { id, token } = (await call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    const pack = parsePackId('a'.repeat(32)) as PackId;
    leftovers.push(pack);
    const deleted = await call('DELETE', '/namespaces/NN/repos/R');
    expect([deleted.status, deleted.json.result]).toEqual([202, { id }]);
    expect((await call('GET', '/namespaces/nn/repos/r')).status).toBe(404);
    expect((await call('GET', '/namespaces/nn/repos')).json.result).toEqual([]);
    const secret = token.split('?')[0];
    const request = { account: 'a1', namespace: 'nn', repo: 'r', secret, service: 'git-upload-pack' as const };
    await expect(service.hosting.openForGit(request)).rejects.toMatchObject({ reason: 'invalid token' });
    await service.settled();
    expect(removed).toEqual([pack]);
    pass(599);
    expect((await call('DELETE', '/namespaces/nn/repos/r')).json.result).toEqual({ id });
    const again = (await call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    expect(again.id).not.toBe(id);
    await expect(service.hosting.openForGit(request)).rejects.toMatchObject({ reason: 'invalid token' });
    expect((await call('DELETE', '/namespaces/nn/repos/r')).json.result).toEqual({ id: again.id });
    pass(600);
    expect(error(await call('DELETE', '/namespaces/nn/repos/r'))).toEqual([
      404,
      10200,
      'Repository not found',
      undefined,
    ]);
    expect(error(await call('DELETE', '/namespaces/nn/repos/never'))).toEqual([
      404,
      10200,
      'Repository not found',
      undefined,
    ]);
  });

  it('REPO-116: a deletion that fails half-way is not acknowledged, and a repetition finishes it', async () => {
    const service = start();
    const { token } = (await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    const request = {
      account: 'a1',
      namespace: 'nn',
      repo: 'r',
      secret: token.split('?')[0],
      service: 'git-upload-pack' as const,
    };
    await service.hosting.openForGit(request);
    service.faults.set('erase', new Error('disk'));
    expect((await service.call('DELETE', '/namespaces/nn/repos/r')).status).toBe(500);
    expect((await service.call('DELETE', '/namespaces/nn/repos/r')).status).toBe(202);
    await expect(service.hosting.openForGit(request)).rejects.toMatchObject({ reason: 'invalid token' });
  });

  it.each(['begin', 'publishRepo'])(
    'REPO-044, REPO-180: a creation that fails in %s leaves neither repo nor name',
    async (step) => {
      const service = start();
      service.faults.set(step, new Error('disk'));
      expect((await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).status).toBe(500);
      expect((await service.call('GET', '/namespaces/nn/repos')).json.result).toEqual([]);
      expect((await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).status).toBe(201);
    },
  );

  it.each(['begin', 'publishRepo'])(
    'REPO-133: the sweep drops a creation that died in %s, even after a failed sweep',
    async (step) => {
      const service = start();
      service.faults.set(step, new Error('killed'));
      service.faults.set('dropRepo', new Error('killed'));
      await service.call('POST', '/namespaces/nn/repos', { name: 'r' });
      expect((await service.call('GET', '/namespaces/nn/repos')).json.result[0].status).toBe('creating');
      const reply = await service.call('GET', '/namespaces/nn/repos/r');
      expect(error(reply)).toEqual([409, 10301, 'Repository creation in progress', undefined]);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect((await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).status).toBe(409);
      await service.hosting.sweep('a1');
      expect((await service.call('GET', '/namespaces/nn/repos')).json.result.length).toBe(1);
      service.pass(30);
      service.faults.set('erase', new Error('killed'));
      await service.hosting.sweep('a1');
      expect(service.reported).toEqual([new Error('killed')]);
      await service.hosting.sweep('a1');
      await service.hosting.sweep('a1');
      expect((await service.call('GET', '/namespaces/nn/repos')).json.result).toEqual([]);
      expect((await service.call('DELETE', '/namespaces/nn/repos/r')).status).toBe(404);
      expect((await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).status).toBe(201);
    },
  );

  it('REPO-089, REPO-119: a repo in creation answers 409, except to DELETE, which cancels the creation', async () => {
    const service = start();
    service.faults.set('publishRepo', new Error('killed'));
    service.faults.set('dropRepo', new Error('killed'));
    await service.call('POST', '/namespaces/nn/repos', { name: 'r' });
    for (const reply of [
      await service.call('GET', '/namespaces/nn/repos/r/tokens'),
      await service.call('POST', '/namespaces/nn/tokens', { repo: 'r' }),
    ]) {
      expect(error(reply)).toEqual([409, 10301, 'Repository creation in progress', undefined]);
    }
    expect((await service.call('DELETE', '/namespaces/nn/repos/r')).status).toBe(202);
    expect((await service.call('GET', '/namespaces/nn')).json.result.repo_count).toBe(0);
  });

  it('REPO-053, REPO-078: the reply to a fork has its number of objects and a token', async () => {
    const { call } = testService({ dialect, storage });
    await call('POST', '/namespaces/nn/repos', { name: 'r' });
    const made = await call('POST', '/namespaces/nn/repos/r/fork', { name: 'f', read_only: true });
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(made.json.result).toMatchObject({ name: 'f', default_branch: 'main', objects: 0 });
  });

  it('REPO-118: erases again after a day, because a push may have been running', async () => {
    const service = start();
    await service.call('POST', '/namespaces/nn/repos', { name: 'r' });
    await service.call('DELETE', '/namespaces/nn/repos/r');
    await service.settled();
    const late = parsePackId('b'.repeat(32)) as PackId;
    service.leftovers.push(late);
    await service.hosting.sweep('a1');
    expect(service.removed).toEqual([]);
    service.pass(23 * 3600);
    await service.hosting.sweep('a1');
    expect(service.removed).toEqual([late]);
    service.pass(3600);
    await service.hosting.sweep('a1');
    expect(service.removed).toEqual([late]);
  });

  it('REPO-057: a push moves updated_at and last_push_at', async () => {
    const service = start();
    const { id } = (await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    service.pass(60);
    await service.hosting.touch('a1', id, { pushedAt: service.hosting.clock.now(), bytes: 10, version: 2 });
    const later = '2026-11-20T09:16:02.114Z';
    expect((await service.call('GET', '/namespaces/nn/repos/r')).json.result).toMatchObject({
      created_at: now,
      updated_at: later,
      last_push_at: later,
    });
  });
});
