import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply, TestRepo } from '../../../core/context.ts';
import { discover } from '../../../tools/wire-client.ts';
import { assertFailure, assertSuccess, failures, type Failure } from '../../../steps/replies.ts';
import { only, tightSettings } from '../../../steps/settings.ts';
import { assertApart, assertMembers, idForm } from '../../../steps/values.ts';

type Service = 'git-upload-pack' | 'git-receive-pack';

interface ApiToken {
  readonly id: string;
  readonly plaintext: string;
  readonly [member: string]: unknown;
}

const members = [
  'id',
  'name',
  'permissions',
  'scope',
  'namespace',
  'repo',
  'state',
  'created_by',
  'created_at',
  'expires_at',
];

/** Runs `work` with API tokens, which end with it. */
async function withTokens(
  t: Context,
  work: (create: (more: object, token?: string) => Promise<ApiToken>) => Promise<void>,
): Promise<void> {
  const made: string[] = [];
  try {
    await work(async (more, token = t.apiToken) => {
      const body = { name: t.name('token'), permissions: ['edit'], ...more };
      const created = assertSuccess(await t.rest('POST', '/api-tokens', { body, token }), 201, 'POST of an API token');
      made.push(created.id);
      return created;
    });
  } finally {
    for (const id of made) await t.rest('DELETE', `/api-tokens/${id}`);
  }
}

/** Sends requests with a token. */
interface Caller {
  readonly send: (method: string, path: string, body?: unknown) => Promise<RestReply>;
  /** Sends a request and asserts its failure. */
  readonly refused: (failure: Failure, method: string, path: string, body?: unknown) => Promise<void>;
}

function callerOf(t: Context, token: string): Caller {
  const send = (method: string, path: string, body?: unknown): Promise<RestReply> =>
    t.rest(method, path, { token, ...(body !== undefined && { body }) });
  const refused = async (failure: Failure, method: string, path: string, body?: unknown): Promise<void> =>
    assertFailure(t, await send(method, path, body), failure, `${method} ${path}`);
  return { send, refused };
}

