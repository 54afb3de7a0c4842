/** Section 13 of docs/specification/git.md: stock git in its usual forms, with every protocol version. */

import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contents, git, tryGit } from '../support/git.ts';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import { fetchBody, listedRefs, post, push, set } from '@packhouse/conformance/tools/wire-client';

let server: TestServer;
let folder: string;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

const place = (): string => join(folder, String(count++));

async function freshWork(): Promise<string> {
  const work = place();
  await git(['init', '--quiet', '--initial-branch=main', work]);
  return work;
}

async function write(work: string, file: string, text: string): Promise<string> {
  writeFileSync(join(work, file), text);
  await git(['add', file], { cwd: work });
  await git(['commit', '--quiet', '-m', `write ${file}`], { cwd: work });
  return head(work);
}

async function head(work: string): Promise<string> {
  return (await git(['rev-parse', 'HEAD'], { cwd: work })).trim();
}

describe.each(['0', '1', '2'])('GIT-170: with protocol.version %s', (version) => {
  const command = (repo: TestRepo, ...args: string[]): string[] => [
    '-c',
    `protocol.version=${version}`,
    ...repo.auth,
    ...args,
  ];

  it('GIT-171: the documented form of a push works on an empty repo, and clone, pull and fetch follow', async () => {
    const repo = await server.createRepo(`first-${version}`);
    const work = await freshWork();
    const one = await write(work, 'a', '1');
    await git(command(repo, 'push', '--quiet', repo.remote, 'HEAD:main'), { cwd: work });
    expect(await listedRefs(repo)).toEqual({ HEAD: `${one} symref-target:refs/heads/main`, 'refs/heads/main': one });

    const copy = place();
    await git(command(repo, 'clone', '--quiet', repo.remote, copy));
    expect(await head(copy)).toBe(one);
    const two = await write(work, 'b', '2');
    await git(command(repo, 'push', '--quiet', repo.remote, 'main'), { cwd: work });
    await git(command(repo, 'pull', '--quiet', '--ff-only'), { cwd: copy });
    expect(await head(copy)).toBe(two);
    await git(['fsck', '--full', '--strict'], { cwd: copy });
  });

  it('tags, notes, single branches, and deleting', async () => {
    const repo = await server.createRepo(`refs-${version}`);
    const work = await freshWork();
    const one = await write(work, 'a', '1');
    await git(['tag', '-a', '-m', 'one', 'v1'], { cwd: work });
    await git(['notes', 'add', '-m', 'noted'], { cwd: work });
    await git(['branch', 'side'], { cwd: work });
    await git(command(repo, 'push', '--quiet', '--tags', repo.remote, 'main', 'side', 'refs/notes/*:refs/notes/*'), {
      cwd: work,
    });
    const copy = place();
    await git(command(repo, 'clone', '--quiet', '--single-branch', '--branch', 'side', repo.remote, copy));
    expect(await git(['for-each-ref', '--format=%(refname)', 'refs/remotes', 'refs/tags'], { cwd: copy })).toBe(
      'refs/remotes/origin/side\nrefs/tags/v1\n',
    );
    await git(command(repo, 'fetch', '--quiet', 'origin', 'refs/notes/*:refs/notes/*'), { cwd: copy });
    expect(await git(['notes', 'show', one], { cwd: copy })).toBe('noted\n');

    // Tags follow what is fetched, without being asked for.
    await write(work, 'b', '2');
    await git(['tag', '-a', '-m', 'two', 'v2'], { cwd: work });
    await git(command(repo, 'push', '--quiet', '--follow-tags', repo.remote, 'main:side'), { cwd: work });
    await git(command(repo, 'fetch', '--quiet', 'origin'), { cwd: copy });
    expect(await git(['tag'], { cwd: copy })).toBe('v1\nv2\n');

    await git(command(repo, 'push', '--quiet', '--delete', repo.remote, 'side', 'v1'), { cwd: work });
    expect(Object.keys(await listedRefs(repo))).toEqual([
      'HEAD',
      'refs/heads/main',
      'refs/notes/commits',
      'refs/tags/v2',
    ]);
    const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
    await git(command(repo, 'fetch', '--quiet', '--prune', 'origin', ...all), { cwd: copy });
    expect(await git(['for-each-ref', '--format=%(refname)', 'refs/remotes', 'refs/tags'], { cwd: copy })).toBe(
      'refs/remotes/origin/main\nrefs/tags/v2\n',
    );
  });

  it('--force, --force-with-lease, --atomic and --push-option', async () => {
    const repo = await server.createRepo(`moves-${version}`);
    const work = await freshWork();
    const one = await write(work, 'a', '1');
    const two = await write(work, 'b', '2');
    const run = (...args: string[]): ReturnType<typeof tryGit> =>
      tryGit(command(repo, 'push', repo.remote, ...args), { cwd: work });
    expect((await run('main', 'main:other')).status).toBe(0);

    expect((await run(`${one}:refs/heads/main`)).stderr).toContain('non-fast-forward');
    expect((await run('--force', `${one}:refs/heads/main`)).status).toBe(0);
    expect((await run(`--force-with-lease=main:${two}`, `${two}:refs/heads/main`)).stderr).toContain('stale info');
    expect((await listedRefs(repo))['refs/heads/main']).toBe(one);
    expect((await run(`--force-with-lease=main:${one}`, `${two}:refs/heads/main`)).status).toBe(0);
    expect((await listedRefs(repo))['refs/heads/main']).toBe(two);

    const blobId = (await git(['rev-parse', 'HEAD:a'], { cwd: work })).trim();
    const atomic = await run('--atomic', `${two}:refs/heads/new`, `${blobId}:refs/x`);
    expect(atomic.status).toBe(1);
    expect(atomic.stderr).toMatch(/remote rejected.* (refs\/)?x .*funny refname/);
    expect(atomic.stderr).toContain('atomic push failure');
    expect(await listedRefs(repo)).not.toHaveProperty(['refs/heads/new']);
    expect((await run(`${two}:refs/heads/new`, `${blobId}:refs/x`)).status).toBe(1);
    expect((await listedRefs(repo))['refs/heads/new']).toBe(two);
    expect((await run('--push-option=ci.skip', '-o', 'a=b', `${two}:refs/heads/opted`)).status).toBe(0);
    expect((await listedRefs(repo))['refs/heads/opted']).toBe(two);
  });

  it('GIT-062, GIT-064: a fetch into a repository with much history of its own', async () => {
    const repo = await server.createRepo(`rounds-${version}`);
    const work = await freshWork();
    const base = await write(work, 'a', '1');
    await git(command(repo, 'push', '--quiet', repo.remote, 'main'), { cwd: work });
    const other = await freshWork();
    await git(command(repo, 'pull', '--quiet', repo.remote, 'main'), { cwd: other });
    const two = await write(other, 'b', '2');
    await git(command(repo, 'push', '--quiet', repo.remote, 'HEAD:main'), { cwd: other });
    // More of its own than goes into one round of haves, so that they come in several requests, zipped.
    const script = Array.from({ length: 300 }, (_, i) => {
      const from = i === 0 ? `from ${base}\n` : '';
      return `commit refs/heads/main\ncommitter A <a@x> ${1_800_000_000 + i} +0000\ndata 0\n${from}M 644 inline own\ndata ${String(i).length}\n${i}\n`;
    });
    await git(['fast-import', '--quiet', '--force'], { cwd: work, input: script.join('') });
    const { status, stderr } = await tryGit(command(repo, 'fetch', repo.remote, 'main'), {
      cwd: work,
      env: { GIT_TRACE_PACKET: '1', GIT_TRACE_CURL: '1' },
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(/content-encoding: gzip/i);
    expect(stderr.match(/> have /g)?.length).toBeGreaterThan(16);
    expect((await git(['rev-parse', 'FETCH_HEAD'], { cwd: work })).trim()).toBe(two);
    await git(['fsck', '--full', '--strict', '--connectivity-only'], { cwd: work });
  });
});

describe('GIT-172: credentials as people keep them', () => {
  let repo: TestRepo;
  let tip: string;

  beforeAll(async () => {
    repo = await server.createRepo('credentials');
    const work = await freshWork();
    tip = await write(work, 'a', '1');
    await git([...repo.auth, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
  });

  it('a helper is asked after the 401, and told that it was right', async () => {
    const helper = place();
    const log = `${helper}.log`;
    writeFileSync(
      helper,
      `#!/bin/sh\necho "$1" >> '${log}'\nif [ "$1" = get ]; then echo username=x; echo 'password=${repo.token}'; fi\n`,
    );
    chmodSync(helper, 0o755);
    const listed = await git(['-c', `credential.helper=${helper}`, 'ls-remote', repo.remote, 'main']);
    expect(listed).toBe(`${tip}\trefs/heads/main\n`);
    const asked = await git(['hash-object', '--stdin'], { input: 'get\nstore\n' });
    expect(await git(['hash-object', log])).toBe(asked);
  });

  it('a user name in the address asks for the password alone', async () => {
    const askpass = place();
    writeFileSync(askpass, `#!/bin/sh\necho '${repo.token.split('?')[0]}'\n`);
    chmodSync(askpass, 0o755);
    const address = repo.remote.replace('://', '://ada@');
    const copy = place();
    await git(['-c', `core.askPass=${askpass}`, 'clone', '--quiet', address, copy]);
    expect(await head(copy)).toBe(tip);
  });

  it('user name and password in the address, the plaintext percent-encoded', async () => {
    const address = repo.remote.replace('://', `://x:${encodeURIComponent(repo.token)}@`);
    expect(await git(['ls-remote', address, 'main'])).toBe(`${tip}\trefs/heads/main\n`);
  });

  it('GIT-007, GIT-023: without one, or with a wrong one, a clone fails and says why', async () => {
    const none = await tryGit(['clone', repo.remote, place()]);
    expect([none.status, none.stderr]).toEqual([128, expect.stringContaining('could not read Username')]);
    const wrong = await tryGit(['-c', 'http.extraHeader=Authorization: Bearer wrong', 'clone', repo.remote, place()]);
    expect([wrong.status, wrong.stderr]).toEqual([128, expect.stringContaining('remote: Invalid or expired token')]);
  });
});

describe('large pushes and clones', () => {
  it('GIT-174: a push above http.postBuffer probes, then comes chunked', async () => {
    const repo = await server.createRepo('large');
    const work = await freshWork();
    writeFileSync(join(work, 'large'), randomBytes(1_500_000));
    const tip = await write(work, 'small', 'x');
    await git(['add', 'large'], { cwd: work });
    await git(['commit', '--quiet', '-m', 'large'], { cwd: work });
    const { status, stderr } = await tryGit([...repo.auth, 'push', repo.remote, 'main'], {
      cwd: work,
      env: { GIT_TRACE_CURL: '1' },
    });
    expect(status).toBe(0);
    expect(stderr.match(/=> Send header: POST .*git-receive-pack/g)).toHaveLength(2);
    expect(stderr).toMatch(/Send header: Transfer-Encoding: chunked/i);
    expect(await head(work)).not.toBe(tip);
    const mirror = place();
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, mirror]);
    expect(await contents(mirror)).toEqual(await contents(work));
    await git(['fsck', '--full', '--strict'], { cwd: mirror });
  });

  it('GIT-174: also with a tiny postBuffer, and with a credential that the server must ask for', async () => {
    const repo = await server.createRepo('tiny');
    const work = await freshWork();
    writeFileSync(join(work, 'noise'), randomBytes(200_000));
    await git(['add', 'noise'], { cwd: work });
    const tip = await write(work, 'a', '1');
    const address = repo.remote.replace('://', `://x:${repo.token.split('?')[0]}@`);
    await git(['-c', 'http.postBuffer=65536', 'push', '--quiet', address, 'main'], { cwd: work });
    expect((await listedRefs(repo))['refs/heads/main']).toBe(tip);
  });

  it('GIT-178: a reply leaves while its pack is made, and of what a client does not read no more is made', async () => {
    const repo = await server.createRepo('streamed');
    const files = Array.from({ length: 40 }, (_, i) => {
      const parts = Array.from({ length: 35_000 }, (_, j) => createHash('sha1').update(`${i} ${j}`).digest());
      return blob(Buffer.concat(parts));
    });
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
});
