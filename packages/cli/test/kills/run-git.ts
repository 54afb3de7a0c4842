import { spawn } from 'node:child_process';
import { gitEnvironment } from '@packhouse/fixtures';
import type { Remote } from '@packhouse/conformance/tools/wire-client';

export interface GitRun {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs stock `git` during the load; never rejects. */
export function startGit(args: readonly string[], cwd: string, input: string | Uint8Array = ''): Promise<GitRun> {
  return new Promise((resolve) => {
    const child = spawn('git', args, { cwd, env: gitEnvironment });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('close', (status) => {
      resolve({ status, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
  });
}

/** Runs stock `git` with the token of a repo, while this process may be its proxy. Rejects if it fails. */
export async function remoteGit(repo: Remote, args: readonly string[], cwd: string): Promise<void> {
  const { status, err } = await startGit([...authOf(repo), ...args], cwd);
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${err}`);
}

/** Returns the arguments of stock `git` that carry the token of a repo. */
export function authOf({ token }: Remote): readonly string[] {
  return ['-c', `http.extraHeader=Authorization: Bearer ${token}`];
}
