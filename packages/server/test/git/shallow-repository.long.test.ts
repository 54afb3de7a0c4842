/**
 * A repository that was imported with a depth, and stock git (GIT-075). Nothing over HTTP makes one, so the engine is
 * given what an import gives it, on the data folder of a server.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packet, pushBody } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, gitBytes, tryGit } from '../support/git.ts';
import { importBody } from '../support/import-body.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const commits = 12;
const depth = 5;

let server: TestServer;
let folder: string;
/** All of the history. */
let original: string;
let repo: TestRepo;
let boundary: string[];
/** The objects of a full clone. */
let objects: string[];

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  original = join(folder, 'original');
  await git(['init', '--quiet', '--bare', '--initial-branch=main', original]);
  await git(['fast-import', '--quiet'], { cwd: original, input: history() });
  const cut = join(folder, 'cut');
  await git(['clone', '--quiet', '--bare', `--depth=${depth}`, '--no-single-branch', `file://${original}`, cut]);
  boundary = await boundaryOf(cut);
  expect(boundary.length).toBeGreaterThan(1);
  objects = await objectsOf(cut);
  repo = await server.createRepo('shallow');
  await importFrom(cut);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/** Makes two lines of commits with merges. Each line has its own files, and one file that never changes. */
function history(): string {
  const lines = Array.from({ length: commits }, (_, i) => {
    const commit = (name: string, mark: number, parents: readonly number[]): string =>
      [
        `commit refs/heads/${name}`,
        `mark :${mark}`,
        `committer A <a@x> ${1_600_000_000 + i} +0000`,
        'data 0',
        ...parents.map((parent, n) => `${n === 0 ? 'from' : 'merge'} :${parent}`),
        `M 644 inline ${name}-${i % 3}\ndata ${1 + String(i).length}\n${i} `,
        'M 644 inline constant\ndata 4\nsame\n',
      ].join('\n');
    const mark = 2 * i + 1;
    const older = i === 0 ? [] : [mark - 2];
    return [
      commit('main', mark, i % 4 === 3 ? [...older, mark - 1] : older),
      commit(
        'side',
        mark + 1,
        older.map((parent) => parent + 1),
      ),
    ].join('\n');
  });
  return `${lines.join('\n')}\n`;
}

/** Gives the server's repository what a shallow repository has, with its boundary. */
async function importFrom(cut: string): Promise<void> {
  const refs = (await git(['for-each-ref', '--format=%(objectname) %(refname)'], { cwd: cut })).trim().split('\n');
  const commands = refs.map((line) => {
    const [oid = '', ref = ''] = line.split(' ');
    return { old: '0'.repeat(40), new: oid, ref };
  });
  const pack = await gitBytes(['pack-objects', '--quiet', '--revs', '--all', '--stdout'], { cwd: cut });
  const shallow = boundary.map((oid) => packet(`shallow ${oid}\n`));
  const body = Buffer.concat([...shallow, pushBody(commands, pack)]);
  expect(await importBody(server, repo, body)).toEqual(boundary);
}

