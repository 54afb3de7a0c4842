/** GIT-130 to GIT-133 and section 11 of docs/specification/git.md: HEAD, and repos that are empty. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, tryGit } from '../support/git.ts';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import { discover, listedRefs, push, remove, set } from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const second = change('second', first);

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

/** HEAD as all three versions tell it: the ref it names and its value, or why there is none. */
async function headOf(repo: TestRepo): Promise<string> {
  const v2 = (await listedRefs(repo))['HEAD'];
  for (const version of [0, 1] as const) {
    const { lines } = await discover(repo, { version });
    const line = lines.find((found) => /^\S+ HEAD\0/.test(found));
    const symref = /symref=HEAD:(\S+)/.exec(lines.join(' '))?.[1];
    if (v2?.startsWith('unborn')) expect([line, symref]).toEqual([undefined, undefined]);
    else expect(`${line?.slice(0, 40)} symref-target:${symref}`).toBe(v2);
  }
  return v2 ?? 'none';
}

async function clone(repo: TestRepo, version: string, ...more: readonly string[]): Promise<string> {
  const path = join(folder, `${repo.name}-${version}-${more.length}`);
  removeFolder(path);
  await git(['-c', `protocol.version=${version}`, ...repo.auth, 'clone', '--quiet', ...more, repo.remote, path]);
  return path;
}

describe('GIT-130: HEAD', () => {
  it('is the default branch if it exists, else the only branch, else the default branch, unborn', async () => {
    const repo = await server.createRepo('head', { default_branch: 'trunk' });
    const unborn = 'unborn symref-target:refs/heads/trunk';
    expect(await headOf(repo)).toBe(unborn);
    await push(repo, [set('refs/tags/t', first)], pack(...first.all, ...second.all));
    expect(await headOf(repo)).toBe(unborn);
    await push(repo, [set('refs/heads/b', first)], pack());
    expect(await headOf(repo)).toBe(`${first.oid} symref-target:refs/heads/b`);
    await push(repo, [set('refs/heads/a', first)], pack());
    expect(await headOf(repo)).toBe(unborn);
    await push(repo, [set('refs/heads/trunk', second)], pack(...second.all));
    expect(await headOf(repo)).toBe(`${second.oid} symref-target:refs/heads/trunk`);
    await push(repo, [remove('refs/heads/trunk', second), remove('refs/heads/b', first)]);
    expect(await headOf(repo)).toBe(`${first.oid} symref-target:refs/heads/a`);
  });

  it.each(['0', '1', '2'])('is what a clone checks out, with protocol.version %s', async (version) => {
    const repo = await server.createRepo(`clone-${version}`, { default_branch: 'trunk' });
    await push(
      repo,
      [set('refs/heads/zzz', first), set('refs/heads/trunk', second), set('refs/heads/aaa', second)],
      pack(...first.all, ...second.all),
    );
    const path = await clone(repo, version);
    expect(await git(['symbolic-ref', 'HEAD'], { cwd: path })).toBe('refs/heads/trunk\n');
    expect(await git(['cat-file', 'blob', 'HEAD:file'], { cwd: path })).toBe('second\n');
  });

  it('GIT-132: after the default branch was deleted the repo still lists, fetches and takes pushes', async () => {
    const repo = await server.createRepo('deleted');
    await push(
      repo,
      [set('refs/heads/main', second), set('refs/heads/a', first), set('refs/heads/b', first)],
      pack(...first.all, ...second.all),
    );
    await push(repo, [remove('refs/heads/main', second)]);
    expect(await headOf(repo)).toBe('unborn symref-target:refs/heads/main');
    for (const version of ['0', '2']) {
      const path = await clone(repo, version, '--no-checkout');
      expect(
        (await git(['for-each-ref', '--format=%(refname)', 'refs/remotes'], { cwd: path })).trim().split('\n'),
      ).toEqual(['refs/remotes/origin/a', 'refs/remotes/origin/b']);
    }
    expect(await push(repo, [set('refs/heads/main', first)], pack())).toEqual(['unpack ok', 'ok refs/heads/main']);
    expect(await headOf(repo)).toBe(`${first.oid} symref-target:refs/heads/main`);
  });

  it('GIT-133: no push changes the default branch of the record, and HEAD is the only symbolic ref', async () => {
    const repo = await server.createRepo('record', { default_branch: 'trunk' });
    const recorded = async (): Promise<unknown> =>
      (await server.rest('GET', '/namespaces/default/repos/record')).result['default_branch'];
    await push(repo, [set('refs/heads/other', first)], pack(...first.all));
    expect(await recorded()).toBe('trunk');
    expect(await push(repo, [set('HEAD', first)], pack())).toEqual(['unpack ok', 'ng HEAD funny refname']);
    expect(await push(repo, [set('refs/heads/HEAD', first), set('refs/remotes/origin/HEAD', first)], pack())).toEqual([
      'unpack ok',
      'ok refs/heads/HEAD',
      'ok refs/remotes/origin/HEAD',
    ]);
    expect(await recorded()).toBe('trunk');
    const symbolic = Object.entries(await listedRefs(repo)).filter(([, value]) => value.includes('symref-target'));
    expect(symbolic.map(([name]) => name)).toEqual(['HEAD']);
  });
});

