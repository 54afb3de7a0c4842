import { join } from 'node:path';
import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { neutral } from '@packhouse/hosting';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let server: TestServer;

beforeAll(async () => {
  provider.register();
  server = await startTestServer();
});

afterAll(async () => {
  await server.close();
  for (const api of [trace, context, propagation]) api.disable();
  Reflect.deleteProperty(globalThis, Symbol.for('opentelemetry.js.api.1'));
  await provider.shutdown();
});

/** Returns the spans since the last call, by name. */
function spans(): ReadonlyMap<string, ReadableSpan> {
  const found = new Map(exporter.getFinishedSpans().map((span) => [span.name, span]));
  exporter.reset();
  return found;
}

it('REPO-345: a request has a span that continues its trace, and names no account or repository', async () => {
  const [traceId, parentId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const reply = await fetch(`${server.url}/v4/accounts/local/repos/namespaces/default/repos/secret-name`, {
    headers: { authorization: `Bearer ${server.apiToken}`, traceparent: `00-${traceId}-${parentId}-01` },
  });
  await reply.text();
  const span = spans().get('getRepo');
  expect(span?.spanContext().traceId).toBe(traceId);
  expect(span?.parentSpanContext?.spanId).toBe(parentId);
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 404,
    'packhouse.request_id': reply.headers.get(neutral.requestIdHeader),
  });
  expect(JSON.stringify([span?.attributes, span?.events])).not.toMatch(/secret-name|local/);
});

it('REPO-346: a push has spans of its pack and its commit, and a fetch one that lasts as long as its reply', async () => {
  const repo = await server.createRepo('traced');
  expect([...spans().keys()]).toContain('createRepo');
  const file = blob(new Uint8Array(2_000_000).map((_, at) => at * 7 + (at >> 8)));
  const root = tree({ file });
  const first = commit('first', root);
  expect(await push(repo, [set('refs/heads/main', first)], pack(first, root, file))).toContain('unpack ok');
  const pushed = spans();
  const idOf = (name: string): string | undefined => pushed.get(name)?.spanContext().spanId;
  expect(pushed.get('pack.receive')?.parentSpanContext?.spanId).toBe(idOf('git-receive-pack'));
  expect(pushed.get('storage.commit')?.parentSpanContext?.spanId).toBe(idOf('pack.receive'));
  expect(new Set([...pushed.values()].map((span) => span.spanContext().traceId)).size).toBe(1);

  const folder = makeFolder();
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, join(folder, 'clone')]);
  removeFolder(folder);
  const sent = spans();
  const [request, send] = [sent.get('git-upload-pack'), sent.get('pack.send')];
  expect(send?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(request?.status.code).toBe(0);
});