export const apiTokens: Suite = suite(
  {
    id: 'rest/api-tokens/life',
    requirements: [
      'REPO-360',
      'REPO-361',
      'REPO-362',
      'REPO-363',
      'REPO-364',
      'REPO-368',
      'REPO-369',
      'REPO-370',
      'REPO-373',
      'REPO-374',
      'LIM-096',
    ],
    level: 'MUST',
    beyond: true,
    explanation: 'An API token is created, works at once, is listed without its secret, and ends when it is revoked.',
    run: (t) =>
      withTokens(t, async (create) => {
        const token = await create({ name: 'CI', permissions: ['read'], ttl: 3600 });
        assertMembers(token, [...members, 'plaintext'], 'a created API token');
        assert.match(token.id, idForm, 'expected an id of 16 characters');
        assert.ok(/^rha_v1_[0-9a-f]{48}$/.test(token.plaintext), 'expected the form of an API token');
        const { plaintext, id, created_at, expires_at, ...rest } = token;
        assert.deepEqual(rest, {
          name: 'CI',
          permissions: ['read'],
          scope: 'account',
          namespace: null,
          repo: null,
          state: 'active',
          created_by: null,
        });
        assertApart(String(created_at), String(expires_at), 3600, 'the life of an API token');
        const own = callerOf(t, plaintext);
        assertSuccess(await own.send('GET', '/namespaces?limit=1'), 200, 'GET with the new token');
        await own.refused(failures.permission, 'POST', '/namespaces', { namespace: t.name() });
        await own.refused(failures.permission, 'POST', '/api-tokens', { name: 'n', permissions: ['read'] });
        const list = await t.rest('GET', '/api-tokens?per_page=100');
        const listed = assertSuccess(list, 200, 'the list of API tokens').find((row: ApiToken) => row.id === id);
        assert.deepEqual(listed, { id, ...rest, created_at, expires_at }, 'expected the list to have it as created');
        assert.ok(!list.text.includes('rha_v1_'), 'expected no secret in the list');
        for (let i = 0; i < 2; i++) {
          assert.deepEqual(assertSuccess(await t.rest('DELETE', `/api-tokens/${id}`), 200, 'DELETE'), { id });
        }
        await own.refused(failures.authentication, 'GET', '/namespaces?limit=1');
        const ended = assertSuccess(await t.rest('GET', '/api-tokens?state=revoked'), 200, 'the list of ended ones');
        assert.equal(ended.find((row: ApiToken) => row.id === id)?.state, 'revoked', 'expected it among the revoked');
        const lasting = await create({ permissions: ['git.read'] });
        assertApart(String(lasting['created_at']), String(lasting['expires_at']), 2_592_000, 'its life by default');
        for (const wrong of ['0000000000000000', 'none', `${id}0`]) {
          assertFailure(t, await t.rest('DELETE', `/api-tokens/${wrong}`), failures.noToken, 'DELETE of another id');
        }
      }),
  },
  {
    id: 'rest/api-tokens/refused',
    requirements: ['REPO-362', 'REPO-364', 'LIM-096', 'LIM-097'],
    level: 'MUST',
    beyond: true,
    explanation: 'A body with a fault creates no API token, and names the member.',
    run: async (t) => {
      const { namespace } = await t.createRepo();
      const body = { name: 'n', permissions: ['read'] };
      for (const [more, pointer] of [
        [{ name: '' }, '/name'],
        [{ name: 'x'.repeat(101) }, '/name'],
        [{ name: 'a\nb' }, '/name'],
        [{ name: 7 }, '/name'],
        [{ permissions: [] }, '/permissions'],
        [{ permissions: 'read' }, '/permissions'],
        [{ permissions: ['admin'] }, '/permissions'],
        [{ permissions: ['tag.read'], namespace }, '/permissions'],
        [{ repo: 'r' }, '/namespace'],
        [{ ttl: 59 }, '/ttl'],
        [{ ttl: 31_536_001 }, '/ttl'],
      ] as const) {
        const reply = await t.rest('POST', '/api-tokens', { body: { ...body, ...more } });
        const [error] = reply.json.errors;
        const found = [reply.status, error?.code, error?.source?.pointer];
        const code = pointer === '/ttl' ? 10103 : 10100;
        assert.deepEqual(found, [400, code, pointer], `POST with ${JSON.stringify(more).slice(0, 60)}`);
      }
      const missing = { body: { ...body, namespace: t.name('none') } };
      assertFailure(t, await t.rest('POST', '/api-tokens', missing), failures.noNamespace, 'a missing namespace');
      const lost = { body: { ...body, namespace, repo: 'none' } };
      assertFailure(t, await t.rest('POST', '/api-tokens', lost), failures.noRepo, 'a missing repo');
    },
  },
  {
    id: 'rest/api-tokens/of-a-namespace',
    requirements: ['REPO-364', 'REPO-365', 'REPO-366', 'REPO-368', 'REPO-369', 'REPO-372'],
    level: 'MUST',
    beyond: true,
    explanation: 'A token of a namespace does everything there, learns nothing of others, and ends with the namespace.',
    run: (t) =>
      withTokens(t, async (create) => {
        const { namespace, name } = await t.createRepo();
        const outer = await create({});
        const token = await create({ namespace: namespace.toUpperCase() });
        assert.deepEqual([token['scope'], token['namespace'], token['repo']], ['namespace', namespace, null]);
        const { send, refused } = callerOf(t, token.plaintext);
        assertSuccess(await send('GET', `/namespaces/${namespace}/repos/${name}`), 200, 'GET of a repo there');
        assertSuccess(
          await send('POST', `/namespaces/${namespace}/repos`, { name: 'more' }),
          201,
          'POST of a repo there',
        );
        await refused(failures.permission, 'GET', '/namespaces');
        for (const other of ['default', t.name('none')]) {
          await refused(failures.noNamespace, 'GET', `/namespaces/${other}`);
          await refused(failures.noNamespace, 'POST', `/namespaces/${other}/repos`, { name: 'r' });
          await refused(failures.noRepo, 'GET', `/namespaces/${other}/repos/${name}`);
          await refused(failures.noRepo, 'DELETE', `/namespaces/${other}/repos/${name}`);
        }
        const tags = await t.tags('GET', '/tags/keys', { token: token.plaintext });
        assert.equal(tags.status, 403, 'GET of tags: expected 403');
        await refused(failures.permission, 'POST', '/api-tokens', { name: 'n', permissions: ['read'] });
        const child = await create({ namespace, repo: name, permissions: ['git.read'] }, token.plaintext);
        assert.equal(child['created_by'], token.id, 'expected the id of the token that created it');
        const rows: readonly ApiToken[] = assertSuccess(await send('GET', '/api-tokens'), 200, 'its list');
        assert.deepEqual(rows.map(({ id }) => id).toSorted(), [child.id, token.id].toSorted(), 'expected those within');
        await refused(failures.noToken, 'DELETE', `/api-tokens/${outer.id}`);
        for (const repo of [name, 'more']) await send('DELETE', `/namespaces/${namespace}/repos/${repo}`);
        assert.equal((await send('DELETE', `/namespaces/${namespace}`)).status, 204, 'DELETE of the namespace');
        await t.createRepo();
        await refused(failures.authentication, 'GET', `/namespaces/${namespace}`);
      }),
  },
  {
    id: 'rest/api-tokens/of-a-repo',
    requirements: ['REPO-365', 'REPO-369', 'REPO-372'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A token of a repo follows its name, learns nothing of others, and ends with the token that created it.',
    run: (t) =>
      withTokens(t, async (create) => {
        const [repo, other] = [await t.createRepo(), await t.createRepo()];
        const own = `/namespaces/${repo.namespace}`;
        const parent = await create({ namespace: repo.namespace });
        const token = await create({ namespace: repo.namespace, repo: repo.name }, parent.plaintext);
        const { send, refused } = callerOf(t, token.plaintext);
        assertSuccess(await send('GET', `${own}/repos/${repo.name}`), 200, 'GET of the repo');
        for (const missing of [other.name, 'none']) {
          await refused(failures.noRepo, 'GET', `${own}/repos/${missing}`);
          await refused(failures.noRepo, 'POST', `${own}/tokens`, { repo: missing });
        }
        for (const [method, path, body] of [
          ['GET', own],
          ['GET', `${own}/repos`],
          ['POST', `${own}/repos`, { name: 'new' }],
          ['POST', `${own}/repos/${repo.name}/fork`, { name: 'new' }],
        ] as const) {
          await refused(failures.permission, method, path, body);
        }
        const renamed = t.name('renamed');
        assertSuccess(await send('PATCH', `${own}/repos/${repo.name}`, { name: renamed }), 200, 'PATCH of the name');
        assertSuccess(await send('GET', `${own}/repos/${renamed}`), 200, 'GET by the new name');
        const brief = await create({ namespace: repo.namespace, repo: other.name });
        assert.equal((await t.rest('DELETE', `${own}/repos/${other.name}`)).status, 202, 'DELETE of the other repo');
        await callerOf(t, brief.plaintext).refused(failures.authentication, 'GET', own);
        assertSuccess(await t.rest('DELETE', `/api-tokens/${parent.id}`), 200, 'DELETE of the token that created it');
        await refused(failures.authentication, 'GET', `${own}/repos/${renamed}`);
      }),
  },
  {
    id: 'rest/api-tokens/over-git',
    requirements: ['REPO-367'],
    level: 'MUST',
    beyond: true,
    explanation: 'A token of a namespace opens each of its repos over Git, as Bearer and as password, and no other.',
    run: (t) =>
      withTokens(t, async (create) => {
        const repo = await t.createRepo();
        const [writer, reader] = [
          await create({ namespace: repo.namespace, permissions: ['git.write'] }),
          await create({ permissions: ['read'] }),
        ];
        const later = await t.createRepo();
        const status = async (to: TestRepo, { plaintext: token }: ApiToken, service: Service) => {
          const basic = Buffer.from(`any:${token}`).toString('base64');
          const answers = [`Bearer ${token}`, `Basic ${basic}`].map(
            async (authorization) => (await discover({ ...to, token }, { service, headers: { authorization } })).status,
          );
          const [bearer, password] = await Promise.all(answers);
          assert.equal(bearer, password, 'expected the same answer to Bearer and Basic');
          return bearer;
        };
        for (const one of [repo, later]) {
          assert.equal(await status(one, writer, 'git-receive-pack'), 200, 'a push with git.write: expected 200');
          assert.equal(await status(one, writer, 'git-upload-pack'), 200, 'a fetch with git.write: expected 200');
          assert.equal(await status(one, reader, 'git-upload-pack'), 200, 'a fetch with read: expected 200');
          assert.equal(await status(one, reader, 'git-receive-pack'), 403, 'a push with read: expected 403');
        }
        const elsewhere = { ...repo, remote: repo.remote.replace(`/${repo.namespace}/`, '/default/') };
        assert.equal(await status(elsewhere, writer, 'git-upload-pack'), 403, 'elsewhere: expected 403');
        const rest = callerOf(t, writer.plaintext);
        await rest.refused(failures.permission, 'GET', `/namespaces/${repo.namespace}`);
        assertSuccess(await t.rest('DELETE', `/api-tokens/${writer.id}`), 200, 'DELETE of the token');
        assert.equal(await status(repo, writer, 'git-upload-pack'), 403, 'a revoked token: expected 403');
      }),
  },
  {
    id: 'rest/api-tokens/expiry',
    requirements: ['REPO-364', 'REPO-370'],
    level: 'MUST',
    beyond: true,
    needs: ['settings'],
    settings: only(tightSettings, 'token_ttl_min'),
    explanation: 'An API token ends when its time has come, with those that it created.',
    run: (t) =>
      withTokens(t, async (create) => {
        const token = await create({ ttl: 2 });
        const child = await create({ ttl: 3600 }, token.plaintext);
        assert.equal(child['expires_at'], token['expires_at'], 'expected no longer life than that of its creator');
        await wait(2100);
        for (const { plaintext } of [token, child]) {
          await callerOf(t, plaintext).refused(failures.authentication, 'GET', '/namespaces?limit=1');
        }
        const rows: readonly ApiToken[] = assertSuccess(
          await t.rest('GET', '/api-tokens?state=expired'),
          200,
          'the list of expired ones',
        );
        assert.ok(
          rows.some(({ id }) => id === token.id),
          'expected it among the expired',
        );
      }),
  },
);
