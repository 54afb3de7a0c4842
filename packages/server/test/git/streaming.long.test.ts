/** GIT-178 of docs/specification/git.md: replies are streams. It needs the log, which has how much was sent. */

import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { fetchBody, listedRefs, post, push, set } from '@packhouse/conformance/tools/wire-client';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

it('GIT-178: a reply leaves while its pack is made, and of what a client does not read no more is made', async () => {
  const repo = await server.createRepo('streamed');
  const files = Array.from({ length: 40 }, (_, i) => blob(noise(700_000, i)));
  const root = tree(Object.fromEntries(files.map((file, i) => [`f${String(i).padStart(2, '0')}`, file])));
  const node = commit('large', root);
  expect((await push(repo, [set('refs/heads/main', node)], pack(node, root, ...files)))[0]).toBe('unpack ok');
  const whole = fetchBody([node.oid], []);
  // With a commit on top, the pack has to be made; without, it lies there.
  const top = commit('top', root, [node]);
  expect(await abandoned(repo, whole)).toBeLessThan(20_000_000);
  await push(repo, [set('refs/heads/main', top, node)], pack(top));
  expect(await abandoned(repo, fetchBody([top.oid], []))).toBeLessThan(20_000_000);
  const complete = await post(repo, fetchBody([top.oid], []));
  expect(complete.body.length).toBeGreaterThan(28_000_000);
  expect(complete.headers.get('content-length')).toBeNull();
});

/** Reads the beginning of a reply, nothing more while others are served, and leaves. How many bytes were sent. */
async function abandoned(repo: TestRepo, body: Buffer): Promise<number> {
  const headers = {
    authorization: `Bearer ${repo.token}`,
    'content-type': 'application/x-git-upload-pack-request',
    'git-protocol': 'version=2',
  };
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(
      `${repo.remote}/git-upload-pack`,
      { method: 'POST', headers, agent: false },
      (response) => {
        response.once('data', () => {
          response.pause();
          const others = async (): Promise<void> => {
            for (let i = 0; i < 20; i++) await listedRefs(repo);
          };
          others().then(() => {
            response.destroy();
            resolve();
          }, reject);
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
  for (;;) {
    const entry = server.requests.find(
      ({ path, whole }) => whole === false && String(path).includes(`/${repo.name}.git/`),
    );
    if (entry !== undefined) {
      server.requests.splice(server.requests.indexOf(entry), 1);
      return Number(entry['sent']);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
