/** Repositories of stock `git http-backend`, imported and then cloned from this server. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fetch } from '@packhouse/git';
import { makeSampleRepositories, runGit, serveHttpBackend, type HttpBackend } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contents, git } from '../support/git.ts';
import { importFrom } from '../support/import-from.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let remotes: HttpBackend;
let folder: string;
let root: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  root = join(folder, 'remotes');
  makeSampleRepositories(root);
  makeTagged();
  remotes = await serveHttpBackend(root);
});

afterAll(async () => {
  await remotes.close();
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/**
 * Ten commits on `main` and three on `side`, with tags of every kind on both; HEAD names `trunk`, which is `main~2`.
 */
function makeTagged(): void {
  const cwd = join(root, 'tagged.git');
  runGit(['init', '--quiet', '--bare', '--initial-branch=main', cwd]);
  const lines = Array.from({ length: 13 }, (_, i) => {
    const name = i < 10 ? 'main' : 'side';
    return [
      `commit refs/heads/${name}\nmark :${i + 1}\ncommitter A <a@x> ${1_600_000_000 + i} +0000\ndata 0`,
      ...(i === 0 ? [] : [`from :${i === 10 ? 6 : i}`]),
      `M 644 inline ${name}\ndata ${String(i).length}\n${i}\n`,
    ].join('\n');
  });
  runGit(['fast-import', '--quiet'], { cwd, input: lines.join('') });
  const run = (...args: readonly string[]): void => void runGit(args, { cwd });
  run('update-ref', 'refs/heads/trunk', 'refs/heads/main~2');
  run('symbolic-ref', 'HEAD', 'refs/heads/trunk');
  run('tag', 'old', 'main~5');
  run('tag', '-m', 'annotated', 'v1', 'main~1');
  run('tag', '-m', 'nested', 'v1-again', 'v1');
  run('tag', 'on-side', 'side');
  run('tag', '-m', 'on side', 'v-side', 'side~1');
  run('tag', 'of-a-blob', 'side:side');
  run('update-ref', 'refs/notes/commits', 'side');
  run('update-ref', 'refs/pull/1/head', 'side');
}

const url = (name: string): URL => new URL(`${remotes.origin}/${name}.git`);
let repos = 0;

interface Imported {
  readonly repo: TestRepo;
  readonly shallow: readonly string[];
  readonly defaultBranch: string;
}

async function imported(name: string, choice: Parameters<typeof importFrom>[3] = {}): Promise<Imported> {
  const repo = await server.createRepo(`import-${repos++}`);
  return { repo, ...(await importFrom(server, repo, url(name), choice)) };
}

/** A mirror of what was imported, as stock git gets it, checked. */
async function cloned(repo: TestRepo): Promise<string> {
  const cwd = join(folder, `${repo.name}.git`);
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, cwd]);
  await git(['fsck', '--full', '--no-dangling', '--no-progress'], { cwd });
  return cwd;
}

async function refsOf(cwd: string, ...prefixes: readonly string[]): Promise<string[]> {
  const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)', ...prefixes], { cwd });
  return listed.split('\n').filter(Boolean);
}

/** Clones the same remote with `git clone`. */
async function stockClone(name: string, ...options: readonly string[]): Promise<string> {
  const cwd = join(folder, `stock-${repos++}.git`);
  await git(['clone', '--quiet', '--bare', ...options, url(name).href, cwd]);
  return cwd;
}

function boundaryOf(cwd: string): string[] {
  return readFileSync(join(cwd, 'shallow'), 'utf8').split('\n').filter(Boolean).sort();
}

/** Requests as they reach a server behind something that knows no version 2, or neither of them. */
function speaking(version: '0' | '1' | '2'): Fetch {
  return (request) => {
    const headers = new Headers(request.headers);
    headers.delete('git-protocol');
    if (version !== '0') headers.set('git-protocol', `version=${version}`);
    return fetch(new Request(request, { headers }));
  };
}

const samples = ['modes', 'encodings', 'merges', 'tags', 'deep', 'wide', 'contents', 'deltas'];

