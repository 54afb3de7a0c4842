import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { discover } from '../../../tools/wire-client.ts';
import { assertRefused, assertSuccess, failures } from '../../../steps/replies.ts';
import { assertApart, assertMembers, idForm, timeOf } from '../../../steps/values.ts';

/** Splits a plaintext. Failure messages never contain it. */
function parts(plaintext: string, prefix: string): { readonly secret: string; readonly expires: number } {
  const [, secret, expires] = /^([^?]*)\?expires=(\d+)$/.exec(plaintext) ?? [];
  assert.ok(secret !== undefined && expires !== undefined, 'expected a plaintext that ends in ?expires= and a number');
  assert.ok(secret.startsWith(prefix), `expected a secret that begins ${prefix}`);
  assert.ok(/^[0-9a-f]{40}$/.test(secret.slice(prefix.length)), 'expected 40 lower-case hexadecimal digits after it');
  return { secret, expires: Number(expires) };
}

export const tokens: Suite = suite(
  {
    id: 'rest/tokens/mint',
    requirements: ['LIM-010', 'REPO-020', 'REPO-046', 'REPO-054', 'REPO-087', 'TOKEN-001', 'TOKEN-009'],
    level: 'MUST',
    explanation: 'A token is minted with the scope and life asked for, or write and a day; its form tells its expiry.',
    run: async (t) => {
      const repo = await t.createRepo({ name: 'Minted' });
      const path = `/namespaces/${t.namespace.toUpperCase()}/tokens`;
      const asked: readonly (readonly [more: object, scope: string, ttl: number])[] = [
        [{}, 'write', 86_400],
        [{ scope: 'read' }, 'read', 86_400],
        [{ scope: 'write', ttl: 60 }, 'write', 60],
        [{ scope: 'read', ttl: 31_536_000 }, 'read', 31_536_000],
        [{ ttl: 3600.0 }, 'write', 3600],
      ];
      for (const [more, scope, ttl] of asked) {
        const what = `POST of a token with ${JSON.stringify(more)}`;
        const minted = assertSuccess(await t.rest('POST', path, { body: { repo: 'mINTED', ...more } }), 201, what);
        assertMembers(minted, ['id', 'plaintext', 'scope', 'expires_at'], 'a minted token');
        assert.match(minted.id, idForm, 'expected an id of 16 characters');
        assert.equal(minted.scope, scope, `${what}: expected this scope`);
        const { expires } = parts(minted.plaintext, t.dialect.tokenPrefix);
        const end = timeOf(minted.expires_at, 'expires_at');
        assert.equal(expires, Math.floor(end / 1000), 'expected the expiry in seconds, rounded down, in the plaintext');
        const list = await t.rest('GET', `/namespaces/${t.namespace}/repos/minted/tokens`);
        const [newest] = assertSuccess(list, 200, 'the list of tokens').filter(
          ({ id }: { id: string }) => id === minted.id,
        );
        assertApart(newest.created_at, newest.expires_at, ttl, `${what}: its life`);
        assert.equal(
          (await discover({ ...repo, token: minted.plaintext })).status,
          200,
          'expected it to work with Git',
        );
      }
    },
  },
  {
    id: 'rest/tokens/refused',
    requirements: ['LIM-010', 'REPO-164', 'REPO-167', 'TOKEN-009'],
    level: 'MUST',
    explanation: 'A ttl outside 60 to 31,536,000 seconds has its own code, and an unknown repo is 404.',
    run: async (t) => {
      await t.createRepo({ name: 'r' });
      const path = `/namespaces/${t.namespace}/tokens`;
      for (const ttl of [59, 31_536_001, 0, -1, 60.5, 1e300, '3600', '', true, [], {}, [3600]]) {
        await assertRefused(t, ['POST', path, { repo: 'r', ttl }], failures.ttl);
      }
      for (const repo of ['none', '', 'a b', 'r/', '../r', 'x'.repeat(2000)]) {
        await assertRefused(t, ['POST', path, { repo }], failures.noRepo);
      }
      const list = await t.rest('GET', `/namespaces/${t.namespace}/repos/r/tokens?state=all`);
      assert.equal(assertSuccess(list, 200, 'the list of tokens').length, 1, 'expected no token but the first');
    },
  },
  {
    id: 'rest/tokens/unlike',
    requirements: ['REPO-047', 'TOKEN-002'],
    level: 'MUST',
    explanation: 'No two tokens have an id or a long part of their secret in common.',
    run: async (t) => {
      const repo = await t.createRepo();
      const path = `/namespaces/${repo.namespace}/tokens`;
      const replies = await Promise.all(
        Array.from({ length: 24 }, async () => t.rest('POST', path, { body: { repo: repo.name } })),
      );
      const minted = replies.map((reply) => assertSuccess(reply, 201, 'POST of a token'));
      assert.equal(new Set(minted.map(({ id }) => id)).size, minted.length, 'expected an id of its own for each');
      // 24 random secrets share a digit at 8 positions once in 10 million runs.
      const digits = minted.map(({ plaintext }) => parts(plaintext, t.dialect.tokenPrefix).secret.slice(-40));
      for (let at = 0; at < 40; at += 8) {
        const some = new Set(digits.map((text) => text.slice(at, at + 8)));
        assert.equal(some.size, digits.length, `expected the secrets to differ in digits ${at} to ${at + 8}`);
      }
    },
  },
  {
    id: 'rest/tokens/shown-once',
    requirements: ['REPO-009', 'TOKEN-003', 'TOKEN-010'],
    level: 'MUST',
    explanation:
      'No part of a secret is in any later reply: not in lists, records, refusals or the reply to its revocation.',
    run: async (t) => {
      const repo = await t.createRepo({ name: 'r' });
      const own = `/namespaces/${t.namespace}`;
      const minted = assertSuccess(
        await t.rest('POST', `${own}/tokens`, { body: { repo: 'r' } }),
        201,
        'POST of a token',
      );
      const { secret } = parts(minted.plaintext, t.dialect.tokenPrefix);
      const digits = [secret.slice(-40), repo.token.split('?')[0]?.slice(-40) ?? ''];
      const asked: readonly (readonly [method: string, path: string, body?: unknown])[] = [
        ['GET', `${own}/repos/r/tokens?state=all`],
        ['GET', `${own}/repos/r`],
        ['GET', `${own}/repos`],
        ['DELETE', `${own}/tokens/${minted.id}`],
        ['GET', `${own}/repos/r/tokens?state=all`],
        ['DELETE', `${own}/tokens/${encodeURIComponent(minted.plaintext)}`],
        ['GET', `${own}/repos/${secret}`],
        ['GET', `/namespaces/${secret}`],
        ['POST', `${own}/tokens`, { repo: secret, scope: 'x' }],
        ['GET', `${own}/repos?limit=1&cursor=${secret}`],
        ['GET', `${own}/repos/r/tokens?state=${secret}`],
        ['DELETE', `${own}/repos/r`],
      ];
      for (const [method, path, body] of asked) {
        const reply = await t.rest(method, path, body === undefined ? {} : { body });
        const seen = `${JSON.stringify([...reply.headers])} ${reply.text}`;
        const shows = digits.some((one) => [0, 10, 20, 30].some((at) => seen.includes(one.slice(at, at + 10))));
        assert.ok(
          !shows,
          `${method} ${path.replaceAll(secret, '(secret)').slice(0, 80)}: expected no part of a secret`,
        );
      }
    },
  },
  {
    id: 'rest/tokens/forms',
    requirements: ['TOKEN-001', 'TOKEN-004'],
    level: 'MUST',
    explanation: 'What stands behind the secret of a presented token changes nothing.',
    run: async (t) => {
      const repo = await t.createRepo();
      const { secret, expires } = parts(repo.token, t.dialect.tokenPrefix);
      for (const end of [`?expires=${expires}`, '', '?', '?expires=', '?expires=1', '?expires=99999999999', '?x=y']) {
        const { status } = await discover({ ...repo, token: secret + end });
        assert.equal(status, 200, `Git with the secret and "${end}": expected 200`);
      }
      const dead = await t.mintToken(repo);
      const list = await t.rest('GET', `/namespaces/${repo.namespace}/repos/${repo.name}/tokens`);
      const [{ id }] = assertSuccess(list, 200, 'the list of tokens');
      assertSuccess(await t.rest('DELETE', `/namespaces/${repo.namespace}/tokens/${id}`), 200, 'DELETE of the newest');
      const revived = `${parts(dead, t.dialect.tokenPrefix).secret}?expires=99999999999`;
      assert.equal(
        (await discover({ ...repo, token: revived })).status,
        403,
        'a revoked one with a far expiry: expected 403',
      );
    },
  },
  {
    id: 'rest/tokens/one-repo',
    requirements: ['TOKEN-005', 'TOKEN-006'],
    level: 'MUST',
    explanation: 'A token opens the repo it was minted for and no other; only one of scope write lets a push begin.',
    run: async (t) => {
      const [one, two] = [await t.createRepo(), await t.createRepo()];
      const read = await t.mintToken(one, { scope: 'read' });
      const write = await t.mintToken(one, { scope: 'write' });
      for (const [token, pushes] of [
        [read, 403],
        [write, 200],
        [one.token, 200],
      ] as const) {
        assert.equal((await discover({ ...one, token })).status, 200, 'discovery of a fetch: expected 200');
        const { status } = await discover({ ...one, token }, { service: 'git-receive-pack' });
        assert.equal(status, pushes, `discovery of a push: expected ${pushes}`);
        assert.equal((await discover({ ...two, token })).status, 403, 'discovery of another repo: expected 403');
      }
    },
  },
);
