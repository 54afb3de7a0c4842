import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patientWriter, writeStream } from './patient-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pipe that accepts `room` bytes and is then full. */
function pipe(room: number): { written: string; room: number; write: (bytes: Uint8Array) => number } {
  const one = {
    written: '',
    room,
    write(bytes: Uint8Array): number {
      if (one.room === 0) throw Object.assign(new Error('Resource temporarily unavailable'), { name: 'WouldBlock' });
      const part = bytes.subarray(0, one.room);
      one.written += new TextDecoder().decode(part);
      one.room -= part.length;
      return part.length;
    },
  };
  return one;
}

describe('a writer to a pipe with a slow reader', () => {
  it('writes at once while there is room', () => {
    const to = pipe(100);
    const write = patientWriter(to.write);
    write('one\n');
    write('');
    write('two\n');
    expect(to.written).toBe('one\ntwo\n');
  });

  it('writes the rest in order when the reader continues', () => {
    const to = pipe(6);
    const write = patientWriter(to.write);
    write('one\n');
    write('two\n');
    write('three\n');
    expect(to.written).toBe('one\ntw');
    to.room = 4;
    vi.runOnlyPendingTimers();
    expect(to.written).toBe('one\ntwo\nth');
    to.room = 100;
    vi.runOnlyPendingTimers();
    expect(to.written).toBe('one\ntwo\nthree\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops text beyond a bound while the reader pauses', () => {
    const to = pipe(0);
    const write = patientWriter(to.write);
    for (let i = 0; i < 10; i++) write('x'.repeat(1024 * 1024));
    to.room = Infinity;
    vi.runOnlyPendingTimers();
    expect(to.written).toHaveLength(4 * 1024 * 1024);
  });

  it('drops text for a reader that has gone', () => {
    const write = patientWriter(() => {
      throw Object.assign(new Error('Broken pipe'), { code: 'EPIPE' });
    });
    write('one\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits with the bytes of a stream, and cancels it once the reader has gone', async () => {
    const to = pipe(3);
    const cancel = vi.fn();
    const pieces = ['abcdef', 'gh', 'ij'].map((text) => new TextEncoder().encode(text));
    const stream = new ReadableStream<Uint8Array>({
      pull: (control) => control.enqueue(pieces.shift() as Uint8Array),
      cancel,
    });
    const writing = writeStream(stream, (bytes) => {
      if (to.written.endsWith('gh')) throw Object.assign(new Error('Broken pipe'), { code: 'EPIPE' });
      return to.write(bytes);
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(to.written).toBe('abc');
    to.room = 100;
    await vi.advanceTimersByTimeAsync(100);
    await writing;
    expect([to.written, cancel.mock.calls.length]).toEqual(['abcdefgh', 1]);
  });

  it('fails when the rest of a stream cannot be written', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const writing = writeStream(new Blob(['abc']).stream(), () => {
      throw full;
    });
    await expect(writing).rejects.toMatchObject({ kind: 'usage', cause: full });
  });
});
