/** GIT-020 to GIT-025, GIT-161 and GIT-162 of docs/specification/git.md: credentials that open a repo. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { dialects } from '../../../core/dialect.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { discover, flush, post, push, set, type Remote } from '../../../tools/wire-client.ts';
import { only, tightSettings } from '../../../steps/settings.ts';

const services = ['git-upload-pack', 'git-receive-pack'] as const;
const first = change('first');

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function ask(
  repo: Remote,
  authorization: string | undefined,
  service = 'git-upload-pack',
  query = '',
): Promise<Reply> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await (repo.fetch ?? fetch)(`${repo.remote}/info/refs?service=${service}${query}`, { headers });
  const text = await response.text();
  return { status: response.status, text: response.ok ? '' : text, headers: response.headers };
}

function secretOf({ token }: Remote): string {
  return token.split('?')[0] as string;
}

/** Returns an unknown token of the right form. */
function unknownToken(t: Context): string {
  return `${t.dialect.tokenPrefix}${'0'.repeat(40)}`;
}

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Replaces the part of a remote that names a repo or namespace. */
function elsewhere(remote: string, from: string, to: string): string {
  const at = remote.lastIndexOf(from);
  assert.ok(at > 0, `The remote has ${from} in it.`);
  return remote.slice(0, at) + to + remote.slice(at + from.length);
}

/** Headers that may differ between replies or connections, regardless of the service. */
const fresh = ['age', 'alt-svc', 'connection', 'date', 'keep-alive', 'nel', 'report-to', 'server-timing'];

function lasting(t: Context, headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => name !== t.dialect.requestIdHeader && !fresh.includes(name));
}

/** Expects that discovery and POST of both services refuse all of these with identical replies. */
async function expectEqualRefusals(
  t: Context,
  wrong: Readonly<Record<string, Remote>>,
  told = 'Invalid or expired token',
): Promise<void> {
  let expected: [string, string][] | undefined;
  for (const service of services) {
    for (const [what, remote] of Object.entries(wrong)) {
      for (const reply of [await discover(remote, { service }), await post(remote, flush, { service })]) {
        same([reply.status, reply.body.toString()], [403, told], `${service} refuses what is wrong here: ${what}.`);
        expected ??= lasting(t, reply.headers);
        same(lasting(t, reply.headers), expected, `Headers do not tell what is wrong: ${what}.`);
      }
    }
  }
}

