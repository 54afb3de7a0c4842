/** GIT-155 of docs/specification/git.md: reported changes are durable. The tests restart the process. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { commandBody, linesOf, listedRefs, post, push, set } from '@packhouse/conformance/tools/wire-client';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const kept = change('kept');

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

it('GIT-155: what was ok is there after a restart', async () => {
  const repo = await server.createRepo('repo');
  expect(await push(repo, [set('refs/heads/kept', kept)], pack(...kept.all))).toEqual([
    'unpack ok',
    'ok refs/heads/kept',
  ]);
  await server.restart();
  expect((await listedRefs(repo))['refs/heads/kept']).toBe(kept.oid);
  expect(linesOf((await post(repo, commandBody('fetch', [`want ${kept.file.oid}`, 'done']))).body)[0]).toBe('packfile');
});
