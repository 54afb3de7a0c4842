import { createGitEngine, type GitEngine, type GitEngineOptions } from '../engine/engine.ts';
import { deflatePiece, type Codec, type Inflater, type Sha1 } from '../ports/codec.ts';
import { cost, unitsOf, type Cost } from './costs.ts';

/** Counts the work that the codec of an engine really did. */
export interface CodecMeter {
  /** Bytes by kind of cost, in the form of `Scheduler.totals`. */
  readonly amounts: Float64Array;
  /** Most units of the codec between two passes of the event loop in which work yields. Tests set it back. */
  longest: number;
}

export interface MeteredEngine {
  readonly engine: GitEngine;
  readonly meter: CodecMeter;
}

/**
 * An engine whose codec counts what it is asked for: what the scheduler counts is held to that. `pause` of the options is
 * not used.
 */
export function meteredEngine(options: GitEngineOptions): MeteredEngine {
  const meter: CodecMeter = { amounts: new Float64Array(Object.keys(unitsOf).length), longest: 0 };
  let stretch = 0;
  const count = (kind: Cost, bytes: number): void => {
    meter.amounts[kind] = (meter.amounts[kind] as number) + bytes;
    stretch += bytes * unitsOf[kind];
    meter.longest = Math.max(meter.longest, stretch);
  };
  const engine = createGitEngine({
    ...options,
    codec: countedCodec(options.codec, count),
    pause: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          stretch = 0;
          resolve();
        });
      }),
  });
  return { engine, meter };
}

function countedCodec(codec: Codec, count: (kind: Cost, bytes: number) => void): Codec {
  const inflating = (inflater: Inflater): Inflater => ({
    reset: () => inflater.reset(),
    step(...given) {
      const step = inflater.step(...given);
      count(cost.inflated, step.produced);
      return step;
    },
    close: () => inflater.close(),
  });
  const hashing = (sha1: Sha1): Sha1 => ({
    update(bytes) {
      count(cost.hashed, bytes.length);
      sha1.update(bytes);
    },
    digest: () => sha1.digest(),
  });
  return {
    ...codec,
    inflater: () => inflating(codec.inflater()),
    sha1: () => hashing(codec.sha1()),
    sha1Of(...parts) {
      for (const part of parts) count(cost.hashed, part.length);
      return codec.sha1Of(...parts);
    },
    deflate(bytes, level) {
      count(cost.deflated, bytes.length);
      return codec.deflate(bytes, level);
    },
    *deflateParts(bytes, level) {
      let left = bytes.length;
      for (const part of codec.deflateParts(bytes, level)) {
        count(cost.deflated, Math.min(left, deflatePiece));
        left = Math.max(0, left - deflatePiece);
        yield part;
      }
    },
    equal(a, aStart, b, bStart, length) {
      count(cost.compared, length);
      return codec.equal(a, aStart, b, bStart, length);
    },
  };
}
