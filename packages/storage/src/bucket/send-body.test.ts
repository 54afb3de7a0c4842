import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { collected, equalBytes, referenceFraming, sampleBytes } from '@packhouse/git/contract';
import { strictSizedStream } from '../testing/strict-bucket.ts';
import type { BucketBody } from './bucket.ts';
import { joined } from '../packs/buffer-list.ts';
import { framed, plain } from './layout.ts';
import { sendBody } from './send-body.ts';

const received = async (body: BucketBody): Promise<Uint8Array> => {
  if (body instanceof Uint8Array) return body.slice();
  if (body instanceof ReadableStream) return collected(body);
  // A store first reads them for their digest.
  for (const piece of body.pieces()) expect(piece.length).toBeGreaterThan(0);
  const bytes = joined(Array.from(body.pieces(), (piece) => piece.slice()));
  expect(bytes).toHaveLength(body.size);
  return bytes;
};

/** Sizes near the borders of frames and of the buffer, which has four frames, and arbitrary ones. */
const size = fc.oneof(
  fc.tuple(fc.nat(9), fc.integer({ min: -6, max: 6 })).map(([frames, off]) => Math.max(0, frames * 65_515 + off)),
  fc.nat(600_000),
);

/** Position of a cut: anywhere, or some bytes before the end. */
const cut = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map((part) => (length: number) => Math.floor(part * length)),
  fc.integer({ min: 1, max: 8 }).map((bytes) => (length: number) => Math.max(0, length - bytes)),
);

describe('sendBody', () => {
  test.prop([size, fc.array(cut, { maxLength: 12 }), fc.boolean(), fc.boolean()], {
    numRuns: 60,
  })('sends any bytes in their layout, for any chunks', async (length, cuts, isFramed, isStream) => {
    const bytes = sampleBytes(length);
    const borders = [0, ...cuts.map((at) => at(length)).sort((a, b) => a - b), length];
    const chunks = borders.slice(1).map((end, i) => bytes.subarray(borders[i], end));
    const layout = isFramed ? framed : plain;
    const sent = await sendBody(layout, chunks, isStream ? strictSizedStream : null, received);
    expect(equalBytes(sent, isFramed ? referenceFraming(bytes) : bytes)).toBe(true);
  });

  it('sends a body that fits into its buffer as bytes, and a larger one as a stream of known length', async () => {
    const kinds: string[] = [];
    const lengths: number[] = [];
    for (const length of [0, 4 * 65_515, 4 * 65_515 + 1]) {
      await sendBody(
        framed,
        [new Uint8Array(length)],
        (stored) => {
          lengths.push(stored);
          return strictSizedStream(stored);
        },
        async (body) => {
          kinds.push(body instanceof Uint8Array ? 'bytes' : 'stream');
          return received(body);
        },
      );
    }
    expect(kinds).toEqual(['bytes', 'bytes', 'stream']);
    expect(lengths).toEqual([4 * 65_515 + 1 + 5 * 5]);
  });
});
