/** LIM-059, where it is this engine’s own lists that would grow: others may need none. */

import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

it('LIM-059: lists that would outgrow the memory of a request are refused', async () => {
  await server.restart({ settings: { request_memory_max: 8_000_000 } });
  const repo = await server.createRepo('long-lists');
  const folderOf = (start: number): { root: MadeObject; all: MadeObject[] } => {
    const files = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`f${String(i).padStart(5, '0')}`, blob(`${start + i}`)]),
    );
    return { root: tree(files), all: Object.values(files) };
  };
  const [odd, even] = [folderOf(0), folderOf(5_000)];
  const history: MadeObject[] = [];
  for (let i = 0; i < 300; i++) {
    history.push(commit(`${i}`, i % 2 === 0 ? even.root : odd.root, history.slice(-1)));
  }
  const bytes = pack(...odd.all, ...even.all, odd.root, even.root, ...history);
  const value = history.at(-1) as MadeObject;
  expect(await push(repo, [set('refs/heads/main', value)], bytes)).toEqual([
    expect.stringMatching(/^unpack not enough memory: \d+ bytes, limit 8000000 \(request_memory_max\)$/),
    'ng refs/heads/main not enough memory',
  ]);
  await server.restart({ settings: {} });
  expect(await push(repo, [set('refs/heads/main', value)], bytes)).toEqual(['unpack ok', 'ok refs/heads/main']);
});
