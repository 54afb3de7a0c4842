import { nodeCodec } from '@packhouse/git/codec-node';
import { expect, it } from 'vitest';
import { BodyDigest } from './idempotency.ts';
import { SentContent } from './sent-content.ts';

function digestOf(body: object): string {
  const digest = new BodyDigest(nodeCodec());
  for (const [name, value] of Object.entries(body)) {
    if (name !== 'changes' || !Array.isArray(value)) digest.member(name, value);
    else {
      for (const change of value as readonly unknown[]) digest.change(change);
      digest.endChanges();
    }
  }
  return digest.digest();
}

function content(text: string): SentContent {
  const sent = new SentContent(1_000_000, () => {});
  sent.append(text);
  return sent;
}

it('REPO-259: a body of any depth is the same in any order of its members, and no other one is', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  const change = { op: 'put', path: 'x', content: content('text') };
  const reordered = Object.fromEntries(Object.entries(change).toReversed());
  const changes = [change, deep];
  expect(digestOf({ a: 1, deep, changes })).toBe(digestOf({ changes: [reordered, deep], deep, a: 1 }));
  // A pair of surrogates lies across the pieces in which long texts are encoded.
  const long = 'x'.repeat(65_535);
  const values = [deep, [deep], ['x', 'y'], [['x'], 'y'], { x: 'y' }, { x: 1 }, { x: '1' }, { x: null }, {}];
  const bodies = [...values, `${long}😀`, `${long}😁`, `${long}x`].map((value) => ({ value }));
  const lists = [undefined, [], [{}], [{}, {}], [change], [{ ...change, content: content('texts') }], deep];
  const digests = [...bodies, ...lists.map((list) => ({ changes: list }))].map(digestOf);
  expect(new Set(digests).size).toBe(digests.length);
  expect(digestOf({ changes: [] })).not.toBe(digestOf({}));
});
