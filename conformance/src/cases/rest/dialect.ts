import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { dialects } from '../../core/dialect.ts';
import { discover } from '../../tools/wire-client.ts';
import { isLoopback } from '../../steps/loopback.ts';
import { assertFailure, assertSuccess, failures } from '../../steps/replies.ts';
import { only, tightSettings } from '../../steps/settings.ts';

/** `Git server agent string` of each dialect (REPO-022). */
const agents = { neutral: /^agent=packhouse\/\d+\.\d+\.\d+\S*$/, cloudflare: /^agent=gitty\/1\.0$/ };

/** Returns headers as text, without the random digits of request ids, which may contain `cf-`. */
function headersOf(headers: Headers): string {
  return JSON.stringify([...headers].map(([name, value]) => [name, value.replace(/^[0-9a-f]{16}-/, '')]));
}

export const dialect: Suite = suite(
  {
    id: 'rest/dialect/base',
    requirements: ['REPO-001', 'REPO-012', 'REPO-013'],
    level: 'MUST',
    readOnly: true,
    explanation:
      'The account base has the base path and service segment of the dialect, and no route has those of the other.',
    run: async (t) => {
      assertSuccess(await t.rest('GET', '/namespaces?limit=1'), 200, 'GET /namespaces under the base of the dialect');
      for (const other of Object.values(dialects)) {
        if (other.name === t.dialect.name) continue;
        const bases = [
          `${t.origin}${other.basePath}/accounts/${t.account}/${other.serviceSegment}`,
          `${t.origin}${t.dialect.basePath}/accounts/${t.account}/${other.serviceSegment}`,
        ];
        for (const base of bases) {
          const reply = await t.rest('GET', '/namespaces', { base });
          assert.equal(reply.status, 404, `GET ${base}/namespaces, a base of the dialect ${other.name}: expected 404`);
        }
      }
    },
  },
  {
    id: 'rest/dialect/constants',
    requirements: ['REPO-001', 'REPO-015', 'REPO-016', 'REPO-020', 'REPO-021', 'REPO-022'],
    level: 'MUST',
    explanation:
      'Request-id header, error documentation, token prefix, realm and agent are those of the dialect, and of no other.',
    run: async (t) => {
      const repo = await t.createRepo();
      assert.ok(repo.token.startsWith(t.dialect.tokenPrefix), `expected a token that begins ${t.dialect.tokenPrefix}`);

      const missing = await t.rest('GET', `/namespaces/${t.name('none')}`);
      assertFailure(t, missing, failures.noNamespace, 'GET of a missing namespace');
      assert.ok(missing.headers.has(t.dialect.requestIdHeader), `expected the header ${t.dialect.requestIdHeader}`);
      for (const { name, requestIdHeader } of Object.values(dialects)) {
        if (name !== t.dialect.name) assert.ok(!missing.headers.has(requestIdHeader), `no header ${requestIdHeader}`);
      }

      const anonymous = await t.fetch(`${repo.remote}/info/refs?service=git-upload-pack`);
      await anonymous.arrayBuffer();
      assert.equal(
        anonymous.headers.get('www-authenticate'),
        `Basic realm="${t.dialect.realm}"`,
        'Git without a credential: expected the realm of the dialect',
      );
      const { lines } = await discover(repo, { version: 2 });
      const agent = lines.find((line) => line.startsWith('agent=')) ?? '(none)';
      assert.match(agent, agents[t.dialect.name], 'expected the agent string of the dialect');
    },
  },
  {
    id: 'rest/dialect/no-platform-names',
    requirements: ['REPO-003'],
    level: 'MUST',
    explanation: 'The neutral dialect names no platform: not in headers, bodies, documents or what Git is told.',
    run: async (t) => {
      if (t.dialect.name !== 'neutral') t.skip('only the neutral dialect names no platform');
      const repo = await t.createRepo();
      const auth = { authorization: `Bearer ${t.apiToken}` };
      const account = `${t.origin}${t.dialect.basePath}/accounts/${t.account}`;
      const addresses = [
        `${t.base}/namespaces/${repo.namespace}/repos/${repo.name}`,
        `${t.base}/namespaces/${repo.namespace}/repos?limit=0`,
        `${t.base}/none`,
        `${t.origin}/openapi.json`,
        ...['/', '/docs', '/docs/repos/errors', '/docs/tags/errors', '/docs/errors'].map((path) => t.origin + path),
        `${t.origin}/none`,
        `${repo.remote}/info/refs`,
        ...['/tags', '/tags/keys', '/tags/resources?tag==', '/tags/none'].map((path) => account + path),
      ];
      const seen: string[] = [JSON.stringify(repo)];
      for (const address of addresses) {
        const reply = await t.fetch(address, { headers: auth });
        seen.push(`${address} ${headersOf(reply.headers)} ${await reply.text()}`);
      }
      for (const version of [0, 2] as const) {
        const { headers, body } = await discover(repo, { version });
        seen.push(`discovery ${headersOf(headers)} ${body.toString('latin1')}`);
      }
      const pushing = await discover(repo, { service: 'git-receive-pack' });
      seen.push(`discovery of a push ${headersOf(pushing.headers)} ${pushing.body.toString('latin1')}`);
      // Names that the case invented are not words of the service, and this one is a resource type.
      const own = [
        'cloudflared_tunnel',
        t.account,
        repo.namespace,
        repo.name,
        new URL(t.origin).host,
        new URL(repo.remote).host,
      ];
      for (const text of seen) {
        const words = own.reduce((rest, name) => rest.replaceAll(name, ''), text);
        const [found] = /.{0,40}(?:cloudflare|cf-|artifact|gitty).{0,40}/i.exec(words) ?? [];
        assert.equal(found, undefined, `expected no name of a platform in ${text.slice(0, 80)}`);
      }
    },
  },
  {
    id: 'rest/dialect/remote',
    requirements: ['REPO-005', 'REPO-023', 'REPO-027'],
    level: 'MUST',
    explanation:
      'The remote is the default template filled with the stored names, the same wherever it is shown, and works as it stands.',
    run: async (t) => {
      const name = `${t.name('Mixed')}.git.X`;
      const namespace = t.name('Mixed');
      const repo = await t.createRepo({ name, namespace });
      const { protocol, host, pathname } = new URL(repo.remote);
      const loopback = isLoopback(repo.remote);
      const mount = new URL(t.origin).pathname.replace(/\/$/, '');
      if (t.dialect.name === 'neutral' || loopback) {
        assert.equal(
          pathname,
          `${mount}/git/${t.account}/${namespace}/${name}.git`,
          'expected the path of the template',
        );
      } else {
        assert.equal(pathname, `${mount}/git/${namespace}/${name}.git`, 'expected the path of the template');
        assert.ok(host.startsWith(`${t.account.toLowerCase()}.`), `expected the account in the host, not ${host}`);
      }
      assert.ok(protocol === 'https:' || loopback, `expected https, not ${repo.remote}`);
      const repos = `/namespaces/${namespace.toUpperCase()}/repos`;
      const got = assertSuccess(await t.rest('GET', `${repos}/${name.toLowerCase()}`), 200, 'GET in other letters');
      assert.equal(got.remote, repo.remote, 'expected the stored spelling in the remote, whatever case was asked for');
      const [listed] = assertSuccess(await t.rest('GET', repos), 200, 'the list of repos');
      assert.equal(listed.remote, repo.remote, 'expected the same remote in the list');
      const { status, lines } = await discover(repo);
      assert.equal(status, 200, `expected the remote to work with the token of the repo, got ${status} ${lines[0]}`);
    },
  },
  {
    id: 'rest/dialect/remote-template',
    requirements: ['REPO-026', 'REPO-027'],
    level: 'MUST',
    beyond: true,
    needs: ['settings'],
    settings: only(tightSettings, 'remote_template'),
    explanation: 'Another remote_template is the form of every remote, and of no other path.',
    run: async (t) => {
      const repo = await t.createRepo();
      const path = `/code/${t.account}/${repo.namespace}/${repo.name}.git`;
      assert.equal(new URL(repo.remote).pathname, path, 'expected a remote of the template');
      assert.equal((await discover(repo)).status, 200, `expected Git to be served at ${repo.remote}`);
      const usual = { ...repo, remote: repo.remote.replace('/code/', '/git/') };
      assert.equal((await discover(usual)).status, 404, `expected nothing at ${usual.remote}`);
    },
  },
);
