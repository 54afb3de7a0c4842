import { cloudflare, neutral } from '@packhouse/hosting';
import { memoryTagStores } from '@packhouse/tagging';
import { memoryCatalogs } from '@packhouse/storage';
import { describe, expect, it } from 'vitest';
import { testService, type Reply, type TestOptions, type TestService } from '../test-service.test.util.ts';

const cases = [neutral, cloudflare].flatMap((dialect) =>
  (['memory', 'SQLite'] as const).map((storage) => ({ dialect, storage })),
);
const told = (reply: Reply) => [
  reply.status,
  reply.json?.errors?.[0]?.reason,
  reply.json?.errors?.[0]?.source?.pointer,
];

describe.each(cases)('API tokens, $dialect.name on $storage', ({ dialect, storage }) => {
  const start = (settings = {}, more: Partial<TestOptions> = {}) => {
    const service = testService({ dialect, storage, settings, tags: memoryTagStores(), ...more });
    const as = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
      service.call(method, path, body, { authorization: `Bearer ${token}` });
    const create = async (more: object = {}, token = 'edit-a1') => {
      const reply = await as(token, 'POST', '/api-tokens', { name: 'n', permissions: ['edit'], ...more });
      if (reply.status !== 201) throw new Error(reply.text);
      return reply.json.result as { id: string; plaintext: string; expires_at: string; created_by: string | null };
    };
    const repo = async (namespace: string, name: string) =>
      (await service.call('POST', `/namespaces/${namespace}/repos`, { name })).json.result.id as string;
    return { ...service, as, create, repo };
  };
  const open = (service: TestService, secret: string, namespace: string, repo: string, account = 'a1') =>
    service.hosting
      .openForGit({ account, namespace, repo, secret, service: 'git-upload-pack' })
      .then(({ head, token }) => [head.name, token.scope])
      .catch((error: Error) => error.message);

  it('REPO-360, REPO-361, REPO-363: creation shows the plaintext, and the list never', async () => {
    const service = start();
    const body = { name: 'CI', permissions: ['tag.read', 'edit'], ttl: 3600 };
    const reply = await service.as('everything-a1', 'POST', '/api-tokens', body);
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const info = {
      id: expect.stringMatching(/^[0-9a-z]{16}$/),
      name: 'CI',
      permissions: ['edit', 'tag.read'],
      scope: 'account',
      namespace: null,
      repo: null,
      state: 'active',
      created_by: null,
      created_at: '2026-11-20T09:15:02.114Z',
      expires_at: '2026-11-20T10:15:02.114Z',
    };
    expect(reply.json.result).toEqual({ ...info, plaintext: expect.stringMatching(/^rha_v1_[0-9a-f]{48}$/) });
    expect(Object.keys(reply.json.result)).toEqual([...Object.keys(info), 'plaintext']);
    const listed = await service.call('GET', '/api-tokens');
    expect(listed.json.result).toEqual([info]);
    expect(listed.json.result_info).toMatchObject({ page: 1, per_page: 30, total_count: 1 });
    expect(listed.text).not.toContain('rha_v1_');
    expect(JSON.stringify(service.log)).not.toContain('rha_v1_');
  });

  it('REPO-364, LIM-096, LIM-097: faults name their members', async () => {
    const { call, create, repo } = start();
    await repo('team', 'r');
    const faults: readonly (readonly [object, unknown])[] = [
      [{ name: '' }, '/name'],
      [{ name: 'a\u0000b' }, '/name'],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ name: undefined }, '/name'],
      [{ permissions: [] }, '/permissions'],
      [{ permissions: ['admin'] }, '/permissions'],
      [{ permissions: ['read', 'tag.read'], namespace: 'team' }, '/permissions'],
      [{ repo: 'r' }, '/namespace'],
      [{ ttl: 59 }, '/ttl'],
      [{ ttl: 31_536_001 }, '/ttl'],
    ];
    for (const [more, pointer] of faults) {
      const reply = await call('POST', '/api-tokens', { name: 'n', permissions: ['read'], ...more });
      expect([reply.status, reply.json.errors[0]?.source?.pointer], JSON.stringify(more)).toEqual([400, pointer]);
    }
    expect(told(await call('POST', '/api-tokens', { name: 'n', permissions: ['read'], namespace: 'nope' }))).toEqual([
      404,
      'namespace_not_found',
      undefined,
    ]);
    const lost = await call('POST', '/api-tokens', { name: 'n', permissions: ['read'], namespace: 'team', repo: 'x' });
    expect(told(lost)).toEqual([404, 'repo_not_found', undefined]);
    expect(await create({ name: '🦊'.repeat(100) })).toMatchObject({ expires_at: '2026-12-20T09:15:02.114Z' });
  });

  it('LIM-095: an account has no more active ones than the setting says', async () => {
    const { call, create } = start({ api_tokens_max: 1 });
    const { id } = await create();
    expect(told(await call('POST', '/api-tokens', { name: 'n', permissions: ['read'] }))).toEqual([
      409,
      'too_many_api_tokens',
      undefined,
    ]);
    await call('DELETE', `/api-tokens/${id}`);
    await create();
  });

  it('REPO-370: a token that is revoked at any moment of a creation leaves none', async () => {
    let revoke: (() => Promise<unknown>) | undefined;
    let searches = 0;
    const service = start({}, { afterTokenSearch: async () => void (searches-- === 0 && (await revoke?.())) });
    for (let at = 0; at < 3; at++) {
      const { id, plaintext } = await service.create();
      [searches, revoke] = [at, () => service.call('DELETE', `/api-tokens/${id}`)];
      const body = { name: 'child', permissions: ['edit'] };
      const { json } = await service.as(plaintext, 'POST', '/api-tokens', body);
      if (at === 2) expect(searches, 'a creation searches three times').toBe(-1);
      const child = await service.as(json.result?.plaintext ?? 'none', 'GET', '/api-tokens');
      expect([at, child.status]).toEqual([at, 401]);
    }
  });

  it('REPO-370: works until it is revoked or expires, in its account alone', async () => {
    const { as, call, create, pass, send } = start();
    const [one, other] = [await create({ ttl: 60 }), await create({ ttl: 60 })];
    expect((await as(one.plaintext, 'GET', '/namespaces')).status).toBe(200);
    const elsewhere = `${dialect.basePath}/accounts/a2/${dialect.serviceSegment}/namespaces`;
    const headers = { authorization: `Bearer ${one.plaintext}` };
    expect((await send(elsewhere, { headers })).status).toBe(401);
    expect((await call('DELETE', `/api-tokens/${one.id}`)).json.result).toEqual({ id: one.id });
    expect((await call('DELETE', `/api-tokens/${one.id}`)).status).toBe(200);
    expect(told(await as(one.plaintext, 'GET', '/namespaces'))).toEqual([401, 'authentication_failed', undefined]);
    pass(59.999);
    expect((await as(other.plaintext, 'GET', '/namespaces')).status).toBe(200);
    pass(0.001);
    expect((await as(other.plaintext, 'GET', '/namespaces')).status).toBe(401);
    for (const id of ['0000000000000000', 'x', 'A'.repeat(16)]) {
      expect(told(await call('DELETE', `/api-tokens/${id}`))).toEqual([404, 'token_not_found', undefined]);
    }
  });

  it('REPO-364, REPO-369: creates none beyond itself, and takes those along that it created', async () => {
    const { as, create, repo } = start();
    await repo('team', 'r');
    const reader = await create({ permissions: ['read'] });
    const editor = await create({ permissions: ['edit'], namespace: 'team', ttl: 3600 });
    const body = { name: 'n', permissions: ['edit'] };
    const refused = async (token: string, more: object) =>
      told(await as(token, 'POST', '/api-tokens', { ...body, ...more })).slice(0, 2);
    expect(await refused(reader.plaintext, { permissions: ['read'] })).toEqual([403, 'permission_denied']);
    expect(await refused(editor.plaintext, {})).toEqual([403, 'permission_denied']);
    expect(await refused(editor.plaintext, { permissions: ['tag.read'] })).toEqual([403, 'permission_denied']);
    expect(await refused(editor.plaintext, { namespace: 'other' })).toEqual([404, 'namespace_not_found']);
    const child = await create({ namespace: 'team', repo: 'R', ttl: 86_400 }, editor.plaintext);
    expect(child).toMatchObject({
      created_by: editor.id,
      expires_at: editor.expires_at,
      scope: 'repository',
      repo: 'r',
    });
    const grandchild = await create({ namespace: 'team', repo: 'r', permissions: ['git.read'] }, child.plaintext);
    expect(grandchild.created_by).toBe(child.id);
    expect(await refused(child.plaintext, { namespace: 'team' })).toEqual([403, 'permission_denied']);

    const seen = async (token: string) =>
      (await as(token, 'GET', '/api-tokens')).json.result.map((row: { id: string }) => row.id);
    expect((await seen(child.plaintext)).toSorted()).toEqual([child.id, grandchild.id].toSorted());
    expect((await seen(editor.plaintext)).toSorted()).toEqual([editor.id, child.id, grandchild.id].toSorted());
    expect((await as(child.plaintext, 'DELETE', `/api-tokens/${editor.id}`)).status).toBe(404);
    expect((await as(editor.plaintext, 'DELETE', `/api-tokens/${reader.id}`)).status).toBe(404);
    expect((await as('edit-a1', 'DELETE', `/api-tokens/${editor.id}`)).status).toBe(200);
    for (const { plaintext } of [editor, child]) {
      expect((await as(plaintext, 'GET', '/namespaces/team/repos/r')).status).toBe(401);
    }
    expect((await seen('edit-a1')).toSorted()).toEqual([reader.id]);
  });

  it('REPO-365: a token of a namespace reaches it and nothing else', async () => {
    const { as, create, repo } = start();
    await repo('Team', 'r');
    await repo('other', 'r');
    const { plaintext } = await create({ namespace: 'team' });
    const status = async (method: string, path: string, body?: unknown) =>
      (await as(plaintext, method, path, body)).status;
    expect(await status('GET', '/namespaces/TEAM')).toBe(200);
    expect(await status('GET', '/namespaces/team/repos/r')).toBe(200);
    expect(await status('POST', '/namespaces/team/repos', { name: 'new' })).toBe(201);
    expect(await status('GET', '/namespaces/team/repos/new/tokens')).toBe(200);
    expect(await status('GET', '/namespaces')).toBe(403);
    expect(await status('POST', '/namespaces', { namespace: 'mine' })).toBe(403);
    for (const missing of ['other', 'nowhere']) {
      const outside = (method: string, path: string, body?: unknown) =>
        as(plaintext, method, `/namespaces/${missing}${path}`, body).then(told);
      expect(await outside('GET', '')).toEqual([404, 'namespace_not_found', undefined]);
      expect(await outside('DELETE', '')).toEqual([404, 'namespace_not_found', undefined]);
      expect(await outside('POST', '/repos', { name: 'x' })).toEqual([404, 'namespace_not_found', undefined]);
      expect(await outside('GET', '/repos/r')).toEqual([404, 'repo_not_found', undefined]);
      expect(await outside('DELETE', '/repos/r')).toEqual([404, 'repo_not_found', undefined]);
      expect(await outside('POST', '/tokens', { repo: 'r' })).toEqual([404, 'namespace_not_found', undefined]);
    }
  });

  it('REPO-365: a token of a repo reaches it under any name, and nothing else', async () => {
    const service = start();
    const { as, call, create, repo } = service;
    await repo('team', 'r');
    await repo('team', 'secret');
    const { plaintext } = await create({ namespace: 'team', repo: 'r' });
    const reply = (method: string, path: string, body?: unknown) =>
      as(plaintext, method, `/namespaces/team${path}`, body).then((one) => told(one).slice(0, 2));
    expect(await reply('GET', '/repos/R')).toEqual([200, undefined]);
    for (const missing of ['secret', 'nothing']) {
      expect(await reply('GET', `/repos/${missing}`)).toEqual([404, 'repo_not_found']);
      expect(await reply('POST', '/tokens', { repo: missing })).toEqual([404, 'repo_not_found']);
      expect(await reply('GET', `/repos/r/compare?base=main&head=${missing}:main`)).toEqual([404, 'repo_not_found']);
    }
    const [own, theirs] = [
      await call('POST', '/namespaces/team/tokens', { repo: 'r' }),
      await call('POST', '/namespaces/team/tokens', { repo: 'secret' }),
    ];
    expect(await reply('DELETE', `/tokens/${theirs.json.result.id}`)).toEqual([404, 'token_not_found']);
    expect(await reply('DELETE', `/tokens/${own.json.result.id}`)).toEqual([200, undefined]);
    expect(await reply('POST', '/tokens', { repo: 'r' })).toEqual([201, undefined]);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/repos', undefined],
      ['POST', '/repos', { name: 'x' }],
      ['POST', '/repos/r/fork', { name: 'x' }],
      ['POST', '/repos/x/import', { url: 'https://example.com/x' }],
    ] as const) {
      expect(await reply(method, path, body), path).toEqual([403, 'permission_denied']);
    }
    expect(await reply('PATCH', '/repos/r', { name: 'renamed' })).toEqual([200, undefined]);
    await repo('team', 'r');
    expect(await reply('GET', '/repos/renamed')).toEqual([200, undefined]);
    expect(await reply('GET', '/repos/r')).toEqual([404, 'repo_not_found']);
    expect(await open(service, plaintext, 'team', 'renamed')).toEqual(['renamed', 'write']);
    expect(await open(service, plaintext, 'team', 'r')).toBe('Invalid or expired token');
  });

  it('REPO-366: tokens of the account may have permissions of tags; no others read any', async () => {
    const { send, create, repo } = start();
    await repo('team', 'r');
    const [reader, writer, scoped] = [
      await create({ permissions: ['tag.read'] }, 'everything-a1'),
      await create({ permissions: ['tag.write'] }, 'everything-a1'),
      await create({ namespace: 'team' }),
    ];
    const tags = (path: string) => `${dialect.basePath}/accounts/a1/tags${path}`;
    const status = async (token: string, method: string, path: string, body?: unknown) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await send(tags(path), { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }))
        .status;
    };
    const put = { resource_type: 'worker', resource_id: 'w1', tags: { a: 'b' } };
    expect(await status(writer.plaintext, 'PUT', '', put)).toBe(200);
    expect(await status(reader.plaintext, 'PUT', '', put)).toBe(403);
    expect(await status(reader.plaintext, 'GET', '/keys')).toBe(200);
    expect(await status(scoped.plaintext, 'GET', '/keys')).toBe(403);
    expect(await status(`${scoped.plaintext.slice(0, -1)}x`, 'GET', '/keys')).toBe(401);
  });

  it('REPO-367, REPO-372: opens the repos of its reach over Git, also later ones, until the namespace is gone', async () => {
    const service = start();
    const { call, create, repo, as } = service;
    await repo('team', 'one');
    await repo('other', 'one');
    const git = await create({ namespace: 'team', permissions: ['git.write'] });
    const reader = await create({ permissions: ['read'] });
    const tags = await create({ permissions: ['tag.read'] }, 'everything-a1');
    const invalid = 'Invalid or expired token';
    expect(await open(service, git.plaintext, 'TEAM', 'One')).toEqual(['one', 'write']);
    expect(await open(service, git.plaintext, 'other', 'one')).toBe(invalid);
    expect(await open(service, git.plaintext, 'team', 'two')).toBe(invalid);
    expect(await open(service, git.plaintext, 'team', 'one', 'a2')).toBe(invalid);
    await repo('team', 'two');
    expect(await open(service, git.plaintext, 'team', 'two')).toEqual(['two', 'write']);
    expect(await open(service, reader.plaintext, 'other', 'one')).toEqual(['one', 'read']);
    expect(await open(service, tags.plaintext, 'other', 'one')).toBe(invalid);
    expect((await as(git.plaintext, 'GET', '/namespaces/team')).status).toBe(403);
    for (const name of ['one', 'two']) await call('DELETE', `/namespaces/team/repos/${name}`);
    expect((await call('DELETE', '/namespaces/team')).status).toBe(204);
    await repo('team', 'one');
    expect(await open(service, git.plaintext, 'team', 'one')).toBe(invalid);
    const one = await create({ namespace: 'team', repo: 'one' });
    await call('DELETE', '/namespaces/team/repos/one');
    expect((await as(one.plaintext, 'GET', '/api-tokens')).status).toBe(401);
  });

  it('REPO-371: the log has the id of a stored token', async () => {
    const { as, create, log } = start();
    const { id, plaintext } = await create();
    await as(plaintext, 'GET', '/namespaces');
    await as(`${plaintext}x`, 'GET', '/namespaces');
    expect(log.map((record) => record.event === 'request' && record.token)).toEqual([undefined, id, undefined]);
  });
});

