import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Stock `git` in a new empty bare repository: the oracle of these tests. */
export interface StockGit {
  readonly folder: string;
  /** Runs a command; throws with its standard error if it fails. */
  run(args: readonly string[], input?: Uint8Array | string): Buffer;
  remove(): void;
}

export function stockGit(): StockGit {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-git-'));
  const env = {
    ...process.env,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'C',
    GIT_COMMITTER_EMAIL: 'c@example.com',
  };
  const run = (args: readonly string[], input: Uint8Array | string = ''): Buffer =>
    execFileSync('git', args, { cwd: folder, env, input, stdio: 'pipe', maxBuffer: 1 << 28 });
  run(['init', '-q', '--bare', '.']);
  return { folder, run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
