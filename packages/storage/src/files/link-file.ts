import { allDone } from './file-reads.ts';
import type { FileSystem } from './file-system.ts';
import { PendingFile } from './pending-file.ts';

/** What systems say where they have no further names for a file, or no more of them. */
const refusals: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK']);

const copyStep = 1_048_576;

/** Which of the files there were. */
export type LinkOutcome = 'done' | 'missing';

/**
 * Gives files of one folder the same names in another, without writing a byte of them; where the file system refuses
 * that, copies them. Each appears whole or not at all, and one that is there is left alone, since a name is never used
 * for other contents. Durable when resolved.
 *
 * @returns `missing` if one of them is not there; the others may have been linked.
 */
export async function linkFiles(
  fileSystem: FileSystem,
  from: string,
  to: string,
  names: readonly string[],
): Promise<LinkOutcome> {
  try {
    await allDone(names.map((name) => linkFile(fileSystem, from, to, name)));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return 'missing';
  }
  // Also of those that were there: whoever made them may have died before this.
  await fileSystem.syncFolder(to);
  return 'done';
}

async function linkFile(fileSystem: FileSystem, from: string, to: string, name: string): Promise<void> {
  try {
    await fileSystem.link(`${from}/${name}`, `${to}/${name}`);
  } catch (error) {
    const code = codeOf(error);
    if (refusals.has(code)) await copyFile(fileSystem, from, to, name);
    else if (code !== 'EEXIST') throw error;
  }
}

async function copyFile(fileSystem: FileSystem, from: string, to: string, name: string): Promise<void> {
  const source = await fileSystem.open(`${from}/${name}`);
  try {
    const copy = await PendingFile.create(fileSystem, to, name);
    try {
      const buffer = new Uint8Array(Math.min(copyStep, source.size));
      for (let at = 0; at < source.size;) {
        const read = await source.read([buffer.subarray(0, source.size - at)], at);
        if (read === 0) throw new Error('The file has become shorter');
        await copy.write([buffer.subarray(0, read)], at);
        at += read;
      }
      await copy.publish();
    } catch (error) {
      await copy.discard();
      throw error;
    }
  } finally {
    await source.close();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
