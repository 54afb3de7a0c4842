import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The settings of one run of stock `git`. */
export interface GitRun {
  /** Folder to run in. */
  readonly cwd?: string;
  /** Standard input: a text, bytes, or a stream. */
  readonly input?: string | Uint8Array | Readable;
}

/** Returns an environment that isolates stock `git` from the configuration of this machine and user. */
export const gitEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.test',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.test',
});

/** Runs stock `git`. Resolves to its standard output. Throws with its standard error if it fails. */
export const runGitForBytes = async (args: readonly string[], run: GitRun = {}): Promise<Buffer> => {
  const child = spawn('git', args, { cwd: run.cwd, env: gitEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  // If git exits before it has read all input, its status is the error, not this pipe.
  if (run.input === undefined || typeof run.input === 'string' || run.input instanceof Uint8Array) {
    child.stdin.on('error', () => {});
    child.stdin.end(run.input ?? '');
  } else {
    await pipeline(run.input, child.stdin).catch(() => {});
  }
  const status = await ended;
  if (status === 0) return Buffer.concat(output);
  throw new Error(`git ${args.join(' ')} ended with ${status}: ${Buffer.concat(errors).toString().trim()}`);
};

/** Does the same as {@link runGitForBytes}, with the output as text without its last newline. */
export const runGit = async (args: readonly string[], run: GitRun = {}): Promise<string> =>
  (await runGitForBytes(args, run)).toString().replace(/\n$/, '');
