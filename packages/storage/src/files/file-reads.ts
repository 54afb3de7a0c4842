import { StorageError, type ByteRange } from '@packhouse/git';
import { withoutFirst } from '../packs/buffer-list.ts';
import type { ReadableFile } from './file-system.ts';

/** Concurrent reads per call: enough to keep a disk busy, but not enough to starve others. */
const readsAtOnce = 4;

/** Reads ranges within the file, in their order. */
export async function readRanges(file: ReadableFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
  const results: Uint8Array[] = Array.from({ length: ranges.length });
  const queue = ranges.entries();
  const worker = async () => {
    for (const [index, { offset, length }] of queue) {
      const bytes = new Uint8Array(length);
      await fill(file, [bytes], offset);
      results[index] = bytes;
    }
  };
  await allDone(Array.from({ length: Math.min(readsAtOnce, ranges.length) }, worker));
  return results;
}

/**
 * Fills `buffers` from `position` on, with several reads if they are short.
 *
 * @throws {StorageError} if the file ends too early.
 */
export async function fill(file: ReadableFile, buffers: readonly Uint8Array[], position: number): Promise<void> {
  let rest = buffers;
  for (let at = position; rest.length > 0;) {
    const read = await file.read(rest, at);
    if (read === 0) throw new StorageError(`The file ends early, at ${at}`);
    at += read;
    rest = withoutFirst(rest, read);
  }
}

/** Does the same as `Promise.all`, but settles all promises before it rejects, so that no work continues unnoticed. */
export async function allDone(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}
