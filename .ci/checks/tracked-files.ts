import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * Returns the paths of files that Git tracks, or would track after `git add .`, relative to the root, with `/` between
 * segments.
 */
export const trackedFiles = (): string[] => {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: root });
  const gone = new Set(deleted.toString().split('\0'));
  return listing
    .toString()
    .split('\0')
    .filter((path) => path !== '' && !gone.has(path));
};

/** Returns the content of one tracked file. */
export const readTracked = (path: string): string => readFileSync(join(root, path), 'utf8');
