import { StorageError, type ByteRange } from '@packhouse/git';

/**
 * Checks ranges against the size of the file, before any allocation.
 *
 * @throws {StorageError} for a range that is empty, not of integers, or ends after the file.
 */
export function checkRanges(ranges: readonly ByteRange[], size: number): void {
  for (const { offset, length } of ranges) {
    if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(length) || length < 1) {
      throw new StorageError(`Not a range: ${length} bytes at ${offset}`);
    }
    if (offset + length > size)
      throw new StorageError(`The file ends at ${size}, before a range of ${length} bytes at ${offset}`);
  }
}

/**
 * Returns the bounds of a stream, with a default for `end`.
 *
 * @throws {StorageError} like {@link checkRanges}, except that an empty range within the file is allowed.
 */
export function streamBounds(
  size: number,
  start: number,
  end: number | undefined,
): { readonly start: number; readonly end: number } {
  const last = end ?? size;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(last) || start < 0 || last < start || last > size) {
    throw new StorageError(`The file ends at ${size}: there are no bytes ${start} to ${last}`);
  }
  return { start, end: last };
}
