import { expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { inflateWhole, sharedInflater } from './inflate.ts';

const codec = nodeCodec();
const inflater = sharedInflater(codec);

it('inflates to exactly the size, also to none', () => {
  for (const size of [0, 1, 5000]) {
    const body = new Uint8Array(size).map((_, i) => i * 3);
    const stream = codec.deflate(body, 6);
    const target = new Uint8Array(size);
    expect(inflateWhole(inflater, stream, 0, target, 0, size)).toBe(true);
    expect(target).toEqual(body);
    expect(inflateWhole(inflater, stream, 0, new Uint8Array(size + 1), 0, size + 1)).toBe(false);
  }
  expect(inflateWhole(inflater, codec.deflate(new Uint8Array(1), 6), 0, new Uint8Array(0), 0, 0)).toBe(false);
});

it('says no to what does not inflate, and goes on after it', () => {
  expect(inflateWhole(inflater, Uint8Array.of(1, 2, 3), 0, new Uint8Array(4), 0, 4)).toBe(false);
  expect(inflateWhole(inflater, codec.deflate(new Uint8Array(4), 6), 0, new Uint8Array(4), 0, 4)).toBe(true);
});

it('is one for all that share a codec', () => {
  expect(sharedInflater(codec)).toBe(inflater);
});
