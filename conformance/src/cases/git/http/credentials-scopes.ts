/**
 * GIT-026, GIT-027, GIT-031 and GIT-034 of docs/specification/git.md: the permissions of a token, and when they apply.
 */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { discover, flush, listedRefs, post, pushBody, set } from '../../../tools/wire-client.ts';
import { governedSettings, only } from '../../../steps/settings.ts';

const first = change('first');
const push = { service: 'git-receive-pack', version: 0 } as const;

export const gitCredentialsScopes: Suite = suite(
  {
    id: 'git/credentials/scopes',
    requirements: ['GIT-026', 'GIT-027', 'TOKEN-006'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Tokens of both scopes fetch, and only one of scope write pushes.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const body = pushBody([set('refs/heads/scope', first)], pack());
      for (const scope of ['read', 'write'] as const) {
        const who = { ...repo, token: await t.mintToken(repo, { scope }) };
        assert.equal((await discover(who)).status, 200, `${scope} may list what is to be fetched.`);
        assert.equal((await post(who, flush)).status, 200, `${scope} may fetch.`);
        for (const reply of [await discover(who, push), await post(who, body, push)]) {
          if (scope === 'write') assert.equal(reply.status, 200, 'write may push.');
          else
            same(
              [reply.status, reply.body.toString()],
              [403, 'Insufficient permissions'],
              'read may not push, nor list what a push would need.',
            );
        }
        const made = (await listedRefs(repo))['refs/heads/scope'];
        assert.equal(made, scope === 'write' ? first.oid : undefined, `What ${scope} pushed is as it should be.`);
      }
    },
  },
  {
    id: 'git/credentials/read-only-repo',
    requirements: ['GIT-034', 'GIT-008', 'TOKEN-006'],
    level: 'MUST',
    beyond: true,
    needs: ['control plane'],
    explanation: 'A read-only repo is fetched from but not pushed to, whatever the body; the scope is told first.',
    async run(t) {
      const repo = await t.createRepo({ body: { read_only: true } });
      const writer = { ...repo, token: await t.mintToken(repo, { scope: 'write' }) };
      const reader = { ...repo, token: await t.mintToken(repo, { scope: 'read' }) };
      assert.equal((await discover(writer)).status, 200, 'It can be fetched from.');
      const broken = { ...push, headers: { 'content-type': 'text/plain' } };
      for (const reply of [await discover(writer, push), await post(writer, Buffer.from('zzzz'), broken)]) {
        same([reply.status, reply.body.toString()], [403, 'Repository is read-only'], 'A push is refused.');
      }
      const told = await discover(reader, push);
      same([told.status, ...told.lines], [403, 'Insufficient permissions'], 'The scope of a token is told first.');
    },
  },
  {
    id: 'git/credentials/rate',
    requirements: ['GIT-031', 'LIM-053', 'GIT-007', 'GIT-008', 'GIT-014'],
    level: 'MUST',
    needs: ['control plane', 'settings'],
    settings: only(governedSettings, 'rate_git'),
    explanation:
      'Too many requests to a repo are 429 with the time to wait, told after the credential and before the scope.',
    async run(t) {
      const { requests, seconds } = governedSettings.rate_git;
      const busy = await t.createRepo();
      const reader = { ...busy, token: await t.mintToken(busy, { scope: 'read' }) };
      const statuses: number[] = [];
      for (let i = 0; i < requests; i += 10) {
        const replies = await Promise.all(Array.from({ length: 10 }, () => discover(busy)));
        statuses.push(...replies.map(({ status }) => status));
      }
      same([...new Set(statuses)], [200], `${requests} requests are answered.`);
      const text = `Rate limit exceeded: ${requests} requests in ${seconds} s (rate_git)`;
      for (const reply of [await discover(busy), await post(busy, flush), await discover(reader, push)]) {
        same([reply.status, reply.body.toString()], [429, text], 'One more is refused.');
        same(
          ['content-type', 'cache-control'].map((name) => reply.headers.get(name)),
          ['text/plain; charset=utf-8', 'no-cache, max-age=0, must-revalidate'],
          'It is plain text that no cache may keep.',
        );
        const wait = Number(reply.headers.get('retry-after'));
        assert.ok(wait >= 1 && wait <= seconds, `Retry-After is 1 to ${seconds} seconds: ${wait}`);
      }
      const wrong = await discover({ ...busy, token: `${t.dialect.tokenPrefix}x` });
      same([wrong.status, ...wrong.lines], [403, 'Invalid or expired token'], 'A wrong credential is told first.');
      assert.equal((await discover(await t.createRepo())).status, 200, 'Another repo is not concerned.');
    },
  },
);
