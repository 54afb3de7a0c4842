import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { cost, type Codec, type Cost } from '@packhouse/git';

/** A primitive measured alone: the cost of one byte, for data of some kind. */
export interface Primitive {
  readonly kind: Cost;
  readonly data: string;
  /** Nanoseconds per byte. */
  readonly nanoseconds: number;
}

const size = 8 * 1024 * 1024;

/** Measures the codec alone, on easy and on hard data. */
export function measurePrimitives(codec: Codec): readonly Primitive[] {
  const zeros = new Uint8Array(size);
  const noise = new Uint8Array(randomBytes(size));
  const text = textBytes();
  const found: Primitive[] = [];
  for (const [data, bytes] of Object.entries({ zeros, text, noise })) {
    const deflated = new Uint8Array(deflateSync(bytes));
    const target = new Uint8Array(size + 1);
    const add = (kind: Cost, run: () => void): void => {
      found.push({ kind, data, nanoseconds: best(run) / size });
    };
    add(cost.inflated, () => {
      const inflater = codec.inflater();
      inflater.step(deflated, 0, deflated.length, target, 0, target.length);
      inflater.close();
    });
    add(cost.deflated, () => void codec.deflate(bytes, 6));
    add(cost.hashed, () => void codec.sha1Of(bytes));
    add(cost.compared, () => void codec.equal(bytes, 0, bytes.slice(), 0, size));
    add(cost.rebuilt, () => void target.set(bytes));
  }
  return found;
}

function textBytes(): Uint8Array {
  const words = Array.from({ length: 5_000 }, (_, i) => `${(i * 7_919).toString(36)}${i % 7 === 0 ? '\n' : ' '}`);
  let state = 1;
  let text = '';
  while (text.length < size) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += words[(state >>> 8) % words.length] ?? '';
  }
  return new Uint8Array(Buffer.from(text.slice(0, size)));
}

/** Returns the nanoseconds of the fastest of a few runs. */
function best(run: () => void): number {
  let least = Infinity;
  for (let i = 0; i < 9; i++) {
    const began = performance.now();
    run();
    least = Math.min(least, performance.now() - began);
  }
  return 1e6 * least;
}
