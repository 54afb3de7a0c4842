import { nodeCodec } from '@packhouse/git/codec-node';
import { createGitEngine, parseObjectId, parseRefName, type ObjectId, type RefName } from '@packhouse/git';
import { cloudflare, neutral } from '@packhouse/hosting';
import { describe, expect, it } from 'vitest';
import { testService, type Reply, type TestService } from '../test-service.test.util.ts';

const cases = [neutral, cloudflare].flatMap((dialect) =>
  (['memory', 'SQLite'] as const).map((storage) => ({ dialect, storage })),
);
const error = (reply: Reply) => [
  reply.status,
  reply.json.errors[0]?.code,
  reply.json.errors[0]?.message,
  reply.json.errors[0]?.source?.pointer,
];

describe.each(cases)('tokens, $dialect.name on $storage', ({ dialect, storage }) => {
  const start = async (settings = {}) => {
    const service = testService({ dialect, storage, settings });
    const { id, token } = (await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    return { ...service, id: id as string, token: token as string };
  };
  const open = (service: TestService, plaintext: string, repo = 'r', more = {}) =>
    service.hosting.openForGit({
      account: 'a1',
      namespace: 'nn',
      repo,
      secret: plaintext.split('?')[0] as string,
      service: 'git-receive-pack',
      ...more,
    });
  const mint = async (service: TestService, more: object = {}) =>
    (await service.call('POST', '/namespaces/nn/tokens', { repo: 'r', ...more })).json.result;
  const list = async (service: TestService, query = '') =>
    (await service.call('GET', `/namespaces/nn/repos/r/tokens${query}`)).json;

  it('TOKEN-001, TOKEN-009, REPO-045, REPO-087: minting returns the plaintext, only once', async () => {
    const service = await start();
    const reply = await service.call('POST', '/namespaces/NN/tokens', { repo: 'R', scope: 'read', ttl: 3600 });
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(Object.keys(reply.json.result)).toEqual(['id', 'plaintext', 'scope', 'expires_at']);
    expect(reply.json.result).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/),
      plaintext: expect.stringMatching(new RegExp(`^${dialect.tokenPrefix}[0-9a-f]{40}\\?expires=1795169702$`)),
      scope: 'read',
      expires_at: '2026-11-20T10:15:02.114Z',
    });
    expect(await mint(service)).toMatchObject({ scope: 'write', expires_at: '2026-11-21T09:15:02.114Z' });
    const listed = await service.call('GET', '/namespaces/nn/repos/r/tokens?state=all');
    expect(listed.headers.get('cache-control')).toBe(null);
    expect(listed.text).not.toContain(dialect.tokenPrefix);
    const all = { state: 'all', at: 0, limit: 100, offset: 0 } as const;
    for (const { secretHash } of (await (await open(service, service.token)).repo.state.tokens(all)).tokens)
      expect(secretHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('REPO-086, REPO-095, TOKEN-010, LIM-017: lists newest first, by state, in the offset form', async () => {
    const service = await start();
    const minted: string[] = [];
    for (let i = 0; i < 4; i++) {
      service.pass(1);
      minted.unshift((await mint(service, { ttl: i === 0 ? 60 : 600 })).id);
    }
    await service.call('DELETE', `/namespaces/nn/tokens/${minted[0]}`);
    service.pass(100);
    const ids = async (query: string) => (await list(service, query)).result.map(({ id }: { id: string }) => id);
    expect(await ids('?state=revoked')).toEqual([minted[0]]);
    expect(await ids('?state=expired')).toEqual([minted[3]]);
    expect((await ids('')).slice(0, 2)).toEqual([minted[1], minted[2]]);
    expect((await ids('?state=all')).slice(0, 4)).toEqual(minted);
    const page = await list(service, '?state=all&per_page=2&page=2');
    expect(page.result.length).toBe(2);
    expect(page.result_info).toEqual({ page: 2, per_page: 2, total_pages: 3, count: 2, total_count: 5 });
    expect(Object.keys(page.result[0])).toEqual(['id', 'scope', 'state', 'created_at', 'expires_at']);
    expect((await list(service)).result_info).toMatchObject({ page: 1, per_page: 30 });
    expect((await list(service, '?per_page=101')).errors[0]).toMatchObject({ source: { pointer: '/per_page' } });
    expect((await list(service, '?state=x')).errors[0]?.message).toBe(
      'Invalid option: expected one of "active"|"expired"|"revoked"|"all"',
    );
    expect(error(await service.call('GET', '/namespaces/nn/repos/none/tokens'))).toEqual([
      404,
      10200,
      'Repository not found',
      undefined,
    ]);
  });

  it('TOKEN-007, TOKEN-008, TOKEN-012, REPO-088: a token ends when it expires or is revoked, for good', async () => {
    const service = await start();
    const { id, plaintext } = await mint(service, { ttl: 60 });
    await expect(open(service, plaintext)).resolves.toBeDefined();
    service.pass(59.999);
    await expect(open(service, plaintext)).resolves.toBeDefined();
    service.pass(0.001);
    await expect(open(service, plaintext)).rejects.toMatchObject({ reason: 'invalid token' });
    const revoke = (path: string) => service.call('DELETE', path);
    expect((await revoke(`/namespaces/nn/tokens/${id}`)).json.result).toEqual({ id });
    expect((await list(service, '?state=expired')).result.length).toBe(1);
    const other = await mint(service, { ttl: 60 });
    for (let i = 0; i < 2; i++) expect([(await revoke(`/namespaces/NN/tokens/${other.id}`)).status]).toEqual([200]);
    await expect(open(service, other.plaintext)).rejects.toMatchObject({ reason: 'invalid token' });
    service.pass(100);
    expect((await list(service, '?state=revoked')).result).toMatchObject([{ id: other.id, state: 'revoked' }]);
    for (const path of ['/namespaces/mm/tokens/', '/namespaces/none/tokens/']) {
      expect(error(await revoke(`${path}${other.id}`))).toEqual([404, 10200, 'Token not found', undefined]);
    }
    for (const bad of ['0'.repeat(16), 'x', 'A'.repeat(16), '%20']) {
      expect(error(await revoke(`/namespaces/nn/tokens/${bad}`))).toEqual([404, 10200, 'Token not found', undefined]);
    }
  });

  it('TOKEN-011, LIM-011: keeps the newest ended tokens and all active ones', async () => {
    const service = await start({ token_history: 2 });
    for (let i = 0; i < 4; i++) {
      await mint(service, { ttl: 60 + i });
      service.pass(1);
    }
    service.pass(100);
    const { id } = await mint(service);
    const all = (await list(service, '?state=all')).result;
    expect(all.map(({ state }: { state: string }) => state)).toEqual(['active', 'expired', 'expired', 'active']);
    expect(all[0].id).toBe(id);
    for (const token of all)
      expect((await service.call('DELETE', `/namespaces/nn/tokens/${token.id}`)).status).toBe(200);
  });

  it('LIM-011: the catalog drops the tokens that their repo no longer keeps', async () => {
    const service = await start({ token_history: 3 });
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      service.pass(1);
      const { id } = await mint(service, { ttl: 31_536_000 });
      ids.push(id);
      expect((await service.call('DELETE', `/namespaces/nn/tokens/${id}`)).status).toBe(200);
    }
    const { state } = (await open(service, service.token)).repo;
    const kept = await state.tokens({ state: 'all', at: 0, limit: 100, offset: 0 });
    // Minting drops ended tokens, and the last revocation came after the last mint. So one more ended token stays.
    expect(kept.total).toBe(1 + 3 + 1);
    const known = await Promise.all(ids.map((id) => service.catalog('a1').tokenRepo(id)));
    expect(ids.filter((_, i) => known[i] !== undefined)).toEqual(ids.slice(-4));

    // A failing cleanup does not fail the reply, because only this reply has the plaintext.
    service.faults.set('dropTokens', new Error('disk'));
    expect((await service.call('POST', '/namespaces/nn/tokens', { repo: 'r' })).status).toBe(201);
    expect(service.reported).toEqual([new Error('disk')]);
  });

  it('TOKEN-004, TOKEN-005, TOKEN-006, GIT-026, GIT-034: a token opens only its own repo, within its scope', async () => {
    const service = await start();
    await service.call('POST', '/namespaces/nn/repos', { name: 'frozen', read_only: true });
    const read = await mint(service, { scope: 'read' });
    const write = (await service.call('POST', '/namespaces/nn/tokens', { repo: 'frozen' })).json.result;
    const upload = { service: 'git-upload-pack' };
    expect((await open(service, `${service.token}0`, 'R')).token.scope).toBe('write');
    expect((await open(service, read.plaintext, 'r', upload)).head.id).toBe(service.id);
    await expect(open(service, read.plaintext)).rejects.toMatchObject({
      reason: 'scope',
      status: 403,
      message: 'Insufficient permissions',
    });
    await expect(open(service, write.plaintext, 'frozen')).rejects.toMatchObject({
      reason: 'read-only',
      message: 'Repository is read-only',
    });
    await expect(open(service, write.plaintext, 'frozen', upload)).resolves.toBeDefined();
    const refusals = [
      () => open(service, service.token, 'frozen'),
      () => open(service, service.token, 'none'),
      () => open(service, service.token, 'r', { namespace: 'other' }),
      () => open(service, service.token, 'r', { account: 'a2' }),
      () => open(service, service.token, 'r', { account: 'nobody' }),
      () => open(service, `${dialect.tokenPrefix}${'0'.repeat(40)}`),
    ];
    for (const refusal of refusals) {
      await expect(refusal()).rejects.toMatchObject({
        reason: 'invalid token',
        status: 403,
        message: 'Invalid or expired token',
      });
    }
    await expect(open(service, 'edit-a1')).rejects.toMatchObject({
      reason: dialect.explainsForeignTokens ? 'foreign token' : 'invalid token',
    });
  });

  it('TOKEN-005, TOKEN-013, GIT-162: tokens end with their repo, even while its id is remembered', async () => {
    const service = await start();
    const { id } = await mint(service);
    await open(service, service.token);
    await service.call('DELETE', '/namespaces/nn/repos/r');
    expect((await service.call('DELETE', `/namespaces/nn/tokens/${id}`)).status).toBe(404);
    const again = (await service.call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    await expect(open(service, service.token)).rejects.toMatchObject({ reason: 'invalid token' });
    expect((await open(service, again.token)).head.id).toBe(again.id);
  });

  it('REPO-028: tokens outlive a change of dialect', async () => {
    const service = await start();
    const other = dialect === neutral ? cloudflare : neutral;
    const { createHosting } = await import('@packhouse/hosting');
    const { repo } = await open(service, service.token);
    const found = { id: service.id, jurisdiction: 'unrestricted', status: 'ready' };
    const moved = createHosting({
      engine: createGitEngine({ codec: nodeCodec() }),
      dialect: other,
      catalog: () => ({ repo: async () => found }) as never,
      storage: { repo: () => repo, sharePacks: async () => false },
      authorizer: { authorize: async () => undefined },
      clock: service.hosting.clock,
      settings: { accounts: ['a1'] },
    });
    const secret = service.token.split('?')[0] as string;
    const access = await moved.openForGit({
      account: 'a1',
      namespace: 'nn',
      repo: 'r',
      secret,
      service: 'git-receive-pack',
    });
    expect(access.head.id).toBe(service.id);
  });

  it('LIM-053, GIT-008, GIT-031: Git requests are counted per repo, after the credential and before the scope', async () => {
    const service = await start({ rate_git: { requests: 2, seconds: 10 } });
    const read = await mint(service, { scope: 'read' });
    await expect(open(service, read.plaintext)).rejects.toMatchObject({ reason: 'scope' });
    await open(service, service.token);
    await expect(open(service, read.plaintext)).rejects.toMatchObject({
      reason: 'rate',
      status: 429,
      retryAfter: 10,
      message: 'Rate limit exceeded: 2 requests in 10 s (rate_git)',
    });
    await expect(open(service, `${dialect.tokenPrefix}unknown`)).rejects.toMatchObject({ reason: 'invalid token' });
    service.pass(10);
    await expect(open(service, service.token)).resolves.toBeDefined();
  });

  it('GIT-156: an unchanged state comes from the cache, a changed state is read again', async () => {
    const service = await start();
    const first = await open(service, service.token);
    expect((await open(service, service.token)).snapshot).toBe(first.snapshot);
    const change = { pushId: 'p1', at: 1, updates: [], atomic: false, addPacks: [], leansOn: [], addShallow: [] };
    await first.repo.state.commit({
      ...change,
      updates: [
        {
          name: parseRefName('refs/heads/main') as RefName,
          old: null,
          new: { oid: parseObjectId('a'.repeat(40)) as ObjectId, kind: 'commit', peeled: null },
          forward: true,
        },
      ],
    });
    const second = await open(service, service.token);
    expect(second.snapshot.version).toBeGreaterThan(first.snapshot.version);
    expect(second.snapshot.refs?.count).toBe(1);
  });

  it('LIM-012: storageRoom returns the bytes that the account may still store', async () => {
    const service = await start({ account_storage_max: 300 });
    expect(await service.hosting.storageRoom('a1')).toBe(300);
    await service.hosting.touch('a1', service.id, { pushedAt: 1, bytes: 250, version: 2 });
    expect(await service.hosting.storageRoom('a1')).toBe(50);
    await service.hosting.touch('a1', service.id, { pushedAt: 1, bytes: 350, version: 3 });
    expect(await service.hosting.storageRoom('a1')).toBe(0);
  });
});
