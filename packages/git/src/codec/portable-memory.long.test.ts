import { deflateSync } from 'node:zlib';
import { heldBuffers } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import type { Inflater } from '../ports/codec.ts';
import { portableCodec } from './portable.ts';

const size = 67_108_864;
/** The length of every buffer that a step is given. */
const piece = 1_048_576;

const zeros = new Uint8Array(deflateSync(new Uint8Array(size)));

/** Inflates almost all zeros, with new buffers for each step. */
function inflateMost(inflater: Inflater): void {
  let at = 0;
  for (let produced = 0; produced < size - piece;) {
    const input = new Uint8Array(piece);
    input.set(zeros.subarray(at, at + 1000));
    const step = inflater.step(input, 0, Math.min(1000, zeros.length - at), new Uint8Array(piece), 0, piece);
    at += step.consumed;
    produced += step.produced;
  }
}

it('portable codec: an inflater holds its window within a long stream, and no bytes of callers', async () => {
  const inflater = portableCodec().inflater();
  inflater.reset();
  const before = await heldBuffers();
  inflateMost(inflater);
  expect((await heldBuffers()) - before).toBeLessThan(65_536);
  inflater.close();
});

it('portable codec: a compressor holds the tables of one level, and no bytes of callers', async () => {
  const codec = portableCodec();
  const before = await heldBuffers();
  for (let level = 0; level <= 9; level++) codec.deflate(new Uint8Array(8 * piece), level);
  expect((await heldBuffers()) - before).toBeLessThan(400_000);
  // It is still there.
  expect(codec.deflate(zeros, 1).length).toBeGreaterThan(0);
});
