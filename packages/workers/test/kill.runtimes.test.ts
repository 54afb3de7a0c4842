import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commitFile, git, gitBytes, newRepository, tryGit } from './support/git.ts';
import { createRepo, startLocalService } from './support/local-service.ts';

let folder: string;

beforeEach(async () => {
  folder = await newRepository();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Process number of the workerd that works on a folder. */
function workerdOf(data: string): number {
  return (JSON.parse(readFileSync(join(data, 'workerd.json'), 'utf8')) as { pid: number }).pid;
}

async function answering(url: string): Promise<void> {
  for (let waited = 0; waited < 400; waited++) {
    const alive = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (alive) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it does not come back');
}

/** Sends the first `length` bytes of a push, and resolves when they are on their way; the request then fails. */
async function beginPush(remote: string, body: Buffer, length: number): Promise<{ readonly ended: Promise<void> }> {
  const { origin, pathname, username, password } = new URL(remote);
  const outgoing = request(`${origin}${pathname}/git-receive-pack`, {
    method: 'POST',
    auth: `${username}:${password}`,
    headers: { 'content-type': 'application/x-git-receive-pack-request', 'content-length': body.length },
  });
  const ended = new Promise<void>((resolve) => {
    outgoing.once('error', () => resolve());
    outgoing.once('response', () => resolve());
  });
  await new Promise<void>((resolve) => {
    outgoing.write(body.subarray(0, length), () => resolve());
  });
  return { ended };
}

it('GIT-155: a push during which workerd is killed leaves the old state, and then succeeds', async () => {
  const service = await startLocalService();
  try {
    const { remote } = await service.createRepo('killed');
    await commitFile(folder, 'first');
    await git(['push', '-q', remote, 'main'], folder);
    const before = await git(['ls-remote', remote]);
    for (const name of ['one', 'two']) await commitFile(folder, name, 20_000_000);
    const [old, next] = (await git(['rev-parse', 'main~2', 'main'], folder)).trim().split('\n');
    const command = `${old} ${next} refs/heads/main\0 report-status`;
    const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
    const pack = await gitBytes(['pack-objects', '--stdout', '--revs', '-q'], folder, `${next}\n^${old}\n`);
    const body = Buffer.concat([Buffer.from(line), pack]);

    // Far enough that parts of it are in the bucket.
    const { ended } = await beginPush(remote, body, 36_000_000);
    process.kill(workerdOf(service.folder), 'SIGKILL');
    await ended;
    await answering(service.url);

    expect(await git(['ls-remote', remote])).toBe(before);
    await git(['push', '-q', remote, 'main'], folder);
    expect(await git(['ls-remote', remote, 'main'])).toContain(next);
    const copy = join(folder, '.copy');
    await git(['clone', '-q', '--bare', remote, copy]);
    expect(await tryGit(['fsck', '--full'], copy)).toMatchObject({ status: 0, stderr: '' });
  } finally {
    await service.close();
  }
}, 120_000);

it('GIT-155: a folder whose server was killed starts again with all that was answered, though its workerd lived on', async () => {
  const data = await mkdtemp(join(tmpdir(), 'packhouse-workers-'));
  let server = await serve(data);
  try {
    const { remote } = await createRepo(server.url, 'kept');
    await commitFile(folder, 'first');
    await git(['push', '-q', remote, 'main'], folder);
    const left = workerdOf(data);
    server.process.kill('SIGKILL');
    await new Promise((resolve) => server.process.once('exit', resolve));
    expect(isAlive(left)).toBe(true);

    server = await serve(data);
    expect(isAlive(left)).toBe(false);
    const moved = remote.replace(/@[^/]+/, `@${new URL(server.url).host}`);
    expect(await git(['ls-remote', moved, 'main'])).toContain((await git(['rev-parse', 'main'], folder)).trim());
  } finally {
    server.process.stdin?.end();
    await new Promise((resolve) => server.process.once('exit', resolve));
    await rm(data, { recursive: true, force: true });
  }
}, 120_000);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function serve(data: string): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const main = fileURLToPath(new URL('support/serve-folder.ts', import.meta.url));
  const child = spawn(process.execPath, [main, data, '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  return { url, process: child };
}
