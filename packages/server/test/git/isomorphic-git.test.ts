/** GIT-173 of docs/specification/git.md: isomorphic-git as a client. */

import fs from 'node:fs';
import { join } from 'node:path';
import {
  add,
  addRemote,
  branch,
  clone,
  commit,
  currentBranch,
  deleteRef,
  fetch,
  init,
  listBranches,
  listServerRefs,
  log,
  pull,
  push,
  readBlob,
  resolveRef,
  statusMatrix,
  tag,
} from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contents, git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import { listedRefs } from '@packhouse/conformance/tools/wire-client';

const author = { name: 'Ada Example', email: 'ada@example.com', timestamp: 1_700_000_000, timezoneOffset: 0 };

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/** What every call to the service takes: Basic with user `x` and the secret as password. */
function access(repo: TestRepo): {
  fs: typeof fs;
  http: typeof http;
  url: string;
  onAuth: () => { username: string; password: string };
} {
  return {
    fs,
    http,
    url: repo.remote,
    onAuth: () => ({ username: 'x', password: repo.token.split('?')[0] as string }),
  };
}

async function write(dir: string, path: string, text: string): Promise<string> {
  fs.writeFileSync(join(dir, path), text);
  await add({ fs, dir, filepath: path });
  return commit({ fs, dir, message: `write ${path}`, author });
}

it('GIT-173: pushes to an empty repo, and clones, fetches, pulls and deletes', async () => {
  const repo = await server.createRepo('whole');
  const remote = access(repo);
  const dir = join(folder, 'work');
  await init({ fs, dir, defaultBranch: 'main' });
  const one = await write(dir, 'a.txt', 'one\n');
  const two = await write(dir, 'a.txt', 'two\n');
  await tag({ fs, dir, ref: 'v1', object: one });
  for (const ref of ['main', 'v1']) expect(await push({ ...remote, dir, ref })).toMatchObject({ ok: true });
  expect(await listedRefs(repo)).toEqual({
    HEAD: `${two} symref-target:refs/heads/main`,
    'refs/heads/main': two,
    'refs/tags/v1': one,
  });

  const copy = join(folder, 'copy');
  await clone({ ...remote, dir: copy });
  expect(await currentBranch({ fs, dir: copy })).toBe('main');
  expect(fs.readFileSync(join(copy, 'a.txt'), 'utf8')).toBe('two\n');
  expect((await log({ fs, dir: copy })).map(({ oid }) => oid)).toEqual([two, one]);
  expect(await statusMatrix({ fs, dir: copy })).toEqual([['a.txt', 1, 1, 1]]);
  await git(['fsck', '--full', '--strict'], { cwd: copy });

  const three = await write(dir, 'b.txt', 'three\n');
  await push({ ...remote, dir, ref: 'main' });
  const fetched = await fetch({ ...remote, dir: copy, ref: 'main' });
  expect(fetched.fetchHead).toBe(three);
  await pull({ ...remote, dir: copy, ref: 'main', author, singleBranch: true });
  expect(await resolveRef({ fs, dir: copy, ref: 'HEAD' })).toBe(three);
  const { blob } = await readBlob({ fs, dir: copy, oid: three, filepath: 'b.txt' });
  expect(Buffer.from(blob).toString()).toBe('three\n');

  await branch({ fs, dir, ref: 'side', object: one });
  await push({ ...remote, dir, ref: 'side' });
  expect((await listedRefs(repo))['refs/heads/side']).toBe(one);
  expect(await push({ ...remote, dir, ref: 'side', delete: true })).toMatchObject({ ok: true });
  expect(await listedRefs(repo)).not.toHaveProperty(['refs/heads/side']);

  // Stock git gets the same.
  const mirror = join(folder, 'mirror.git');
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, mirror]);
  expect((await contents(mirror)).refs).toBe(`refs/heads/main ${three}\nrefs/tags/v1 ${one}\n`);
});

