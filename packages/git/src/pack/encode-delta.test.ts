import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import { blobKind, type GitObject } from '../object/kind.ts';
import { applyDelta, deltaSizeMin, parseDeltaSizes, type DeltaSizes } from './delta.ts';
import { DeltaEncoder } from './encode-delta.ts';
import { madePack } from './made-pack.test.util.ts';
import { stockGit } from './stock-git.test.util.ts';

const encoder = new DeltaEncoder();

/** Applies a delta as the service does for clones; undefined if it is broken. */
function applied(base: Uint8Array, delta: Uint8Array): Uint8Array | undefined {
  const sizes: DeltaSizes = { base: 0, result: 0, at: 0 };
  if (!parseDeltaSizes(delta, 0, delta.length, sizes) || sizes.base !== base.length) return undefined;
  const target = new Uint8Array(sizes.result);
  const isWhole = applyDelta(base, 0, base.length, delta, sizes.at, delta.length, target, 0, target.length);
  return isWhole ? target : undefined;
}

/** Texts with many equal parts: few letters, and words that repeat. */
const someText = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .array(fc.constantFrom('one two three four five ', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'xyz', '\n'), { maxLength: 80 })
    .map((words) => Uint8Array.from(Buffer.from(words.join('')))),
  fc.nat(200_000).map((size) => Uint8Array.from({ length: size }, (_, i) => Math.imul(i, i) >>> 7)),
);
const someEdits = fc.array(fc.record({ at: fc.nat(), remove: fc.nat(60), add: fc.uint8Array({ maxLength: 60 }) }), {
  maxLength: 6,
});

function edited(text: Uint8Array, edits: readonly { at: number; remove: number; add: Uint8Array }[]): Uint8Array {
  let bytes = Buffer.from(text);
  for (const { at, remove, add } of edits) {
    const place = at % (bytes.length + 1);
    bytes = Buffer.concat([bytes.subarray(0, place), add, bytes.subarray(place + remove)]);
  }
  return Uint8Array.from(bytes);
}

test.prop([someText, someText, someEdits, fc.boolean()], { numRuns: runs(300) })(
  'makes a delta that gives the target, and that is short for a target with few edits',
  (base, other, edits, isEdited) => {
    const target = isEdited ? edited(base, edits) : other;
    encoder.setBase(base);
    const delta = encoder.encode(target, 2 * target.length + 100)?.slice();
    expect(delta).toBeDefined();
    expect(Buffer.compare(applied(base, delta as Uint8Array) as Uint8Array, target)).toBe(0);
    const most = edits.reduce((sum, { add }) => sum + add.length + 120, 40) + 16 * Math.ceil(target.length / 65_536);
    if (isEdited) expect((delta as Uint8Array).length).toBeLessThanOrEqual(most);
  },
);

test.prop([someText, someText, fc.nat(400)])('makes no delta that is longer than allowed', (base, target, limit) => {
  encoder.setBase(base);
  const whole = encoder.encode(target, 1e6)?.slice() as Uint8Array;
  const delta = encoder.encode(target, limit);
  expect(delta === undefined).toBe(whole.length > limit);
  if (delta !== undefined) expect(Buffer.compare(delta, whole)).toBe(0);
});

it('compares few of the many equal blocks of a base', () => {
  encoder.setBase(new Uint8Array(8_000_000));
  const target = new Uint8Array(2_000_000).fill(1);
  for (let at = 0; at < target.length; at += 40) target.fill(0, at, at + 20);
  const delta = encoder.encode(target, 1e7) as Uint8Array;
  expect(Buffer.compare(applied(new Uint8Array(8_000_000), delta) as Uint8Array, target)).toBe(0);
});

it('gives up a target that is nearly found everywhere, after a bounded number of compared bytes', () => {
  const base = new Uint8Array(512);
  for (let at = 15; at < base.length; at += 16) base[at] = 0x22;
  const target = new Uint8Array(1_000_000);
  encoder.setBase(base);
  expect(encoder.encode(target, 2e6)).toBeUndefined();
  expect(encoder.compared).toBeLessThan(8 * (base.length + target.length) + 1_000);
});

it('makes deltas that stock git takes', () => {
  const git = stockGit();
  try {
    mkdirSync(join(git.folder, 'packs'));
    const base = Uint8Array.from({ length: 150_000 }, (_, i) => Math.imul(i, 7919) >>> 5);
    for (const target of [
      edited(base, [{ at: 70_000, remove: 9, add: base.subarray(0, 30) }]),
      base.subarray(10, 140_000),
    ]) {
      encoder.setBase(base);
      const delta = (encoder.encode(target, 1e6) as Uint8Array).slice();
      expect(delta.length).toBeGreaterThanOrEqual(deltaSizeMin);
      const path = join(git.folder, 'packs', 'made.pack');
      const whole: GitObject = { kind: blobKind, body: base };
      writeFileSync(path, madePack([whole, { kind: blobKind, body: target, base: whole, delta }]).bytes);
      git.run(['index-pack', '--strict', path]);
    }
  } finally {
    git.remove();
  }
});
