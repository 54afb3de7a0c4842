import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm';
/** Bytes that have to be free there: some times what the tests leave lying at once. */
const roomMin = 4 * 1024 ** 3;

/**
 * One folder for all temporary files of a run, which goes with it. In memory where there is room: thousands of commits
 * of SQLite would wait for the disk, and no test can see whether they did.
 */
const folder = mkdtempSync(join(hasRoom() ? inMemory : tmpdir(), 'packhouse-tests-'));

export function setup(): void {
  process.env['TMPDIR'] = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function hasRoom(): boolean {
  if (process.env['TMPDIR'] !== undefined) return false;
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomMin;
  } catch {
    return false;
  }
}
