import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMetrics } from '../../src/metrics/parse-metrics.test.util.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const token = 'metrics-token-0123456789';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ metrics: { token }, settings: {} });
});

afterAll(async () => {
  await server.close();
});

const read = (secret: string, method = 'GET'): Promise<Response> =>
  fetch(`${server.url}/metrics`, { method, headers: { authorization: `Bearer ${secret}` } });

describe('/metrics', () => {
  it('REPO-341, REPO-342: counts requests by operation, and names no repository, namespace or account', async () => {
    const repo = await server.createRepo('secret-name');
    const file = blob(noise(2_000_000, 1));
    const root = tree({ file });
    const first = commit('first', root);
    expect(await push(repo, [set('refs/heads/main', first)], pack(first, root, file))).toContain('unpack ok');
    await server.rest('GET', '/namespaces/default/repos/none');
    await server.rest('GET', '/nothing/secret-name');
    await fetch(`${server.url}/secret-name`);
    const reply = await read(token);
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await reply.text();
    expect(text).not.toMatch(/secret-name|default|local|packhouse-test/);
    const families = new Map(parseMetrics(text).map((family) => [family.name, family.metrics]));
    const requests = families.get('packhouse_requests_total')?.map(({ labels, value }) => [labels, value]);
    for (const [operation, status] of [
      ['createRepo', '201'],
      ['getRepo', '404'],
      ['rest', '404'],
      ['none', '404'],
      ['git-receive-pack', '200'],
    ]) {
      expect(requests).toContainEqual([{ operation, status }, '1']);
    }
    const one = (name: string): number => Number(families.get(name)?.[0]?.value);
    expect([one('packhouse_repositories'), one('packhouse_packs')]).toEqual([1, 1]);
    expect(one('packhouse_pack_bytes')).toBeGreaterThan(2_000_000);
    expect(one('packhouse_requests_running')).toBe(1);
    expect(one('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    const received = families
      .get('packhouse_request_bytes_total')
      ?.find(({ labels }) => labels?.['operation'] === 'git-receive-pack');
    expect(Number(received?.value)).toBeGreaterThan(2_000_000);
    // The parser leaves out the labels of histograms.
    expect(families.get('packhouse_request_duration_seconds')?.[0]?.buckets).toHaveProperty('+Inf');
    for (const end of ['_bucket{operation="git-receive-pack",le="+Inf"} 1', '_count{operation="git-receive-pack"} 1']) {
      expect(text).toContain(`packhouse_request_duration_seconds${end}\n`);
    }
    expect(families.get('packhouse_cache_bytes')?.map(({ labels }) => labels?.['cache'])).toContain('pages');
  });

  it('REPO-340: answers the token of the setting alone, not an API token', async () => {
    for (const secret of ['', 'metrics-token-0123456780', server.apiToken]) {
      const refused = await read(secret);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await refused.text()).not.toContain('packhouse_');
    }
    expect((await read(token, 'POST')).status).toBe(405);
    const head = await read(token, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('REPO-340: is not there without the setting', async () => {
    await server.restart({ settings: {} });
    expect((await read(token)).status).toBe(404);
  });
});
