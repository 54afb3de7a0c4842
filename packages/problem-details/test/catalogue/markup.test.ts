import { Parser } from 'commonmark';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEntry } from '../../src/catalogue/check-entry.ts';
import { shopClosed } from './own-entry.ts';

const parser = new Parser();

/** Parts of Markdown, and text between them. */
const pieces = [
  ['a', 'b', '1', '2', ' ', '  ', '    ', 'x', 'ü', '.', ':', '"', "'", 'http://a.b', 'a@b.c'],
  ['\n', '\n\n', '- ', '1. ', '10) ', '+ ', '#', '# ', '>', '|', '-', '=', '+'],
  ['**', '*', '_', '__', '`', '```', '~', '~~', '\\', '\\*', '&', '&amp;'],
  ['[', ']', '(', ')', '](', '!', '<', '</', '<!--', '-->', '<a@b.c>'],
].flat();

const markdown = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));

/** Node types of a text by the CommonMark reference parser; `nested` for a list in a list. */
function made(text: string): ReadonlySet<string> {
  const types = new Set<string>();
  const walker = parser.parse(text).walker();
  let depth = 0;
  for (let event = walker.next(); event !== null; event = walker.next()) {
    types.add(event.node.type);
    if (event.node.type === 'list') depth += event.entering ? 1 : -1;
    if (depth > 1) types.add('nested');
  }
  return types;
}

/** Checks a property of accepted texts, and that there are enough of them. */
function holdForAccepted(textsOf: (text: string) => Partial<typeof shopClosed>, allowed: ReadonlySet<string>): void {
  let accepted = 0;
  fc.assert(
    fc.property(markdown, (text) => {
      const texts = textsOf(text);
      if (checkEntry({ ...shopClosed, ...texts }) !== undefined) return;
      accepted += 1;
      for (const text of Object.values(texts))
        expect([...made(String(text))].filter((type) => !allowed.has(type))).toEqual([]);
    }),
    { numRuns: 10_000 },
  );
  expect(accepted).toBeGreaterThan(500);
}

describe('an accepted text', () => {
  it('ERR-013: is plain text for CommonMark if it is a detail or a short name', () => {
    const plain = new Set(['document', 'paragraph', 'text']);
    holdForAccepted((text) => ({ detail: text }), plain);
    holdForAccepted((text) => ({ short_name: text }), plain);
  });

  it('ERR-014, ERR-071: is paragraphs, bold text and lists for CommonMark if it is guidance', () => {
    const subset = new Set(['document', 'paragraph', 'text', 'softbreak', 'strong', 'list', 'item']);
    holdForAccepted((text) => ({ what_you_should_do: `**Wait and retry.** ${text}` }), subset);
  });

  it('is checked by a parser that finds forbidden Markdown', () => {
    expect([...made('# a\n\n> `b` *c* [d](e)\n\n- - f\n\n<g@h.i>')]).toEqual(
      expect.arrayContaining(['heading', 'block_quote', 'code', 'emph', 'link', 'nested']),
    );
  });
});