describe('GIT-131, GIT-160: an empty repo', () => {
  it.each(['0', '1', '2'])('is listed as nothing and cloned, with protocol.version %s', async (version) => {
    const repo = await server.createRepo(`empty-${version}`, { default_branch: 'trunk' });
    const protocol = ['-c', `protocol.version=${version}`, ...repo.auth];
    const listed = await tryGit([...protocol, 'ls-remote', repo.remote]);
    expect([listed.status, listed.stdout.toString()]).toEqual([0, '']);
    const path = await clone(repo, version);
    if (version === '2') expect(await git(['symbolic-ref', 'HEAD'], { cwd: path })).toBe('refs/heads/trunk\n');
    const fetched = await tryGit([...protocol, 'fetch', repo.remote], { cwd: path });
    expect(fetched.status).not.toBe(0);
    expect(fetched.stderr).toContain("couldn't find remote ref HEAD");
    expect((await tryGit([...protocol, 'fetch', 'origin'], { cwd: path })).status).toBe(0);
    await git(['commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: path });
    await git([...protocol, 'push', '--quiet', repo.remote, 'HEAD:refs/heads/trunk', 'HEAD:refs/heads/two'], {
      cwd: path,
    });
    const head = (await git(['rev-parse', 'HEAD'], { cwd: path })).trim();
    expect(await listedRefs(repo)).toEqual({
      HEAD: `${head} symref-target:refs/heads/trunk`,
      'refs/heads/trunk': head,
      'refs/heads/two': head,
    });
  });

  it('GIT-160: stays one when its last ref is deleted', async () => {
    const repo = await server.createRepo('emptied');
    await push(repo, [set('refs/heads/main', first)], pack(...first.all));
    await push(repo, [remove('refs/heads/main', first)]);
    expect(await git([...repo.auth, 'ls-remote', repo.remote])).toBe('');
    await clone(repo, '2');
    expect(await push(repo, [set('refs/heads/main', first)], pack(...first.all))).toEqual([
      'unpack ok',
      'ok refs/heads/main',
    ]);
  });
});

it('GIT-163: a repository of the other object format is refused, by Git itself or by the service', async () => {
  const repo = await server.createRepo('sha1');
  await push(repo, [set('refs/heads/main', first)], pack(...first.all));
  const path = join(folder, 'sha256');
  await git(['init', '--quiet', '--object-format=sha256', path]);
  await git(['commit', '--quiet', '--allow-empty', '-m', 'long ids'], { cwd: path });
  for (const command of [
    ['push', repo.remote, 'HEAD:refs/heads/long'],
    ['fetch', repo.remote, 'main'],
  ]) {
    for (const version of ['0', '2']) {
      const { status, stderr } = await tryGit(['-c', `protocol.version=${version}`, ...repo.auth, ...command], {
        cwd: path,
      });
      expect([command[0], status]).not.toEqual([command[0], 0]);
      expect(stderr).toMatch(/mismatched algorithms|object format|does not support/);
    }
  }
  expect(Object.keys(await listedRefs(repo))).toEqual(['HEAD', 'refs/heads/main']);
});
