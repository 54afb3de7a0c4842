import { StorageError, type ByteRange } from '@packhouse/git';
import { storedOffset, type Layout } from './layout.ts';

/** Ranges with a smaller gap are joined into one read, including the gap. */
const gapMax = 131_072;
/** Maximum bytes per read. */
export const readMax = 4_194_304;

/** One read of stored bytes, with the indexes of the ranges that it covers in part. */
export interface PlannedRead {
  readonly offset: number;
  readonly length: number;
  /** Sorted by offset. */
  readonly ranges: readonly number[];
}

interface Span {
  readonly start: number;
  end: number;
  readonly ranges: Wanted[];
}

interface Wanted {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Plans few reads for many ranges: joins gaps up to 128 KiB, splits at 4 MiB, and sorts by offset.
 *
 * @throws {StorageError} for an invalid range. The size of the file is not known here.
 */
export function* planReads(layout: Layout, ranges: readonly ByteRange[]): Generator<PlannedRead, void> {
  for (const span of spansOf(ranges.map((range, number) => wantedOf(layout, range, number)))) {
    for (let offset = span.start; offset < span.end; offset += readMax) {
      const end = Math.min(offset + readMax, span.end);
      const touched = span.ranges.filter((range) => range.start < end && range.end > offset);
      yield { offset, length: end - offset, ranges: touched.map(({ number }) => number) };
    }
  }
}

function wantedOf(layout: Layout, { offset, length }: ByteRange, number: number): Wanted {
  const isRange = Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 1;
  if (!isRange || !Number.isSafeInteger(2 * (offset + length)))
    throw new StorageError(`Not a range: ${length} bytes at ${offset}`);
  return { number, start: storedOffset(layout, offset), end: storedOffset(layout, offset + length - 1) + 1 };
}

function spansOf(wanted: readonly Wanted[]): readonly Span[] {
  const spans: Span[] = [];
  for (const range of wanted.toSorted((a, b) => a.start - b.start)) {
    const span = spans.at(-1);
    if (span === undefined || range.start > span.end + gapMax) {
      spans.push({ start: range.start, end: range.end, ranges: [range] });
    } else {
      span.end = Math.max(span.end, range.end);
      span.ranges.push(range);
    }
  }
  return spans;
}
