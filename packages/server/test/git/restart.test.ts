/** GIT-155 and GIT-166 of docs/specification/git.md: what holds after a restart, also with other settings. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { commandBody, linesOf, listedRefs, post, push, remove, set } from '@packhouse/conformance/tools/wire-client';
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

it('GIT-166: a repo that is above a lower limit after a restart is read, and its refs are deleted', async () => {
  const repo = await server.createRepo('above');
  const [gone, more] = ['refs/heads/gone', 'refs/heads/more'];
  await push(repo, [set('refs/heads/kept', kept), set(gone, kept)], pack(...kept.all));
  await server.restart({ settings: { repo_storage_max: 1 } });
  const next = change('next', kept);
  expect((await push(repo, [set(more, next)], pack(...next.all))).at(-1)).toBe(`ng ${more} storage limit exceeded`);
  expect(await push(repo, [remove(gone, kept)])).toEqual(['unpack ok', `ok ${gone}`]);
  expect(Object.keys(await listedRefs(repo))).not.toContain(gone);
  expect(linesOf((await post(repo, commandBody('fetch', [`want ${kept.oid}`, 'done']))).body)[0]).toBe('packfile');
});