describe('REPO-130: all branches and tags', () => {
  it.each(samples)('REPO-130: of the sample %s, byte for byte', async (name) => {
    const { repo, shallow, defaultBranch } = await imported(name);
    expect([shallow, defaultBranch]).toEqual([[], 'main']);
    const [ours, theirs] = [await cloned(repo), await stockClone(name, '--mirror')];
    const of = ['refs/heads', 'refs/tags'];
    expect(await refsOf(ours)).toEqual(await refsOf(theirs, ...of));
    await git(['fetch', '--quiet', theirs, 'refs/heads/*:refs/copy/*'], { cwd: ours });
  });

  it('REPO-130: leaves other refs and their objects out, and takes the default branch from HEAD', async () => {
    const { repo, defaultBranch } = await imported('tagged');
    expect(defaultBranch).toBe('trunk');
    const [ours, theirs] = [await cloned(repo), join(root, 'tagged.git')];
    expect(await refsOf(ours)).toEqual(await refsOf(theirs, 'refs/heads', 'refs/tags'));
  });
});

describe('REPO-130: one branch', () => {
  it('REPO-130: with the tags that point into it, of every kind', async () => {
    const { repo, defaultBranch } = await imported('tagged', { branch: 'main' });
    expect(defaultBranch).toBe('main');
    const theirs = await stockClone('tagged', '--single-branch', '--branch=main');
    const ours = await cloned(repo);
    expect(await contents(ours)).toEqual(await contents(theirs));
    const names = (await refsOf(ours)).map((line) => line.split(' ')[1]);
    expect(names).toEqual(['refs/heads/main', 'refs/tags/old', 'refs/tags/v1', 'refs/tags/v1-again']);
  });

  it('REPO-127: a missing branch, or a branch of an empty repository, is an error', async () => {
    await expect(imported('tagged', { branch: 'nowhere' })).rejects.toMatchObject({ code: 'branch missing' });
    await expect(imported('empty', { branch: 'main' })).rejects.toMatchObject({ code: 'branch missing' });
  });
});

describe.each(['0', '1', '2'] as const)('REPO-131: a depth, of a remote that speaks version %s', (version) => {
  it.each([1, 3, 9e15])('REPO-131: of %i, of the branch that HEAD names', async (depth) => {
    const { repo, shallow, defaultBranch } = await imported('tagged', { depth, fetch: speaking(version) });
    expect(defaultBranch).toBe('trunk');
    const ours = await cloned(repo);
    const theirs = await stockClone('tagged', '--no-tags', `--depth=${Math.min(depth, 2_147_483_647)}`);
    expect(await contents(ours)).toEqual(await contents(theirs));
    if (depth > 10) expect(shallow).toEqual([]);
    else expect(shallow).toEqual(boundaryOf(theirs));
  });

  it('REPO-130, REPO-131: together with a branch, and with the tags that are left of it', async () => {
    const { repo, shallow } = await imported('tagged', { branch: 'main', depth: 3, fetch: speaking(version) });
    const theirs = await stockClone('tagged', '--depth=3', '--single-branch', '--branch=main');
    const ours = await cloned(repo);
    expect(await contents(ours)).toEqual(await contents(theirs));
    expect(await refsOf(ours, 'refs/tags')).toHaveLength(2);
    expect(shallow).toEqual(boundaryOf(theirs));
  });

  it('REPO-130: whole repositories come the same way', async () => {
    for (const name of ['tagged', 'merges']) {
      const { repo } = await imported(name, { fetch: speaking(version) });
      expect(await refsOf(await cloned(repo))).toEqual(
        await refsOf(join(root, `${name}.git`), 'refs/heads', 'refs/tags'),
      );
    }
  });
});

