import { nodeCodec } from '@packhouse/git/codec-node';
import { expect, it } from 'vitest';
import { requestKey } from './idempotency.ts';

function digestOf(body: unknown): string {
  return requestKey(nodeCodec(), 'key', body).digest;
}

it('REPO-259: a body of any depth is the same in any order of its members, and no other one is', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  expect(digestOf({ a: 1, deep, b: [['x'], 'y'] })).toBe(digestOf({ b: [['x'], 'y'], deep, a: 1 }));
  // A pair of surrogates lies across the pieces in which long texts are encoded.
  const long = 'x'.repeat(65_535);
  const bodies = [deep, [deep], ['x', 'y'], [['x'], 'y'], { x: 'y' }, { x: 1 }, { x: '1' }, { x: null }, {}];
  const digests = [...bodies, `${long}😀`, `${long}😁`, `${long}x`].map(digestOf);
  expect(new Set(digests).size).toBe(digests.length);
  expect(digestOf({ x: undefined })).toBe(digestOf({}));
});
