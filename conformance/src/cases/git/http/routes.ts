/** GIT-001 to GIT-009 of docs/specification/git.md: URLs, methods and the order of checks. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { discover, flush, packet, post } from '../../../tools/wire-client.ts';

const services = ['git-upload-pack', 'git-receive-pack'] as const;
const dumb = 'Dumb HTTP is not supported. Use a Git client with smart HTTP.';
const first = change('first');

function plainRepo(t: Context, name?: string): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all, name === undefined ? {} : { name });
}

async function ask(
  repo: TestRepo,
  path: string,
  init: RequestInit = {},
  authorization: string | null = `Bearer ${repo.token}`,
): Promise<{ status: number; text: string; headers: Headers }> {
  const headers = { ...(authorization === null ? {} : { authorization }), ...(init.headers as Record<string, string>) };
  const response = await repo.fetch(repo.remote + path, { ...init, headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Replaces the last occurrence of `from` in a remote. */
function replaceLast(remote: string, from: string, to: string): string {
  const at = remote.lastIndexOf(from);
  assert.ok(at > 0, `The remote has ${from} in it.`);
  return remote.slice(0, at) + to + remote.slice(at + from.length);
}

export const gitHttpRoutes: Suite = suite(
  {
    id: 'git/http/endpoints',
    requirements: ['GIT-001', 'GIT-009'],
    level: 'MUST',
    explanation: 'Discovery and POST of both services answer 200 with the media types of Git, without parameters.',
    async run(t) {
      const repo = await plainRepo(t);
      for (const service of services) {
        const found = await discover(repo, { service });
        same(
          [found.status, found.headers.get('content-type')],
          [200, `application/x-${service}-advertisement`],
          `Discovery of ${service} is 200 with its media type.`,
        );
        const answered = await post(repo, flush, { service, version: 0 });
        same(
          [answered.status, answered.headers.get('content-type')],
          [200, `application/x-${service}-result`],
          `A POST to ${service} is 200 with its media type.`,
        );
      }
    },
  },
  {
    id: 'git/http/names',
    requirements: ['GIT-002'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Exactly one .git is cut off the name of a repo, and names are looked up ignoring ASCII case.',
    async run(t) {
      const name = `${t.name('repo')}-Mixed`;
      const repo = await plainRepo(t, name);
      const at = async (remote: string): Promise<[number, string]> => {
        const { status, lines } = await discover({ ...repo, remote });
        return [status, status === 200 ? '' : (lines[0] ?? '')];
      };
      const inCase = (change: (text: string) => string): string =>
        replaceLast(replaceLast(repo.remote, name, change(name)), repo.namespace, change(repo.namespace));
      for (const remote of [repo.remote, inCase((text) => text.toUpperCase()), inCase((text) => text.toLowerCase())]) {
        same(await at(remote), [200, ''], 'The case of names does not matter.');
      }
      if (!t.dialect.suffixOptional)
        same(await at(repo.remote.replace(/\.git$/, '')), [404, 'Not found'], 'Without .git there is nothing.');
      same(
        await at(`${repo.remote}.git`),
        [403, 'Invalid or expired token'],
        'Of .git.git one is cut off, and the rest is the name of another repo.',
      );
    },
  },
  {
    id: 'git/http/names-without-suffix',
    requirements: ['GIT-186', 'GIT-002'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'The neutral dialect serves a remote without its .git as well, in place, and never another repo.',
    async run(t) {
      const name = t.name('repo');
      const [repo, dotted] = [await plainRepo(t, name), await plainRepo(t, `${name}.git`)];
      const bare = repo.remote.replace(/\.git$/, '');
      const inPlace: TestRepo['fetch'] = (url, init) => repo.fetch(url, { ...init, redirect: 'manual' });
      for (const service of services) {
        for (const remote of [bare, replaceLast(bare, name, name.toUpperCase())]) {
          const answers = [
            await discover({ ...repo, remote, fetch: inPlace }, { service }),
            await post({ ...repo, remote, fetch: inPlace }, flush, { service, version: 0 }),
          ];
          for (const { status } of answers) assert.equal(status, t.dialect.suffixOptional ? 200 : 404);
        }
      }
      const opened = async (remote: string): Promise<readonly number[]> =>
        Promise.all([repo, dotted].map(async (one) => (await discover({ ...one, remote })).status));
      same(await opened(repo.remote), [200, 403], 'One .git is cut off.');
      same(await opened(dotted.remote), [403, 200], 'A name that ends in .git needs a second one.');
      if (t.dialect.suffixOptional) {
        same(await opened(`${bare}.GIT`), [200, 403], 'It is cut off in any case.');
        same(await opened(`${dotted.remote.replace(/\.git$/, '')}.gIt`), [403, 200], 'So is the second one.');
      }
    },
  },
  {
    id: 'git/http/methods',
    requirements: ['GIT-003'],
    level: 'MUST',
    own: true,
    explanation: 'Another method on a path of Git is 405 with the methods that are allowed.',
    async run(t) {
      const repo = await t.createRepo();
      const refused = async (path: string, method: string, allowed: string): Promise<void> => {
        const { status, headers } = await ask(repo, path, { method });
        assert.equal(status, 405, `${method} ${path} is 405.`);
        const allow = (headers.get('allow') ?? '').split(/\s*,\s*/);
        assert.ok(allow.includes(allowed), `Allow of ${path} names ${allowed}: ${allow.join(', ')}`);
        assert.ok(!allow.includes(method), `Allow of ${path} does not name ${method}, which was refused.`);
      };
      for (const service of services) {
        for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])
          await refused(`/info/refs?service=${service}`, method, 'GET');
        for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) await refused(`/${service}`, method, 'POST');
      }
    },
  },
  {
    id: 'git/http/other-paths',
    requirements: ['GIT-004'],
    level: 'MUST',
    own: true,
    explanation: 'LFS, archives and every other path under the prefix of remotes are 404 with the text Not found.',
    async run(t) {
      const repo = await t.createRepo();
      const paths = ['', '/', '/info', '/config', '/info/lfs/objects/batch', '/git-upload-archive', '/HEAD/x'];
      for (const path of [...paths, '/git-upload-pack/']) {
        for (const method of ['GET', 'POST']) {
          const { status, text } = await ask(repo, path, { method });
          same([status, text], [404, 'Not found'], `${method} of ${path === '' ? 'the remote itself' : path} is 404.`);
        }
      }
      const { origin, pathname } = new URL(repo.remote);
      const names = [`/${t.account}/`, `/${repo.namespace}/`].map((name) => pathname.indexOf(name));
      const prefix = pathname.slice(0, Math.min(...names.filter((at) => at >= 0)) + 1);
      // If remotes begin at the root, other paths may belong to other parts of the service.
      if (prefix.length < 2) return;
      const short = await t.fetch(`${origin}${prefix}none`);
      same([short.status, await short.text()], [404, 'Not found'], 'What only begins like a remote is 404.');
    },
  },
  {
    id: 'git/http/browser',
    requirements: ['GIT-025', 'GIT-179', 'REPO-210'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation:
      'In the neutral dialect the address of a repo explains itself to a browser, alike whether there is such a repo, and to nobody else.',
    async run(t) {
      const repo = await t.createRepo();
      const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
      const none = replaceLast(repo.remote, repo.name, t.name('none'));
      const pages = new Set<string>();
      for (const remote of [repo.remote, none]) {
        const short = remote.replace(/\.git$/, '');
        for (const address of [remote, `${remote}/`, short, `${short}/`]) {
          const reply = await t.fetch(address, { headers: browser });
          const text = await reply.text();
          if (t.dialect.name !== 'neutral') {
            same([reply.status, text], [404, 'Not found'], `GET of ${address} is 404 in this dialect.`);
            continue;
          }
          if (reply.status === 404) t.unsupported(`${address} is 404 in a browser: such pages are switched off`);
          same([reply.status, reply.headers.get('content-type')], [200, 'text/html; charset=utf-8'], 'It is a page.');
          assert.ok(text.includes(`git clone ${remote}<`), `${address}: expected the command git clone ${remote}`);
          pages.add(text.replaceAll(remote, ''));
        }
        for (const accept of ['*/*', 'application/json', 'text/*', 'text/html;q=0.5, application/json']) {
          const reply = await t.fetch(remote, { headers: { accept } });
          same([reply.status, await reply.text()], [404, 'Not found'], `With Accept: ${accept} it is 404.`);
        }
        const deeper = await t.fetch(`${remote}/info/refs`, { headers: browser });
        await deeper.arrayBuffer();
        same(deeper.status, 403, 'What is below the address is not explained.');
      }
      if (t.dialect.name === 'neutral') same(pages.size, 1, 'All pages are alike but for the address.');
    },
  },
  {
    id: 'git/http/dumb-protocol',
    requirements: ['GIT-005'],
    level: 'MUST',
    own: true,
    explanation: 'The dumb protocol is refused with 403 and a sentence that says what to use.',
    async run(t) {
      const repo = await plainRepo(t);
      const loose = `/objects/${first.oid.slice(0, 2)}/${first.oid.slice(2)}`;
      const paths = ['/info/refs', '/info/refs?x=1', '/HEAD', '/objects/info/packs', loose, '/refs/heads/main'];
      for (const path of paths) {
        const { status, text } = await ask(repo, path);
        same([status, text], [403, dumb], `GET ${path} is the dumb protocol.`);
      }
    },
  },
  {
    id: 'git/http/other-services',
    requirements: ['GIT-006'],
    level: 'MUST',
    own: true,
    explanation: 'Another value of service is 403, and further query parameters are ignored.',
    async run(t) {
      const repo = await t.createRepo();
      for (const name of ['git-upload-archive', 'upload-pack', '', 'GIT-UPLOAD-PACK']) {
        const { status, text } = await ask(repo, `/info/refs?service=${name}`);
        same([status, text], [403, 'Unsupported service'], `service=${name} is not a service.`);
      }
      const { status } = await ask(repo, '/info/refs?a=b&service=git-upload-pack&token=x');
      assert.equal(status, 200, 'Further parameters are ignored.');
    },
  },
  {
    id: 'git/http/order-of-checks',
    requirements: ['GIT-008'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Of several things that are wrong with a request the one that GIT-008 names first is told.',
    async run(t) {
      const repo = await plainRepo(t);
      const reader = await t.mintToken(repo, { scope: 'read' });
      const order = async (path: string, init: RequestInit, token: string | null, expected: readonly unknown[]) => {
        const { status, text } = await ask(repo, path, init, token === null ? null : `Bearer ${token}`);
        same([status, text].slice(0, expected.length), expected, `${init.method ?? 'GET'} ${path}`);
      };
      // Without a credential, the checks before it still apply.
      await order('/none', { method: 'DELETE' }, null, [404, 'Not found']);
      await order('/info/refs?service=x', { method: 'PUT' }, null, [405]);
      await order('/info/refs', {}, null, [403, dumb]);
      await order('/info/refs?service=x', {}, null, [403, 'Unsupported service']);
      // This request has every fault. Each step removes one.
      const bad = { 'content-type': 'text/plain', 'content-encoding': 'br' };
      const typed = { ...bad, 'content-type': 'application/x-git-receive-pack-request' };
      const path = '/git-receive-pack';
      const sent = { method: 'POST', headers: bad, body: 'zzzz' };
      await order(path, sent, null, [401]);
      await order(path, sent, 'unknown', [403, t.dialect.foreignToken]);
      await order(path, sent, `${t.dialect.tokenPrefix}x`, [403, 'Invalid or expired token']);
      await order(path, sent, reader, [403, 'Insufficient permissions']);
      await order(path, sent, repo.token, [415, 'Unsupported content type']);
      await order(path, { ...sent, headers: typed }, repo.token, [415]);
      await order(path, { ...sent, headers: { 'content-type': typed['content-type'] } }, repo.token, [400]);
      const broken = await post(repo, Buffer.concat([packet('command=none\n'), Buffer.from('zzzz')]));
      assert.equal(broken.status, 400, 'Broken framing is told before an unknown command.');
    },
  },
);
