import { spawn } from 'node:child_process';
import { gitEnvironment } from '@packhouse/fixtures';

export interface GitResult {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs stock `git` beside the server of this process, which a synchronous call would block. Never throws. */
export function tryGit(
  args: readonly string[],
  options: { cwd?: string; input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: options.cwd, env: { ...gitEnvironment, ...options.env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ status: status ?? -1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() });
    });
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
  });
}

/** Runs stock `git`; what it wrote, as text. @throws with what it said if it fails. */
export async function git(args: readonly string[], options: Parameters<typeof tryGit>[1] = {}): Promise<string> {
  return (await gitBytes(args, options)).toString();
}

/** Runs stock `git`; what it wrote. @throws with what it said if it fails. */
export async function gitBytes(args: readonly string[], options: Parameters<typeof tryGit>[1] = {}): Promise<Buffer> {
  const { status, stdout, stderr } = await tryGit(args, options);
  if (status !== 0) throw new Error(`git ${args.join(' ')} (${status}): ${stderr}`);
  return stdout;
}

/** Refs and objects of a repository, to compare two. */
export async function contents(folder: string): Promise<{ refs: string; objects: string[] }> {
  const refs = await git(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd: folder });
  const listed = await git(['rev-list', '--objects', '--all', '--no-object-names'], { cwd: folder });
  return { refs, objects: [...new Set(listed.split('\n'))].sort() };
}
