import { StorageError, type ByteRange } from '@packhouse/git';
import { payloadSize, stretches, type Layout } from './layout.ts';
import type { ObjectReader } from './object-reader.ts';
import { planReads, type PlannedRead } from './read-plan.ts';
import { readsMax, type Traffic } from './traffic.ts';

/**
 * Reads ranges of one file with few reads, some concurrently. Needs memory for the result and a small buffer per read.
 *
 * @throws {StorageError} if a range is invalid or ends after the file; then without allocating for it.
 */
export async function readRanges(
  reader: ObjectReader,
  traffic: Traffic,
  layout: Layout,
  key: string,
  ranges: readonly ByteRange[],
): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = [];
  const plan = planReads(layout, ranges);
  let failed = false;
  const work = async (): Promise<void> => {
    for (const read of plan) {
      if (failed) return;
      await traffic.reading(() => readOne(reader, layout, key, ranges, read, answers));
    }
  };
  const workers = await Promise.allSettled(
    Array.from({ length: readsMax }, () =>
      work().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    ),
  );
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return answers;
}

async function readOne(
  reader: ObjectReader,
  layout: Layout,
  key: string,
  ranges: readonly ByteRange[],
  read: PlannedRead,
  answers: Uint8Array[],
): Promise<void> {
  const began = (size: number): void => {
    const end = payloadSize(layout, size);
    for (const number of read.ranges) {
      const { offset, length } = ranges[number] as ByteRange;
      if (offset + length > end)
        throw new StorageError(`${key} ends at ${end}, before a range of ${length} bytes at ${offset}`);
      answers[number] ??= new Uint8Array(length);
    }
  };
  const scatter = new Scatter(ranges, read.ranges, answers);
  let at = read.offset;
  const stretch = { start: at, end: at + read.length };
  for await (const piece of reader.read(key, { stretch, began, hasPlace: true })) {
    for (const { offset, at: from, length } of stretches(layout, at, piece.length)) {
      scatter.copy(offset, piece.subarray(from, from + length));
    }
    at += piece.length;
  }
}

/** Copies sequential payload into the results of ranges, which are sorted by offset and may overlap. */
class Scatter {
  readonly #ranges: readonly ByteRange[];
  readonly #answers: readonly Uint8Array[];
  readonly #numbers: readonly number[];
  #next = 0;
  #open: number[] = [];

  constructor(ranges: readonly ByteRange[], numbers: readonly number[], answers: readonly Uint8Array[]) {
    this.#ranges = ranges;
    this.#numbers = numbers;
    this.#answers = answers;
  }

  copy(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    for (; this.#next < this.#numbers.length; this.#next++) {
      const number = this.#numbers[this.#next] as number;
      if ((this.#ranges[number] as ByteRange).offset >= end) break;
      this.#open.push(number);
    }
    this.#open = this.#open.filter((number) => {
      const range = this.#ranges[number] as ByteRange;
      const from = Math.max(offset, range.offset);
      const to = Math.min(end, range.offset + range.length);
      if (from < to) this.#answers[number]?.set(bytes.subarray(from - offset, to - offset), from - range.offset);
      return range.offset + range.length > end;
    });
  }
}
