import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';

const memory = '/dev/shm';
/** Bytes that tests may need at once, with room to spare: they use less than a tenth of it. */
const needed = 6 * 2 ** 30;

/** Returns true if `/dev/shm` is a file system in memory, has room, and lets programs run that tests install there. */
function hasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === memory);
    const { bavail, bsize } = statfsSync(memory);
    return mount?.split(' ')[2] === 'tmpfs' && !/\bnoexec\b/.test(mount) && bavail * bsize >= needed;
  } catch {
    return false;
  }
}

/**
 * Returns variables that put temporary files of tests in memory, where the machine has room there: tests make and remove
 * thousands of repositories and databases, and on a disk they wait for it. The folder goes when this process exits.
 */
export function folderInMemory(): Readonly<Record<string, string>> {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return {};
  const folder = mkdtempSync(`${memory}/packhouse-tests-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}