describe('REPO-130: remotes that are special', () => {
  const made = (name: string, ...steps: readonly (readonly string[])[]): string => {
    const cwd = join(root, `${name}.git`);
    runGit(['clone', '--quiet', '--mirror', join(root, 'tagged.git'), cwd]);
    for (const step of steps) runGit(step, { cwd });
    return cwd;
  };

  it.each(['0', '2'] as const)('REPO-130: an empty one gives an empty repo, in version %s', async (version) => {
    for (const depth of [undefined, 1]) {
      const { repo, defaultBranch } = await imported('empty', { depth, fetch: speaking(version) });
      expect(defaultBranch).toBe('main');
      expect(await git([...repo.auth, 'ls-remote', repo.remote])).toBe('');
    }
  });

  it('REPO-130: an empty one tells in version 2 what its HEAD names', async () => {
    const cwd = join(root, 'develop.git');
    runGit(['init', '--quiet', '--bare', '--initial-branch=develop', cwd]);
    expect((await imported('develop')).defaultBranch).toBe('develop');
  });

  it.each(['0', '2'] as const)('REPO-130: a detached HEAD names no branch, in version %s', async (version) => {
    made(`detached-${version}`, ['update-ref', '--no-deref', 'HEAD', 'refs/heads/side']);
    const { repo, defaultBranch } = await imported(`detached-${version}`, { fetch: speaking(version) });
    expect(defaultBranch).toBe('main');
    expect(await refsOf(await cloned(repo), 'refs/heads')).toHaveLength(3);
    const cut = await imported(`detached-${version}`, { depth: 1, fetch: speaking(version) });
    expect((await refsOf(await cloned(cut.repo)))[0]).toMatch(/ refs\/heads\/main$/);
  });

  it('REPO-130: HEAD may name a branch that is not there', async () => {
    made('unborn', ['symbolic-ref', 'HEAD', 'refs/heads/gone']);
    const { repo, defaultBranch } = await imported('unborn');
    expect(defaultBranch).toBe('gone');
    expect(await refsOf(await cloned(repo), 'refs/heads')).toHaveLength(3);
    await expect(imported('unborn', { depth: 1 })).rejects.toMatchObject({ code: 'branch missing' });
    made('only', ['symbolic-ref', 'HEAD', 'refs/heads/gone'], ['branch', '-D', 'trunk', 'side']);
    expect(await refsOf(await cloned((await imported('only', { depth: 1 })).repo))).toHaveLength(1);
  });

  it('GIT-075: what a shallow remote lacks is lacking here', async () => {
    const cwd = join(root, 'cut.git');
    runGit([
      'clone',
      '--quiet',
      '--bare',
      '--depth=4',
      '--no-single-branch',
      `file://${join(root, 'tagged.git')}`,
      cwd,
    ]);
    for (const version of ['0', '1', '2'] as const) {
      const { repo, shallow } = await imported('cut', { fetch: speaking(version) });
      expect(shallow).toEqual(boundaryOf(cwd));
      expect(await contents(await cloned(repo))).toEqual(await contents(cwd));
      const deeper = await imported('cut', { depth: 2, fetch: speaking(version) });
      expect(deeper.shallow).toHaveLength(1);
      await cloned(deeper.repo);
    }
  });

  it.each(['0', '2'] as const)('GIT-050: one with SHA-256 is refused, in version %s', async (version) => {
    // In version 0 an empty one tells nothing of itself, and is as good as any other.
    for (const isEmpty of version === '0' ? [false] : [true, false]) {
      const name = `sha256-${version}-${isEmpty}`;
      const cwd = join(root, `${name}.git`);
      runGit(['init', '--quiet', '--bare', '--object-format=sha256', cwd]);
      if (!isEmpty) {
        const input = 'commit refs/heads/main\ncommitter A <a@x> 0 +0000\ndata 0\n';
        runGit(['fast-import', '--quiet'], { cwd, input });
      }
      await expect(imported(name, { fetch: speaking(version) })).rejects.toMatchObject({ code: 'object format' });
    }
  });

  it('REPO-127: a missing or private remote, and a URL that is not a Git repository', async () => {
    await expect(imported('nowhere')).rejects.toMatchObject({ code: 'not found', status: 404 });
    mkdirSync(join(root, 'folder.git'));
    writeFileSync(join(root, 'folder.git', 'HEAD'), 'ref: refs/heads/main\n');
    await expect(imported('folder')).rejects.toMatchObject({ code: 'not found' });
    made('closed', ['config', 'http.uploadpack', 'false']);
    await expect(imported('closed')).rejects.toMatchObject({ code: 'authentication', status: 403 });
  });
});
