import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { rawGet } from '../../../tools/raw-get.ts';

interface HostReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Requests a path of the host. Ends the case as unsupported if it is switched off. */
async function hostPath(t: Context, path: string, init: RequestInit = {}): Promise<HostReply> {
  const reply = await t.fetch(t.origin + path, init);
  const text = await reply.text();
  if (reply.status === 404) t.unsupported(`${path} is answered 404: it is switched off`);
  return { status: reply.status, headers: reply.headers, text };
}

/** Every implemented operation: method, path under the account base, status of success (REPO-070 to REPO-088). */
const operations = [
  'delete /namespaces/{namespace} 204',
  'delete /namespaces/{namespace}/repos/{repo_name} 202',
  'delete /namespaces/{namespace}/tokens/{token_id} 200',
  'get /namespaces 200',
  'get /namespaces/{namespace} 200',
  'get /namespaces/{namespace}/repos 200',
  'get /namespaces/{namespace}/repos/{repo_name} 200',
  'get /namespaces/{namespace}/repos/{repo_name}/tokens 200',
  'post /namespaces 201',
  'post /namespaces/{namespace}/repos 201',
  'post /namespaces/{namespace}/tokens 201',
];

export const hostPaths: Suite = suite(
  {
    id: 'rest/host-paths/two-hosts',
    requirements: ['REPO-049'],
    level: 'SHOULD',
    readOnly: true,
    needs: ['origin'],
    explanation: 'A request with several Host lines is 400, also where they are equal.',
    run: async (t) => {
      const { host } = new URL(t.origin);
      for (const other of ['other.test', host, '']) {
        const { status } = await rawGet(t.origin, '/healthz', { headers: [['Host', other]] });
        assert.equal(status, 400, `Host: ${host} and Host: ${other}: expected 400`);
      }
    },
  },
  {
    id: 'rest/host-paths/unknown',
    requirements: ['ERR-100', 'REPO-029'],
    level: 'MUST',
    readOnly: true,
    explanation: 'A path that belongs to no area is 404 with the minimal reply, in JSON for who asks for it.',
    run: async (t) => {
      const body =
        '{"type":"about:blank","title":"Not Found","status":404,"detail":"Nothing is served at this address."}\n';
      const sentence = body.replace(/"detail":".*"/, '"detail":"..."');
      for (const path of [
        ...(t.dialect.name === 'neutral' ? [] : ['/']),
        '/none',
        '/v5/x',
        '/healthz/',
        '/docs/none',
        '//none.test/healthz',
        `${t.dialect.basePath}x`,
      ]) {
        const plain = await t.fetch(t.origin + path);
        await plain.arrayBuffer();
        assert.equal(plain.status, 404, `GET ${path}: expected 404`);
        for (const accept of ['application/json', 'application/problem+json']) {
          const reply = await t.fetch(t.origin + path, { headers: { accept } });
          assert.equal(reply.status, 404, `GET ${path}: expected 404`);
          const type = reply.headers.get('content-type') ?? '';
          assert.equal(type.split(';')[0], accept, `GET ${path} with Accept: ${accept}: expected this type`);
          const shape = (await reply.text()).replace(/"detail":"[^"]+"/, '"detail":"..."');
          assert.equal(shape, sentence, `GET ${path} with Accept: ${accept}: expected the minimal reply`);
        }
        const head = await t.fetch(t.origin + path, { method: 'HEAD' });
        assert.deepEqual([head.status, await head.text()], [404, ''], `HEAD ${path}: expected 404 without a body`);
      }
    },
  },
  {
    id: 'rest/host-paths/health',
    requirements: ['REPO-029'],
    level: 'MUST',
    explanation: 'The paths /healthz and /readyz answer 200 without a credential while the service serves.',
    run: async (t) => {
      for (const path of ['/healthz', '/readyz']) {
        assert.equal((await hostPath(t, path)).status, 200, `GET ${path}: expected 200`);
        const head = await hostPath(t, path, { method: 'HEAD' });
        assert.deepEqual([head.status, head.text], [200, ''], `HEAD ${path}: expected 200 without a body`);
        const post = await hostPath(t, path, { method: 'POST' });
        assert.equal(post.status, 405, `POST ${path}: expected 405`);
      }
    },
  },
  {
    id: 'rest/host-paths/openapi',
    requirements: ['REPO-012', 'REPO-013', 'REPO-029'],
    level: 'MUST',
    readOnly: true,
    explanation:
      'At /openapi.json stands an OpenAPI document with every operation under the account base of the dialect.',
    run: async (t) => {
      const { status, headers, text } = await hostPath(t, '/openapi.json');
      assert.equal(status, 200, 'GET /openapi.json: expected 200');
      assert.match(headers.get('content-type') ?? '', /^application\/json\b/, 'expected JSON');
      const { openapi, paths } = JSON.parse(text);
      assert.match(openapi, /^3\./, 'expected a version of OpenAPI');
      const base = `${t.dialect.basePath}/accounts/{account_id}/${t.dialect.serviceSegment}`;
      const rows = Object.entries<Record<string, { responses?: object }>>(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { responses = {} }]) =>
          Object.keys(responses).map((code) => `${method} ${path.replace(base, '')} ${code}`),
        ),
      );
      const missing = operations.filter((operation) => !rows.includes(operation));
      assert.deepEqual(missing, [], 'expected every operation with its status of success');
    },
  },
  {
    id: 'rest/host-paths/docs',
    requirements: ['REPO-029'],
    level: 'MUST',
    readOnly: true,
    explanation: 'At /docs stands a page for people.',
    run: async (t) => {
      const { status, headers, text } = await hostPath(t, '/docs');
      assert.equal(status, 200, 'GET /docs: expected 200');
      assert.match(headers.get('content-type') ?? '', /^text\/html\b/, 'expected HTML');
      assert.match(text, /<html|<!doctype html/i, 'expected a page');
    },
  },
  {
    id: 'rest/host-paths/git',
    requirements: ['REPO-008', 'REPO-029'],
    level: 'MUST',
    explanation: 'Paths of a remote are Git and fail as text, not in the envelope of the REST API.',
    run: async (t) => {
      const repo = await t.createRepo();
      for (const [path, status, text] of [
        ['/info/refs?service=git-upload-pack', 401, 'Authentication required'],
        ['/info/refs', 403, /Dumb HTTP is not supported/],
        ['/none', 404, 'Not found'],
      ] as const) {
        const reply = await t.fetch(repo.remote + path);
        const found = (await reply.text()).trim();
        assert.equal(reply.status, status, `GET {remote}${path}: expected ${status}, got ${reply.status} ${found}`);
        const type = reply.headers.get('content-type');
        assert.equal(type, 'text/plain; charset=utf-8', `GET {remote}${path}: expected text`);
        if (typeof text === 'string') assert.equal(found, text, `GET {remote}${path}: expected this text`);
        else assert.match(found, text, `GET {remote}${path}: expected this text`);
      }
    },
  },
);