export const gitCredentials: Suite = suite(
  {
    id: 'git/credentials/bearer',
    requirements: ['GIT-020', 'GIT-023'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Bearer takes the whole plaintext of a token and its secret alone, the scheme in any case.',
    async run(t) {
      const repo = await t.createRepo();
      const secret = secretOf(repo);
      assert.notEqual(secret, repo.token, 'A token has a part after its secret.');
      for (const [what, authorization] of [
        ['The plaintext', `Bearer ${repo.token}`],
        ['The secret', `Bearer ${secret}`],
        ['A scheme in lower case', `bearer ${secret}`],
        ['A scheme in upper case', `BEARER ${repo.token}`],
      ] as const) {
        assert.equal((await ask(repo, authorization)).status, 200, `${what} is accepted.`);
      }
    },
  },
  {
    id: 'git/credentials/basic',
    requirements: ['GIT-021', 'GIT-023'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Basic takes any user name, and as password each form of the token.',
    async run(t) {
      const repo = await t.createRepo();
      const secret = secretOf(repo);
      const encoded = repo.token.replace('?', '%3F').replace('=', '%3D');
      const passwords = [secret, repo.token, encoded, encoded.replace('%3F', '%3f')];
      for (const user of ['x', '', 'ada@example.com', '\u00fc']) {
        for (const [i, password] of passwords.entries()) {
          const { status } = await ask(repo, basic(`${user}:${password}`));
          assert.equal(status, 200, `User "${user}" with form ${i + 1} of the token is accepted.`);
        }
      }
      const { status } = await ask(repo, basic(`x:${secret}`).replace('Basic', 'bAsIc'));
      assert.equal(status, 200, 'The scheme is accepted in any case.');
    },
  },
  {
    id: 'git/credentials/none',
    requirements: ['GIT-022', 'GIT-023', 'GIT-024', 'REPO-021'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Whatever is no credential is 401 with the realm, on each route; the query is no place for one.',
    async run(t) {
      const repo = await t.createRepo();
      const secret = secretOf(repo);
      const none: Readonly<Record<string, string | undefined>> = {
        'no header': undefined,
        'an empty header': '',
        'Bearer alone': 'Bearer',
        'Basic alone': 'Basic',
        'a token as user name': basic(`${secret}:`),
        'Basic without a colon': basic(secret),
        'another scheme': `Digest ${secret}`,
        'a token without a scheme': secret,
        'Basic that is not base64': 'Basic %%%',
        'Basic with a bare token': `Basic ${secret}`,
      };
      const expected = [401, 'Authentication required', `Basic realm="${t.dialect.realm}"`];
      for (const service of services) {
        for (const [what, authorization] of Object.entries(none)) {
          const query = `&token=${secret}&access_token=${secret}`;
          const { status, text, headers } = await ask(repo, authorization, service, query);
          same([status, text, headers.get('www-authenticate')], expected, `There is no credential: ${what}.`);
        }
        const posted = await post(repo, flush, { service, headers: { authorization: '' } });
        same(
          [posted.status, posted.body.toString(), posted.headers.get('www-authenticate')],
          expected,
          `A POST to ${service} without a credential is refused the same way.`,
        );
      }
    },
  },
  {
    id: 'git/credentials/none-for-no-repo',
    requirements: ['GIT-161', 'GIT-024'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Without a credential a repo that never existed is 401 like any other.',
    async run(t) {
      const repo = await t.createRepo();
      const there = await ask(repo, undefined);
      const remote = elsewhere(repo.remote, `${repo.name}.git`, `${t.name('none')}.git`);
      const none = await ask({ ...repo, remote }, undefined);
      assert.equal(none.status, 401, 'It is 401.');
      same(
        [none.text, lasting(t, none.headers)],
        [there.text, lasting(t, there.headers)],
        'Nothing tells that there is no such repo.',
      );
    },
  },
  {
    id: 'git/credentials/wrong',
    requirements: ['GIT-025', 'GIT-161', 'TOKEN-005', 'TOKEN-013'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'Whatever is wrong with a credential or its repo, the reply is one and the same 403.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const other = await t.createRepo();
      const gone = await t.createRepo();
      const { status } = await t.rest('DELETE', `/namespaces/${gone.namespace}/repos/${gone.name}`);
      assert.equal(status, 202, 'The repo that is to be gone is deleted.');
      const at = (from: string, to: string): Remote => ({ ...repo, remote: elsewhere(repo.remote, from, to) });
      const file = `${repo.name}.git`;
      const secret = secretOf(repo);
      await expectEqualRefusals(t, {
        'a secret that differs in one digit': {
          ...repo,
          token: secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0'),
        },
        'a token that never was': { ...repo, token: unknownToken(t) },
        'the token of another repo': { ...repo, token: other.token },
        'a deleted repo with its own token': gone,
        'a repo that never existed': at(file, `${t.name('none')}.git`),
        'a namespace that never existed': at(repo.namespace, t.name('nowhere')),
        'a name that no repo can have': at(file, '-%2Ea%20b.git'),
      });
    },
  },
  {
    id: 'git/credentials/foreign',
    requirements: ['GIT-185', 'GIT-025', 'GIT-161'],
    level: 'MUST',
    beyond: true,
    needs: ['control plane'],
    explanation: 'What is no repo token by its form is refused alike, whatever exists; the neutral dialect says so.',
    async run(t) {
      const repo = await t.createRepo();
      const at = (from: string, to: string): Remote => ({ ...repo, remote: elsewhere(repo.remote, from, to) });
      const places: Record<string, Remote> = {
        'a repo': repo,
        'a repo that never existed': at(`${repo.name}.git`, `${t.name('none')}.git`),
        'a namespace that never existed': at(repo.namespace, t.name('nowhere')),
        'a name that no repo can have': at(`${repo.name}.git`, '-%2Ea%20b.git'),
      };
      // The path need not contain the account.
      const account = `/${t.account}/`;
      if (repo.remote.includes(account)) places['an account that never existed'] = at(account, `/${t.account}-none/`);
      const tokens: Readonly<Record<string, string>> = {
        'the API token': t.apiToken,
        'an API token that never was': `${t.apiToken}0`,
        'a password': 'hunter2',
        'half a prefix': t.dialect.tokenPrefix.slice(0, -4),
      };
      const wrong: Record<string, Remote> = {};
      for (const [where, place] of Object.entries(places)) {
        for (const [what, token] of Object.entries(tokens)) wrong[`${what} at ${where}`] = { ...place, token };
      }
      await expectEqualRefusals(t, wrong, t.dialect.foreignToken);
      const prefixes = Object.values(dialects).map(({ tokenPrefix }) => tokenPrefix);
      const later = prefixes.map((prefix) => prefix.replace(/v\d/, 'v9').replace('_x_', '_Q_'));
      for (const prefix of [...prefixes, ...later]) {
        const { lines } = await discover({ ...repo, token: `${prefix}${'0'.repeat(40)}` });
        same(lines, ['Invalid or expired token'], `A token that begins with ${prefix} has the form of one (REPO-028).`);
      }
    },
  },
  {
    id: 'git/credentials/revoked',
    requirements: ['GIT-025', 'TOKEN-008'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'A revoked token is refused from then on like one that never was.',
    async run(t) {
      const repo = await t.createRepo();
      const path = `/namespaces/${repo.namespace}/tokens`;
      const { json } = await t.rest('POST', path, { body: { repo: repo.name, scope: 'write' } });
      const revoked = { ...repo, token: String(json.result.plaintext) };
      assert.equal((await discover(revoked)).status, 200, 'Before, the token is accepted.');
      assert.equal((await t.rest('DELETE', `${path}/${json.result.id}`)).status, 200, 'The token is revoked.');
      await expectEqualRefusals(t, {
        'a revoked token': revoked,
        'a token that never was': { ...repo, token: unknownToken(t) },
      });
    },
  },
  {
    id: 'git/credentials/expired',
    requirements: ['GIT-025', 'TOKEN-004', 'TOKEN-008'],
    level: 'MUST',
    needs: ['control plane', 'settings'],
    settings: only(tightSettings, 'token_ttl_min'),
    explanation: 'An expired token is refused like one that never was, whatever its suffix says.',
    async run(t) {
      const repo = await t.createRepo();
      const expiring = { ...repo, token: await t.mintToken(repo, { scope: 'write', ttl: 1 }) };
      const end = Date.now() + 10_000;
      while ((await discover(expiring)).status === 200) {
        assert.ok(Date.now() < end, 'A token of one second has ended after ten.');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const secret = secretOf(expiring);
      await expectEqualRefusals(t, {
        'an expired token': expiring,
        'its secret alone': { ...repo, token: secret },
        'its secret with a later time': { ...repo, token: `${secret}?expires=4102444800` },
        'a token that never was': { ...repo, token: unknownToken(t) },
      });
    },
  },
  {
    id: 'git/credentials/name-used-again',
    requirements: ['GIT-162', 'TOKEN-005'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'A name that is used again shows the new repo, to its own token only, and nothing of the old one.',
    async run(t) {
      const old = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const path = `/namespaces/${old.namespace}/repos/${old.name}`;
      assert.equal((await t.rest('DELETE', path)).status, 202, 'The old repo is deleted.');
      const again = await t.createRepo({ name: old.name });
      assert.equal(again.remote, old.remote, 'The new repo has the remote of the old one.');
      same((await discover(old)).lines, ['Invalid or expired token'], 'The old token opens nothing.');
      const { lines } = await discover(again);
      assert.match(lines[2] ?? '', /^0{40} capabilities\^\{\}\0/, 'The new repo is empty.');
      same(
        await push(again, [set('refs/heads/main', first)], pack()),
        ['unpack ok', 'ng refs/heads/main missing necessary objects'],
        'It has no object of the old one.',
      );
    },
  },
);
