import { deflateSync } from 'node:zlib';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { blobKind } from '../object/kind.ts';
import { writeEntryHeader } from '../pack/entry-header.ts';
import { Scheduler } from '../work/scheduler.ts';
import { inflatedPieces, pieceSize } from './blob-pieces.ts';

const codec = nodeCodec();

/** Makes a blob's entry in its pack form. */
function entryOf(body: Uint8Array, level = 6): Buffer {
  const header = Buffer.alloc(20);
  const length = writeEntryHeader(header, 0, blobKind, body.length);
  return Buffer.concat([header.subarray(0, length), deflateSync(body, { level })]);
}

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array, void, undefined> {
  // One buffer for all chunks, as stores have it.
  const buffer = new Uint8Array(Math.max(1, ...sizes, bytes.length));
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.min(sizes[i % Math.max(1, sizes.length)] ?? bytes.length, bytes.length - at);
    buffer.set(bytes.subarray(at, at + size));
    yield buffer.subarray(0, size);
    at += size;
  }
}

async function inflated(entry: Uint8Array | AsyncIterable<Uint8Array>, size: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of inflatedPieces(codec, entry, size, new Scheduler().begin())) {
    expect(piece.length).toBeLessThanOrEqual(pieceSize);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

describe('the pieces of a blob', () => {
  test.prop([
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc.integer({ min: 1, max: 1500 }),
    fc.constantFrom(0, 1, 6),
    fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }),
  ])('REPO-152: are its bytes, however its entry comes in', async (part, times, level, sizes) => {
    const body = Buffer.alloc(part.length * times, part);
    const entry = entryOf(body, level);
    expect((await inflated(inChunks(entry, sizes), body.length)).equals(body)).toBe(true);
    expect((await inflated(entry, body.length)).equals(body)).toBe(true);
  });

  it.each([1, pieceSize - 1, pieceSize, pieceSize + 1, 3 * pieceSize])('come to an end at %i bytes', async (size) => {
    const body = Buffer.alloc(size, 'bytes ');
    for (const sizes of [[1], [7, 1000], [1e6]])
      expect((await inflated(inChunks(entryOf(body), sizes), size)).equals(body)).toBe(true);
  });

  it.each([pieceSize, pieceSize + 5, 3 * pieceSize])(
    'are refused where the entry holds more or less than %i',
    async (size) => {
      const entry = entryOf(Buffer.alloc(size, 'bytes '));
      await expect(inflated(entry, size + 1)).rejects.toThrow('a stored object ends early');
      await expect(inflated(entry, size - 1)).rejects.toThrow('a stored object is longer than it says');
    },
  );

  it('are refused where there is no entry', async () => {
    await expect(inflated(Buffer.alloc(0), 5)).rejects.toThrow('a stored object ends early');
    await expect(inflated(Buffer.alloc(9), 5)).rejects.toThrow('a stored entry has no header');
    await expect(inflated(inChunks(Buffer.alloc(90, 0xff), [1]), 5)).rejects.toThrow('a stored entry has no header');
  });
});
