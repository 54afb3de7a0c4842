import { fc, test } from '@fast-check/vitest';
import { Fields } from '@packhouse/base';
import { expect, it } from 'vitest';
import { readChange } from './read-commit.ts';
import { SentContent } from './sent-content.ts';

function sent(pieces: readonly string[], max: number): { readonly content: SentContent; readonly held: number } {
  let held = 0;
  const content = new SentContent(max, (bytes) => (held = bytes));
  for (const piece of pieces) content.append(piece);
  return { content, held };
}

test.prop([fc.array(fc.string({ unit: 'grapheme', maxLength: 3000 }), { maxLength: 20 }), fc.nat(30_000)])(
  'keeps the bytes of all pieces up to the maximum, and holds at most twice as many',
  (pieces, max) => {
    const { content, held } = sent(pieces, max);
    const bytes = Buffer.from(pieces.join(''));
    expect(content.isTooLarge).toBe(bytes.length > max);
    expect(Buffer.concat(content.pieces())).toEqual(content.isTooLarge ? Buffer.alloc(0) : bytes);
    expect(held).toBeLessThanOrEqual(content.isTooLarge ? 0 : 2 * bytes.length + 1024);
  },
);

it('copies bytes, which the caller may change before they are stored', () => {
  const content = Buffer.from('a');
  const change = readChange(Fields.ofItem({ op: 'put', path: 'x', content }, 'changes/0', []), 1);
  content.write('b');
  expect(change).toMatchObject({ content: [Uint8Array.of(97)] });
});