it('GIT-173: lists the refs of the server with protocol 1 and 2', async () => {
  const repo = await server.createRepo('listed');
  const remote = access(repo);
  const dir = join(folder, 'listed');
  await init({ fs, dir, defaultBranch: 'main' });
  const one = await write(dir, 'a', '1');
  await tag({ fs, dir, ref: 'light' });
  await git(['tag', '-a', '-m', 'annotated', 'full'], { cwd: dir });
  const full = (await git(['rev-parse', 'full'], { cwd: dir })).trim();
  for (const ref of ['main', 'light', 'full']) await push({ ...remote, dir, ref });
  for (const protocolVersion of [1, 2] as const) {
    const refs = await listServerRefs({ ...remote, protocolVersion, symrefs: true, peelTags: true });
    expect(refs.find(({ ref }) => ref === 'HEAD')).toEqual({ ref: 'HEAD', oid: one, target: 'refs/heads/main' });
    expect(refs.find(({ ref }) => ref === 'refs/tags/full')).toEqual({ ref: 'refs/tags/full', oid: full, peeled: one });
    expect(refs.find(({ ref }) => ref === 'refs/tags/light')).toEqual({ ref: 'refs/tags/light', oid: one });
    const tags = await listServerRefs({ ...remote, protocolVersion, prefix: 'refs/tags/' });
    expect(tags.map(({ ref }) => ref)).toEqual(['refs/tags/full', 'refs/tags/light']);
  }
});

it('GIT-173: a single branch, and a repo without any', async () => {
  const repo = await server.createRepo('single');
  const remote = access(repo);
  const dir = join(folder, 'single');
  await init({ fs, dir, defaultBranch: 'main' });
  await write(dir, 'a', '1');
  for (const ref of ['side', 'other']) await branch({ fs, dir, ref });
  for (const ref of ['main', 'side', 'other']) await push({ ...remote, dir, ref });
  const copy = join(folder, 'single-copy');
  await clone({ ...remote, dir: copy, ref: 'side', singleBranch: true });
  expect(await listBranches({ fs, dir: copy, remote: 'origin' })).not.toContain('other');
  expect(await currentBranch({ fs, dir: copy })).toBe('side');

  const empty = join(folder, 'empty');
  await clone({ ...access(await server.createRepo('empty')), dir: empty });
  expect(fs.readdirSync(empty)).toEqual(['.git']);
});

it('GIT-173: is told what is wrong', async () => {
  const repo = await server.createRepo('refused');
  const dir = join(folder, 'refused');
  await init({ fs, dir, defaultBranch: 'main' });
  const one = await write(dir, 'a', '1');
  await addRemote({ fs, dir, remote: 'origin', url: repo.remote });
  const remote = access(repo);
  await push({ ...remote, dir, ref: 'main' });
  await expect(fetch({ ...remote, onAuth: () => ({ username: 'x', password: 'wrong' }), dir })).rejects.toMatchObject({
    data: { statusCode: 403 },
  });
  await expect(fetch({ fs, http, url: repo.remote, dir })).rejects.toMatchObject({ data: { statusCode: 401 } });
  // A branch that has moved meanwhile: its client refuses, unless forced.
  await write(dir, 'b', '2');
  await push({ ...remote, dir, ref: 'main' });
  await deleteRef({ fs, dir, ref: 'refs/heads/main' });
  await branch({ fs, dir, ref: 'main', object: one, force: true });
  const aside = await commit({
    fs,
    dir,
    message: 'aside',
    author,
    parent: [one],
    ref: 'refs/heads/main',
    tree: (await log({ fs, dir, ref: one }))[0]?.commit.tree as string,
  });
  await expect(push({ ...remote, dir, ref: 'main' })).rejects.toMatchObject({ code: 'PushRejectedError' });
  expect(await push({ ...remote, dir, ref: 'main', force: true })).toMatchObject({ ok: true });
  expect((await listedRefs(repo))['refs/heads/main']).toBe(aside);
});
