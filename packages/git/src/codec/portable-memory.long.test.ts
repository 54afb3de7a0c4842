import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Inflater } from '../ports/codec.ts';
import { portableCodec } from './portable.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in buffers that are still reachable. What one collection finds is freed by the next at the latest. */
async function held(): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    await new Promise(setImmediate);
    collect();
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}

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
  const before = await held();
  inflateMost(inflater);
  expect((await held()) - before).toBeLessThan(65_536);
  inflater.close();
});

it('portable codec: a compressor holds the tables of one level, and no bytes of callers', async () => {
  const codec = portableCodec();
  const before = await held();
  for (let level = 0; level <= 9; level++) codec.deflate(new Uint8Array(8 * piece), level);
  expect((await held()) - before).toBeLessThan(400_000);
  // It is still there.
  expect(codec.deflate(zeros, 1).length).toBeGreaterThan(0);
});