async function boundaryOf(cwd: string): Promise<string[]> {
  const common = (await git(['rev-parse', '--absolute-git-dir'], { cwd })).trim();
  const text = await readFile(join(common, 'shallow'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).sort();
}

async function objectsOf(cwd: string, ...revisions: readonly string[]): Promise<string[]> {
  const of = revisions.length === 0 ? ['--all'] : revisions;
  return (await git(['rev-list', '--objects', '--no-object-names', ...of], { cwd })).trim().split('\n').sort();
}

let clones = 0;

async function clone(version: string, ...options: readonly string[]): Promise<string> {
  const cwd = join(folder, `clone-${clones++}`);
  await git([...speaking(version), 'clone', '--quiet', ...options, repo.remote, cwd]);
  return cwd;
}

function speaking(version: string): string[] {
  return ['-c', `protocol.version=${version}`, ...repo.auth];
}

async function expectSound(cwd: string): Promise<void> {
  expect(await git(['fsck', '--full', '--strict', '--no-dangling'], { cwd })).toBe('');
}

describe.each(['0', '1', '2'])('GIT-075: a shallow repository, in version %s', (version) => {
  it('GIT-075: a full clone is a valid shallow clone', async () => {
    for (const options of [[], ['--bare'], ['--mirror']]) {
      const cwd = await clone(version, ...options);
      expect(await boundaryOf(cwd)).toEqual(boundary);
      expect(await objectsOf(cwd)).toEqual(objects);
      await expectSound(cwd);
    }
  });

  it('GIT-075: a clone of one branch receives its part of the boundary', async () => {
    const cwd = await clone(version, '--single-branch', '--branch=side');
    const side = await git(['rev-list', 'refs/remotes/origin/side'], { cwd });
    expect(await boundaryOf(cwd)).toEqual(boundary.filter((oid) => side.includes(oid)));
    await expectSound(cwd);
  });

  it('GIT-072, GIT-075: what was cut off later is deepened to the boundary, and not beyond', async () => {
    for (const last of [['--deepen=50'], ['--unshallow'], ['--depth=50']]) {
      const cwd = await clone(version, '--depth=1', '--no-single-branch');
      await expectSound(cwd);
      await git([...speaking(version), 'fetch', '--quiet', '--deepen=1'], { cwd });
      await expectSound(cwd);
      await git([...speaking(version), 'fetch', '--quiet', ...last], { cwd });
      expect(await boundaryOf(cwd)).toEqual(boundary);
      expect(await objectsOf(cwd)).toEqual(objects);
      await expectSound(cwd);
    }
  });

  it('GIT-119, GIT-149: a clone of it fetches and pushes on', async () => {
    const [one, other] = [await clone(version), await clone(version)];
    const branch = `refs/heads/version-${version}`;
    const commit = ['-c', 'user.name=A', '-c', 'user.email=a@x', 'commit', '--quiet', '--allow-empty', '-m'];
    await git([...commit, `by ${version}`], { cwd: one });
    // One more over the boundary itself.
    await git(['checkout', '--quiet', '-b', 'over', boundary[0] as string], { cwd: one });
    await git([...commit, `over by ${version}`], { cwd: one });
    const push = [...speaking(version), 'push', '--quiet', repo.remote, `main:${branch}`, `over:${branch}-over`];
    await git(push, { cwd: one });
    await git([...speaking(version), 'fetch', '--quiet', 'origin'], { cwd: other });
    await expectSound(other);
    const names = [branch, `${branch}-over`].map((ref) => ref.replace('refs/heads/', 'refs/remotes/origin/'));
    expect(await objectsOf(other, ...names)).toEqual(await objectsOf(one, 'main', 'over'));
    expect(await boundaryOf(other)).toEqual(boundary);
    await git([...speaking(version), 'push', '--quiet', repo.remote, `:${branch}`, `:${branch}-over`], { cwd: one });
  });

  it('GIT-119: who has all of the history pushes to it as to a shallow repository of stock git', async () => {
    const branch = `refs/heads/more-${version}`;
    const tree = (await git(['rev-parse', 'main^{tree}'], { cwd: original })).trim();
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@x'];
    const next = (await git([...identity, 'commit-tree', tree, '-p', 'main', '-m', version], { cwd: original })).trim();
    await git([...speaking(version), 'push', '--quiet', repo.remote, `${next}:${branch}`], { cwd: original });
    await expectSound(await clone(version));
    await git([...speaking(version), 'push', '--quiet', repo.remote, `:${branch}`], { cwd: original });

    // What lies below the boundary is not sent, since refs that the server has lead to it.
    const below = `${boundary[0]}^:${branch}`;
    const stock = join(folder, `stock-${version}`);
    await git(['clone', '--quiet', '--bare', `--depth=${depth}`, '--no-single-branch', `file://${original}`, stock]);
    for (const push of [
      ['push', `file://${stock}`, below],
      [...speaking(version), 'push', repo.remote, below],
    ]) {
      const { status, stderr } = await tryGit(push, { cwd: original });
      expect(stderr).toContain('missing necessary objects');
      expect(status).toBe(1);
    }
  });

  it('GIT-119: who has less of a history may not cut it further', async () => {
    const branch = `refs/heads/elsewhere-${version}`;
    const elsewhere = join(folder, `elsewhere-${version}`);
    await git(['init', '--quiet', '--bare', elsewhere]);
    const stream = Array.from(
      { length: 3 },
      (_, i) =>
        `commit refs/heads/main\ncommitter A <a@x> ${i} +0000\ndata 0\nM 644 inline f\ndata 3\n${version}.${i}\n`,
    );
    await git(['fast-import', '--quiet'], { cwd: elsewhere, input: stream.join('') });
    const cut = join(folder, `elsewhere-${version}-cut`);
    await git(['clone', '--quiet', '--bare', '--depth=1', '--branch=main', `file://${elsewhere}`, cut]);
    const push = [...speaking(version), 'push', repo.remote, `main:${branch}`];
    const { status, stderr } = await tryGit(push, { cwd: cut });
    expect(stderr).toContain('shallow update not allowed');
    expect(status).toBe(1);
    await git(push, { cwd: elsewhere });
    // Now all of it is there.
    await git([...speaking(version), 'push', repo.remote, `main:${branch}-cut`], { cwd: cut });
    const cwd = await clone(version);
    expect(await boundaryOf(cwd)).toEqual(boundary);
    await expectSound(cwd);
    await git([...push.slice(0, -1), `:${branch}`, `:${branch}-cut`], { cwd: elsewhere });
  });
});
