import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitEnvironment } from '@packhouse/fixtures';

export interface GitResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs stock `git`. Never throws. */
export function tryGit(args: readonly string[], cwd?: string): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd, env: gitEnvironment, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status: status ?? -1, stdout, stderr }));
  });
}

/** Runs stock `git`; what it wrote. @throws with what it said if it fails. */
export async function git(args: readonly string[], cwd?: string): Promise<string> {
  const { status, stdout, stderr } = await tryGit(args, cwd);
  if (status !== 0) throw new Error(`git ${args.join(' ')} (${status}): ${stderr}`);
  return stdout;
}

/** Runs stock `git` with an input; what it wrote. @throws if it fails. */
export function gitBytes(args: readonly string[], cwd: string, input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd, env: gitEnvironment, stdio: ['pipe', 'pipe', 'inherit'] });
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve(Buffer.concat(out)) : reject(new Error(`git ${args.join(' ')}: ${status}`)),
    );
    child.stdin.end(input);
  });
}

/** An empty repository in a new folder, on branch `main`. */
export async function newRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-git-'));
  await git(['init', '-q', '-b', 'main', folder]);
  return folder;
}

/** Commits one file of so many random bytes, which no compression makes smaller. */
export async function commitFile(folder: string, name: string, size = 16): Promise<void> {
  await writeFile(join(folder, name), randomBytes(size));
  await git(['add', '.'], folder);
  await git(['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', name], folder);
}
