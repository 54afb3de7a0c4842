import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveNode, type Serving } from '@packhouse/server/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ran, type Ran, type RunOptions } from './in-process.ts';

let root: string;
let server: Serving;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-export-'));
  server = await serveNode({ port: 0, data: join(root, '.packhouse') });
});

afterAll(async () => {
  await server.close(0);
  rmSync(root, { recursive: true, force: true });
});

async function call(...args: readonly string[]): Promise<Ran> {
  return await callWith({}, ...args);
}

async function callWith(options: RunOptions, ...args: readonly string[]): Promise<Ran> {
  const env = { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' };
  return await ran(args, { env, cwd: root, ...options });
}

async function result(...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await call(...args, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
}

/** Makes a repository with branches, a note, and tags of both kinds. Its HEAD points to `trunk`. */
function madeRepository(name: string): string {
  git('init', '-q', '--initial-branch=trunk', name);
  writeFileSync(join(root, name, 'plan.md'), 'a plan\n');
  git('-C', name, 'add', '.');
  git('-C', name, 'commit', '-q', '-m', 'Add a plan');
  git('-C', name, 'branch', 'feature/one');
  git('-C', name, 'tag', 'light');
  git('-C', name, 'tag', '-a', '-m', 'first', 'v1');
  git('-C', name, 'notes', 'add', '-m', 'a note');
  git('clone', '-q', '--mirror', name, `${name}.git`);
  return `${name}.git`;
}

const refsOf = (directory: string): string => git('--git-dir', directory, 'show-ref', '--dereference');

describe('import and export', () => {
  it('a bare directory that is imported and exported keeps refs, objects and HEAD', async () => {
    const directory = madeRepository('whole');
    expect(await result('import', directory)).toMatchObject({ name: 'whole', default_branch: 'trunk', refs: 5 });
    expect(await result('export', 'whole', 'out/../whole-again.git')).toEqual({
      repo: 'whole',
      directory: join(root, 'whole-again.git'),
      refs: 5,
      default_branch: 'trunk',
    });
    expect(refsOf('whole-again.git')).toBe(refsOf(directory));
    expect(git('--git-dir', 'whole-again.git', 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk\n');
    expect(git('--git-dir', 'whole-again.git', 'fsck', '--full', '--strict')).toBe('');
    // The exported repository has no remote that points back here, and its objects are in a pack.
    expect(git('--git-dir', 'whole-again.git', 'config', '--list', '--local')).not.toMatch(/remote|http/);
    expect(
      readdirSync(join(root, 'whole-again.git/objects/pack')).filter((file) => file.endsWith('.pack')),
    ).toHaveLength(1);
    expect(await result('token', 'list', 'whole', '--state', 'revoked')).toHaveLength(1);
  });

  it('show the progress of git on a terminal, and never on standard output', async () => {
    const directory = madeRepository('watched');
    const imported = await callWith({ columns: 80 }, 'import', directory, '--json');
    expect(JSON.parse(imported.out)).toMatchObject({ name: 'watched', refs: 5 });
    expect(imported.err).toMatch(/^\rImporting watched\x1b\[K[^]*\r\x1b\[K$/);
    const exported = await callWith({ columns: 80 }, 'export', 'watched', 'watched-again.git', '--json');
    expect(JSON.parse(exported.out)).toMatchObject({ refs: 5 });
    expect(exported.err).toMatch(/^\rExporting watched\x1b\[K[^]*\r\x1b\[K$/);
  });

  it('an empty repo keeps its HEAD in an export and a new import', async () => {
    await result('repo', 'create', 'empty', '--default-branch', 'later');
    expect(await result('export', 'empty', 'empty.git')).toMatchObject({ refs: 0 });
    expect(git('--git-dir', 'empty.git', 'symbolic-ref', 'HEAD')).toBe('refs/heads/later\n');
    expect(await result('import', 'empty.git', 'empty-2')).toMatchObject({ default_branch: 'later', refs: 0 });
  });

  it('never overwrite anything, and leave nothing after a failure', async () => {
    writeFileSync(join(root, 'taken'), 'mine');
    const onFile = await call('export', 'whole', 'taken');
    expect(onFile.err).toContain(`${join(root, 'taken')} cannot be made (ENOTDIR).`);
    expect(onFile.code).toBe(2);
    const onDirectory = await call('export', 'whole', 'whole');
    expect(onDirectory.err).toContain(`There is something in ${join(root, 'whole')} already.`);
    const missing = await call('export', 'nope', 'nope.git');
    expect(missing.code).toBe(3);
    expect(existsSync(join(root, 'nope.git'))).toBe(false);
    const before = readdirSync(root);
    expect((await call('export', 'whole', 'no/such/folder.git')).err).toContain('cannot be made (ENOENT)');
    expect(readdirSync(root)).toEqual(before);
  });

  it('leave nothing behind when a signal stops them', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const remote = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/whole.git`;
    let stop = (): void => {};
    const stopped: RunOptions = {
      async fetch(request) {
        const reply = await fetch(request);
        if (request.method !== 'GET') return reply;
        const shown = (await reply.json()) as { readonly result: object };
        return Response.json({ ...shown, result: { ...shown.result, remote } });
      },
      onSignal(listener) {
        stop = listener;
        return () => undefined;
      },
    };
    const before = readdirSync(root);
    const ending = callWith(stopped, 'export', 'whole', 'never.git');
    const [connection] = (await once(silent, 'connection')) as [{ destroy(): void }];
    stop();
    const { code, err } = await ending;
    connection.destroy();
    silent.close();
    expect(err).toContain('stopped by a signal');
    expect(code).toBe(3);
    expect(readdirSync(root)).toEqual(before);
  });

  it('say what is wrong with a directory, and keep no repo after a refused push', async () => {
    expect((await call('import', 'nothing-here')).err).toContain(`${join(root, 'nothing-here')} is no Git directory`);
    const url = await call('import', 'https://ada:secret@git.example/plans');
    expect(url.err).toContain('DIR is a URL');
    expect(url.err).not.toContain('secret');
    git('clone', '-q', '--depth', '1', `file://${join(root, 'whole.git')}`, 'shallow');
    expect((await call('import', 'shallow')).err).toContain('is shallow');

    // A tree entry that no push may contain (GIT-146).
    git('init', '-q', 'bad');
    const blob = hashObject('bad', 'blob', 'x');
    const tree = execFileSync('git', ['-C', 'bad', 'mktree'], { cwd: root, input: `100644 blob ${blob}\t..\n` });
    const commit = git('-C', 'bad', 'commit-tree', '-m', 'Bad', tree.toString().trim()).trim();
    git('-C', 'bad', 'update-ref', 'refs/heads/main', commit);
    const refused = await call('import', 'bad');
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('git could not push');
    expect((await call('repo', 'get', 'bad')).code).toBe(3);

    const deaf: RunOptions = {
      fetch: async (request) => (request.method === 'DELETE' ? new Response(null, { status: 503 }) : fetch(request)),
    };
    const kept = await callWith(deaf, 'import', 'bad');
    expect(kept.err).toContain('git could not push');
    expect(kept.err).toContain('The repo "bad" could not be deleted');
    expect((await call('repo', 'delete', 'bad', '--yes')).code).toBe(0);

    let isLost = true;
    const losing: RunOptions = {
      async fetch(request) {
        const reply = await fetch(request);
        if (request.method !== 'DELETE' || !isLost) return reply;
        isLost = false;
        return new Response(null, { status: 503 });
      },
    };
    expect((await callWith(losing, 'import', 'bad')).err).toContain('There is no repo of it');
  });
});

describe('import of an untrusted directory', () => {
  it('runs no program and writes no file that it names, and pushes to the service', async () => {
    madeRepository('theirs');
    const evil = join(root, 'evil');
    const program = join(root, 'touch-evil');
    writeFileSync(program, `#!/bin/sh\ntouch '${evil}'\n`, { mode: 0o755 });
    writeFileSync(join(root, 'theirs.git/hooks/pre-push'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    writeFileSync(join(root, 'included'), `[core]\n\tfsmonitor = ${program}\n\tsshCommand = ${program}\n`);
    for (const [name, value] of [
      ['include.path', join(root, 'included')],
      ['core.hooksPath', join(root, 'theirs.git/hooks')],
      ['core.askPass', program],
      ['credential.helper', `!${program}`],
      ['gpg.program', program],
      ['push.gpgSign', 'if-asked'],
      ['hook.theirs.command', program],
      ['hook.theirs.event', 'pre-push'],
      ['http.proxy', 'http://127.0.0.1:1'],
      ['http.cookieFile', evil],
      ['http.saveCookies', 'true'],
      [`url.http://127.0.0.1:1/.insteadOf`, `${server.url}/`],
    ] as const) {
      git('--git-dir', 'theirs.git', 'config', name, value);
    }
    expect(await result('import', 'theirs.git')).toMatchObject({ refs: 5 });
    expect(existsSync(evil)).toBe(false);
    await result('export', 'theirs', 'theirs-again.git');
    expect(refsOf('theirs-again.git')).toBe(refsOf('theirs.git'));
  });

  it('imports that directory also when a hook of Git runs the command', async () => {
    for (const name of ['DIR', 'QUARANTINE_PATH', 'SHALLOW_FILE', 'OBJECT_DIRECTORY']) vi.stubEnv(`GIT_${name}`, root);
    try {
      expect(await result('import', 'theirs.git', 'from-a-hook')).toMatchObject({ refs: 5 });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('creates no repo for a directory that lacks an object of a ref', async () => {
    git('clone', '-q', '--bare', 'theirs', 'lacking');
    writeFileSync(join(root, 'lacking/refs/heads/lost'), `${'1'.repeat(40)}\n`);
    const { code, err } = await call('import', 'lacking');
    expect([code, err]).toEqual([2, expect.stringContaining(`git could not read ${join(root, 'lacking')}`)]);
    expect((await call('repo', 'get', 'lacking')).code).toBe(3);
  });

  it('refuses a folder inside a repository, and a SHA-256 repository', async () => {
    mkdirSync(join(root, 'theirs/docs'));
    const inside = await call('import', 'theirs/docs');
    expect([inside.code, inside.err]).toEqual([2, expect.stringContaining('a folder within one')]);
    git('init', '-q', '--object-format=sha256', 'other');
    expect((await call('import', 'other')).err).toContain('SHA-256');
  });
});

function hashObject(directory: string, type: string, text: string): string {
  return execFileSync('git', ['-C', directory, 'hash-object', '-w', '-t', type, '--stdin'], { cwd: root, input: text })
    .toString()
    .trim();
}
