import { allDone } from './file-reads.ts';
import type { FileSystem } from './file-system.ts';
import { PendingFile } from './pending-file.ts';

/** Error codes of systems without links, or with too many links of a file. */
const refusals: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK']);

const copyStep = 1_048_576;

/** `missing` if a file does not exist. */
export type LinkOutcome = 'done' | 'missing';

/**
 * Links files of one folder under the same names in another, without writing their bytes. Copies them if the file
 * system refuses links. Each file appears as a whole or not at all. An existing one stays, since a name never gets
 * other contents. Durable when resolved.
 *
 * @returns `missing` if one of them does not exist; others may have been linked.
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
  // Sync even if all existed: the process that created them may have died before its sync.
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
