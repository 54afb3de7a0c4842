import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGit, shownCommand } from './git.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packhouse-git-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

describe('stock git', () => {
  it('receives its input, and returns its output and errors', async () => {
    const environment = { PATH: process.env['PATH'] };
    const hashed = await runGit(['hash-object', '--stdin'], { cwd: folder, input: 'hello\n' }, environment);
    expect(hashed).toEqual({
      status: 0,
      stdout: Buffer.from('ce013625030ba8dba906f756967f9e9ca394464a\n'),
      stderr: '',
    });
    const refused = await runGit(['rev-parse', 'HEAD'], { cwd: folder }, environment);
    expect(refused).toMatchObject({ status: 128, stderr: expect.stringContaining('not a git repository') });
  });

  it('sees only the variables that it needs', async () => {
    const environment = {
      ...process.env,
      CONFORMANCE_API_TOKEN: 'a-secret',
      GIT_AUTHOR_NAME: 'Somebody',
      HOME: '/root',
    };
    const { stdout } = await runGit(
      ['-c', 'alias.show-all=!env', 'show-all'],
      { cwd: folder, env: { GIT_TRACE2: '0' } },
      environment,
    );
    const lines = stdout.toString().split('\n');
    expect(lines).toContain('GIT_AUTHOR_NAME=Ada Example');
    expect(lines).toContain('GIT_TRACE2=0');
    expect(lines).toContain('HOME=/nonexistent');
    expect(stdout.toString()).not.toContain('a-secret');
  });

  it('is killed with its helpers by the signal', async () => {
    const ended = Promise.withResolvers<void>();
    const connected = Promise.withResolvers<void>();
    // Accepts connections and never answers, so git's HTTP helper waits endlessly.
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('close', () => ended.resolve());
      socket.once('data', () => connected.resolve());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const stop = new AbortController();
    const running = runGit(
      ['ls-remote', `http://127.0.0.1:${port}/x.git`],
      { cwd: folder },
      { PATH: process.env['PATH'] },
      stop.signal,
    );
    await connected.promise;
    stop.abort(new Error('time is up'));
    await expect(running).rejects.toThrow('time is up');
    await ended.promise;
    server.close();
  });

  it('gets credentials through its environment, since all users can read arguments', async () => {
    const credential = 'http.extraHeader=Authorization: Bearer rht_v1_0';
    const set = await runGit(
      ['-c', credential, 'config', '--get-all', 'http.extraHeader'],
      { cwd: folder, env: { GIT_TRACE2_EVENT: '2' } },
      { PATH: process.env['PATH'] },
    );
    expect(set.stderr).toContain('"argv":["git","config","--get-all","http.extraHeader"]');
    expect(set.stdout.toString()).toBe('Authorization: Bearer rht_v1_0\n');
  });

  it('is shown without options that contain a credential', () => {
    const auth = ['-c', 'http.extraHeader=Authorization: Bearer rht_v1_0'];
    expect(shownCommand([...auth, '-c', 'protocol.version=2', 'clone', 'http://x/y.git'])).toBe(
      'git -c protocol.version=2 clone http://x/y.git',
    );
    expect(shownCommand(['-c', 'http.http://x/.extraheader=Authorization: Basic eDp5', 'fetch'])).toBe('git fetch');
  });
});
