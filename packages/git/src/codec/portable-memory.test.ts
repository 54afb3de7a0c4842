import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Inflater } from '../ports/codec.ts';
import { portableCodec } from './portable.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in buffers that are still reachable. */
function held(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** 64 MiB of zeros, and as much as one step is given and may write. */
const size = 67_108_864;
const piece = 1_048_576;

/** Inflates almost all of it, each step from and to buffers of its own. */
function inflateMost(inflater: Inflater, stream: Uint8Array): void {
  let at = 0;
  for (let produced = 0; produced < size - piece;) {
    const input = new Uint8Array(piece);
    input.set(stream.subarray(at, at + 1000));
    const step = inflater.step(input, 0, Math.min(1000, stream.length - at), new Uint8Array(piece), 0, piece);
    at += step.consumed;
    produced += step.produced;
  }
}

it('portable codec: an inflater holds its window amid a long stream, and nobody’s bytes', () => {
  const stream = new Uint8Array(deflateSync(new Uint8Array(size)));
  const inflater = portableCodec().inflater();
  inflater.reset();
  const before = held();
  inflateMost(inflater, stream);
  expect(held() - before).toBeLessThan(65_536);
  inflater.close();
});

it('portable codec: a compressor holds its tables, and nobody’s bytes', () => {
  const codec = portableCodec();
  const before = held();
  for (let level = 0; level <= 9; level++) codec.deflate(new Uint8Array(8 * piece), level);
  expect(held() - before).toBeLessThan(400_000);
});
