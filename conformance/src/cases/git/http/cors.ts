/** GIT-019 of docs/specification/git.md: Git clients in browsers. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { same } from '../../../tools/same.ts';
import { discover } from '../../../tools/wire-client.ts';
import { governedSettings, only } from '../../../steps/settings.ts';

const [app] = governedSettings.cors_origins;
const foreign = 'https://evil.example';

export const gitHttpCors: Suite = suite(
  {
    id: 'git/http/cors-preflights',
    requirements: ['GIT-019'],
    level: 'MAY',
    beyond: true,
    needs: ['settings'],
    settings: only(governedSettings, 'cors_origins'),
    explanation: 'Preflights from a listed origin are answered without a credential, others are not.',
    async run(t) {
      const repo = await t.createRepo();
      const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
      for (const path of ['/info/refs?service=git-upload-pack', '/git-upload-pack', '/git-receive-pack']) {
        const preflight = (origin: string): Promise<Response> =>
          repo.fetch(repo.remote + path, { method: 'OPTIONS', headers: { ...asks, origin } });
        const listed = await preflight(app);
        same([listed.status, await listed.text()], [204, ''], `A preflight of ${path} is answered.`);
        assert.equal(listed.headers.get('access-control-allow-origin'), app, 'It names the origin.');
        const allowed = (listed.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, */);
        for (const header of ['authorization', 'content-type', 'git-protocol'])
          assert.ok(allowed.includes(header), `Requests may have ${header}: ${allowed.join(', ')}`);
        const refused = await preflight(foreign);
        await refused.arrayBuffer();
        same(
          [refused.status, refused.headers.get('access-control-allow-origin')],
          [405, null],
          `A preflight of ${path} from elsewhere is refused.`,
        );
      }
    },
  },
  {
    id: 'git/http/cors-replies',
    requirements: ['GIT-019'],
    level: 'MAY',
    beyond: true,
    needs: ['settings'],
    settings: only(governedSettings, 'cors_origins'),
    explanation: 'Replies and refusals can be read by a listed origin, and caches are told that they depend on it.',
    async run(t) {
      const repo = await t.createRepo();
      for (const [origin, token, status] of [
        [app, repo.token, 200],
        [app, 'x', 403],
        [foreign, repo.token, 200],
      ] as const) {
        const reply = await discover({ ...repo, token }, { headers: { origin } });
        assert.equal(reply.status, status, 'The origin does not change what is answered.');
        same(
          ['access-control-allow-origin', 'access-control-expose-headers'].map((name) => reply.headers.get(name)),
          origin === app ? [app, 'Content-Type'] : [null, null],
          `A ${status} to ${origin} says who may read it.`,
        );
        assert.match(reply.headers.get('vary') ?? '', /origin/i, 'Vary names Origin.');
      }
    },
  },
);