it('REPO-365: a token of a repo deletes no other one that gets its name meanwhile, and reads no webhooks of it', async () => {
  const catalogs = memoryCatalogs();
  let meanwhile: (() => Promise<unknown>) | undefined;
  const service = testService({
    dialect: neutral,
    catalog: (account) =>
      new Proxy(catalogs(account), {
        get:
          (catalog, name) =>
          async (...given: unknown[]) => {
            const method = Reflect.get(catalog, name) as (...given: unknown[]) => unknown;
            const found = await method.apply(catalog, given);
            const act = name === 'repo' ? meanwhile : undefined;
            if (act !== undefined) meanwhile = undefined;
            await act?.();
            return found;
          },
      }),
  });
  const { call } = service;
  const path = (name: string, more = '') => `/namespaces/team/repos/${name}${more}`;
  for (const name of ['one', 'two']) await call('POST', '/namespaces/team/repos', { name });
  const body = { name: 'n', permissions: ['edit'], namespace: 'team', repo: 'one' };
  const { plaintext } = (await call('POST', '/api-tokens', body)).json.result;
  const rename = (name: string, to: string) => call('PATCH', path(name), { name: to });
  const swapped = (name: string, to: string, other: string) => async () => {
    await rename(name, to);
    await rename(other, name);
  };
  const headers = { authorization: `Bearer ${plaintext}` };
  meanwhile = swapped('one', 'first', 'two');
  expect((await call('GET', path('one', '/webhooks'), undefined, headers)).status).toBe(404);
  expect((await call('GET', path('first', '/webhooks'), undefined, headers)).status).toBe(200);
  meanwhile = swapped('first', 'own', 'one');
  expect((await call('DELETE', path('first'), undefined, headers)).status).toBe(404);
  expect((await call('GET', path('first'))).status).toBe(200);
});
