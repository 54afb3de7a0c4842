import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Paths of the files Git tracks, or would on `git add .`, relative to the root and with `/` between segments. */
export const trackedFiles = (): string[] => {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: root });
  const gone = new Set(deleted.toString().split('\0'));
  return listing
    .toString()
    .split('\0')
    .filter((path) => path !== '' && !gone.has(path));
};

/** Content of one tracked file. */
export const readTracked = (path: string): string => readFileSync(join(root, path), 'utf8');
