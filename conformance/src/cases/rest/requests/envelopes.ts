import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { RestReply } from '../../../core/context.ts';
import { adviceMembers, assertFailure, assertSuccess, failures } from '../../../steps/replies.ts';
import { assertMembers } from '../../../steps/values.ts';
import { only, tightSettings } from '../../../steps/settings.ts';

/** Asserts the members of the first error, without those that go beyond the public service. */
function assertItemMembers({ json }: RestReply, expected: readonly string[], what: string): void {
  const item = Object.entries(json.errors[0]).filter(([name]) => !adviceMembers.includes(name));
  assertMembers(Object.fromEntries(item), expected, what);
}

const members = ['result', 'success', 'errors', 'messages'];

export const envelopes: Suite = suite(
  {
    id: 'rest/envelopes/success',
    requirements: ['REPO-033', 'REPO-034'],
    level: 'MUST',
    explanation:
      'A success is one JSON object with result, success, errors and messages in this order, and result_info on lists that page.',
    run: async (t) => {
      const { namespace, name } = await t.createRepo();
      const own = `/namespaces/${namespace}`;
      const asked: readonly (readonly [method: string, path: string, status: number, body?: unknown])[] = [
        ['POST', '/namespaces', 201, { namespace: t.name() }],
        ['GET', own, 200],
        ['GET', `${own}/repos/${name}`, 200],
        ['POST', `${own}/repos`, 201, { name: 'another' }],
        ['POST', `${own}/tokens`, 201, { repo: name }],
        ['DELETE', `${own}/repos/another`, 202],
      ];
      for (const [method, path, status, body] of asked) {
        const reply = await t.rest(method, path, body === undefined ? {} : { body });
        assertSuccess(reply, status, `${method} ${path}`);
        assertMembers(reply.json, members, `${method} ${path}`);
      }
      for (const path of ['/namespaces?limit=1', `${own}/repos`, `${own}/repos/${name}/tokens`]) {
        const reply = await t.rest('GET', path);
        assertSuccess(reply, 200, `GET ${path}`);
        assertMembers(reply.json, [...members, 'result_info'], `GET ${path}`);
      }
    },
  },
  {
    id: 'rest/envelopes/failure',
    requirements: ['REPO-008', 'REPO-033', 'REPO-034', 'REPO-035', 'REPO-048', 'REPO-162', 'REPO-163'],
    level: 'MUST',
    explanation:
      'A failure has the same envelope with a null result, and items of code, message, documentation_url and, for a bad field, source.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const bad = await t.rest('POST', path, { body: { name: '-' } });
      assertFailure(t, bad, failures.repoName, 'POST of a repo with a bad name');
      assertMembers(bad.json, members, 'a failure');
      assertItemMembers(bad, ['code', 'message', 'documentation_url', 'source'], 'the item of a bad field');
      const missing = await t.rest('GET', `${path}/none`);
      assertFailure(t, missing, failures.noRepo, 'GET of a missing repo');
      assertMembers(missing.json, members, 'a failure');
      assertItemMembers(missing, ['code', 'message', 'documentation_url'], 'the item of another failure');
      const list = await t.rest('GET', `${path}?limit=0`);
      assertMembers(list.json, members, 'the failure of a list');
    },
  },
  {
    id: 'rest/envelopes/advice',
    requirements: ['REPO-298', 'REPO-299', 'REPO-300'],
    level: 'MUST',
    beyond: true,
    explanation: 'A failure says which case it is in one word, whether to try again, and what to do next.',
    run: async (t) => {
      const { namespace, name } = await t.createRepo();
      const repos = `/namespaces/${namespace}/repos`;
      for (const [path, reason, code] of [
        ['/none', 'route_not_found', 7003],
        [`/namespaces/${t.name('none')}`, 'namespace_not_found', 10200],
        [`${repos}/none`, 'repo_not_found', 10200],
        [`${repos}/${name}/commit/${'0'.repeat(40)}`, 'commit_not_found', 10200],
        [`${repos}/${name}/file?path=none`, 'file_not_found', 10200],
        [`${repos}?limit=0`, 'invalid_input', 10100],
      ] as const) {
        const [item] = (await t.rest('GET', path)).json.errors;
        assert.deepEqual([item.code, item.reason, item.retryable], [code, reason, false], `GET ${path}`);
        assert.deepEqual(Object.keys(item).slice(-3), adviceMembers, `GET ${path}: expected these members last`);
        assert.match(item.hint, /^[A-Z][^\n]*\.$/, `GET ${path}: expected a sentence as the hint`);
      }
    },
  },
  {
    id: 'rest/envelopes/docs-base',
    requirements: ['REPO-016'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(tightSettings, 'docs_base'),
    explanation: 'The docs_base setting begins the documentation address of an error, where the dialect has it there.',
    run: async (t) => {
      const { json } = await t.rest('GET', `/namespaces/${t.name('none')}`);
      const address =
        t.dialect.name === 'neutral'
          ? 'https://docs.test/kit/repos/errors#10200'
          : 'https://developers.cloudflare.com/artifacts/api/errors#10200';
      assert.equal(json.errors[0].documentation_url, address, 'expected the documentation address of the code');
    },
  },
  {
    id: 'rest/envelopes/no-store',
    requirements: ['REPO-045'],
    level: 'MUST',
    explanation: 'A reply that shows the plaintext of a token is not to be stored.',
    run: async (t) => {
      const own = `/namespaces/${t.namespace}`;
      const created = await t.rest('POST', `${own}/repos`, { body: { name: 'r' } });
      assertSuccess(created, 201, 'POST of a repo');
      const minted = await t.rest('POST', `${own}/tokens`, { body: { repo: 'r' } });
      assertSuccess(minted, 201, 'POST of a token');
      for (const { headers } of [created, minted]) {
        assert.equal(headers.get('cache-control'), 'no-store', 'expected Cache-Control: no-store beside a token');
      }
    },
  },
);
