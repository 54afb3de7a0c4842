import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply } from '../../../core/context.ts';
import { assertFailure, assertSuccess, bodyTooLarge, failures } from '../../../steps/replies.ts';
import { only, tightSettings } from '../../../steps/settings.ts';

const json = { 'content-type': 'application/json' };

/** Returns a request body to create a namespace, with so many bytes of JSON. */
function namespaceBody(namespace: string, bytes: number): string {
  const padding = bytes - JSON.stringify({ namespace, padding: '' }).length;
  return JSON.stringify({ namespace, padding: 'x'.repeat(padding) });
}

async function postNamespace(
  t: Context,
  body: string | Uint8Array,
  headers: Record<string, string> = json,
): Promise<RestReply> {
  return t.rest('POST', '/namespaces', { body, headers });
}

export const bodies: Suite = suite(
  {
    id: 'rest/bodies/media-type',
    requirements: ['REPO-040', 'REPO-161', 'REPO-311'],
    level: 'MUST',
    beyond: true,
    explanation: 'A body is application/json in UTF-8 and not encoded, or it is 415.',
    run: async (t) => {
      const body = JSON.stringify({ namespace: t.name() });
      for (const type of [
        'text/plain',
        'text/json',
        'application/json5',
        'application/x-www-form-urlencoded',
        'application/vnd.api+json',
        'application/json; charset=iso-8859-1',
        'application/json;charset=utf-16',
      ]) {
        const reply = await postNamespace(t, body, { 'content-type': type });
        assertFailure(t, reply, failures.mediaType, `POST with the content type ${type}`);
      }
      for (const type of [
        'application/json',
        'Application/JSON',
        'application/json; charset=utf-8',
        'application/json;charset="UTF-8"',
        'application/json; x=y; Charset=UTF-8',
      ]) {
        const reply = await postNamespace(t, JSON.stringify({ namespace: t.name() }), { 'content-type': type });
        assertSuccess(reply, 201, `POST with the content type ${type}`);
      }
      const coded = await postNamespace(t, body, { ...json, 'content-encoding': 'gzip' });
      const message = `${failures.mediaType.message}: expected a body without Content-Encoding`;
      assertFailure(t, coded, { ...failures.mediaType, message }, 'POST of an encoded body');
      const plain = await postNamespace(t, body, { ...json, 'content-encoding': 'identity' });
      assertSuccess(plain, 201, 'POST of a body that is not encoded');
    },
  },
  {
    id: 'rest/bodies/no-media-type',
    requirements: ['REPO-040'],
    level: 'MUST',
    beyond: true,
    explanation: 'A body without a Content-Type counts as JSON.',
    run: async (t) => {
      const body = new TextEncoder().encode(JSON.stringify({ namespace: t.name() }));
      const headers = { authorization: `Bearer ${t.apiToken}` };
      const reply = await t.fetch(`${t.base}/namespaces`, { method: 'POST', body, headers });
      assert.equal(reply.status, 201, `expected 201, got ${reply.status} ${await reply.text()}`);
    },
  },
  {
    id: 'rest/bodies/size',
    requirements: ['LIM-009', 'REPO-041', 'REPO-161', 'REPO-309'],
    level: 'MUST',
    beyond: true,
    explanation: 'A body of 1,048,576 bytes is taken, one of a byte more is 413.',
    run: async (t) => {
      const most = 1_048_576;
      assertSuccess(await postNamespace(t, namespaceBody(t.name(), most)), 201, `POST of ${most} bytes`);
      const over = await postNamespace(t, namespaceBody(t.name(), most + 1));
      assertFailure(t, over, bodyTooLarge(most), `POST of ${most + 1} bytes`);
    },
  },
  {
    id: 'rest/bodies/size-setting',
    requirements: ['LIM-009', 'REPO-041'],
    level: 'MUST',
    beyond: true,
    needs: ['settings'],
    settings: only(tightSettings, 'rest_body_max'),
    explanation: 'The limit of a body is a setting, and holds for a body that does not tell its length too.',
    run: async (t) => {
      const most = tightSettings.rest_body_max;
      assertSuccess(await postNamespace(t, namespaceBody(t.name(), most)), 201, `POST of ${most} bytes`);
      const over = await postNamespace(t, namespaceBody(t.name(), most + 1));
      assertFailure(t, over, bodyTooLarge(most), `POST of ${most + 1} bytes`);
      const parts = [...namespaceBody(t.name(), most + 1)].map((one) => new TextEncoder().encode(one));
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      const headers = { ...json, authorization: `Bearer ${t.apiToken}` };
      const init = { method: 'POST', body: stream, headers, duplex: 'half' };
      const reply = await t.fetch(`${t.base}/namespaces`, init);
      assert.equal(reply.status, 413, `POST of ${most + 1} bytes without a length: expected 413`);
      assert.equal(JSON.parse(await reply.text()).errors[0].code, 10413, 'expected the code of a body too large');
    },
  },
  {
    id: 'rest/bodies/endless',
    requirements: ['LIM-009', 'REPO-041'],
    level: 'MUST',
    beyond: true,
    needs: ['streaming'],
    explanation: 'A body above the limit is refused as soon as that shows, without waiting for its end.',
    run: async (t) => {
      const end = new AbortController();
      let left = 20;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          // More than the limit, and then nothing more until the reply arrives.
          if (left === 0) return new Promise<void>((resolve) => end.signal.addEventListener('abort', () => resolve()));
          left -= 1;
          controller.enqueue(new Uint8Array(65_536).fill(32));
          return undefined;
        },
      });
      const headers = { ...json, authorization: `Bearer ${t.apiToken}` };
      const late = AbortSignal.timeout(20_000);
      const init = { method: 'POST', body, headers, duplex: 'half', signal: AbortSignal.any([end.signal, late]) };
      try {
        const reply = await t.fetch(`${t.base}/namespaces`, init);
        assert.equal(reply.status, 413, 'POST of a body that goes on: expected 413 without its end');
      } catch (error) {
        assert.ok(!late.aborted, 'POST of a body that goes on: expected a reply without its end');
        throw error;
      } finally {
        end.abort();
      }
    },
  },
  {
    id: 'rest/bodies/malformed',
    requirements: ['REPO-042', 'REPO-162'],
    level: 'MUST',
    explanation: 'A body that is no JSON object in UTF-8 is 400 without a pointer.',
    run: async (t) => {
      const name = t.name();
      const texts = [
        '',
        ' ',
        '{',
        '[]',
        'null',
        'true',
        '1',
        '"namespace"',
        `[{"namespace":"${name}"}]`,
        `{"namespace":"${name}"}x`,
        `{"namespace":"${name}",}`,
        `{'namespace':'${name}'}`,
        `{"namespace":"${name}`,
        `namespace=${name}`,
        '['.repeat(100_000),
      ];
      for (const text of texts) {
        assertFailure(
          t,
          await postNamespace(t, text),
          failures.malformed,
          `POST of ${JSON.stringify(text.slice(0, 80))}`,
        );
      }
      const latin = Buffer.from(`{"namespace":"${name}","x":"\u00e4"}`, 'latin1');
      assertFailure(t, await postNamespace(t, latin), failures.malformed, 'POST of JSON that is not UTF-8');
      const wide = Buffer.from(`{"namespace":"${name}"}`, 'utf16le');
      assertFailure(t, await postNamespace(t, wide), failures.malformed, 'POST of JSON in UTF-16');
      assertFailure(t, await t.rest('GET', `/namespaces/${name}`), failures.noNamespace, 'GET of what was not made');
    },
  },
  {
    id: 'rest/bodies/unknown-members',
    requirements: ['REPO-042'],
    level: 'MUST',
    explanation: 'Unknown members and parameters are ignored, and null for an optional member counts as absent.',
    run: async (t) => {
      const namespace = t.name();
      const odd = { constructor: 1, toString: 'x', 'jurisdiction ': 'xx', 'a"b': [{}], namespaces: null };
      const body = `{"__proto__":{"jurisdiction":"xx"},${JSON.stringify({ ...odd, namespace, jurisdiction: null }).slice(1)}`;
      const reply = await t.rest('POST', '/namespaces?limit=x&sort=y', { body });
      const made = assertSuccess(reply, 201, 'POST with unknown members and parameters');
      assert.equal(made.jurisdiction, 'unrestricted', 'expected null to count as absent');
      const absent = { name: 'r', description: null, default_branch: null, read_only: null, more: 1 };
      const repo = await t.rest('POST', `/namespaces/${namespace}/repos`, { body: absent });
      const { description, default_branch: branch } = assertSuccess(repo, 201, 'POST of a repo with null members');
      assert.deepEqual([description, branch], [null, 'main'], 'expected the defaults');
      const minted = await t.rest('POST', `/namespaces/${namespace}/tokens`, {
        body: { repo: 'r', scope: null, ttl: null },
      });
      assert.equal(
        assertSuccess(minted, 201, 'POST of a token with null members').scope,
        'write',
        'expected the default',
      );
      const list = await t.rest('GET', `/namespaces/${namespace}/repos?colour=red&__proto__=1&constructor=&state=x`);
      assertSuccess(list, 200, 'GET of a list with unknown parameters');
    },
  },
);
