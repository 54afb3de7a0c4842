import { describe, expect, it } from 'vitest';
import { allowedPhrases, areaOf, filesWithProse, unclearIn } from './plain-english.ts';
import { readTracked } from './tracked-files.ts';

const phrasesIn = (path: string, text: string): string[] => unclearIn(path, text).map(({ phrase }) => phrase);

describe('plain English', () => {
  it.each([
    ['The log is *told of it.', 'is told'],
    ['A body that is *no JSON.', 'that is no'],
    ['All of it, but *for the last.', 'but for'],
    ['It begins an*ew.', 'anew'],
    ['Who*ever asks gets it.', 'Whoever'],
    ['However *many there are.', 'However many'],
    ['Some*body waits.', 'Somebody'],
    ['Sent as it *lies.', 'as it lies'],
    ['A type of *its own.', 'of its own'],
    ['It lies *in a folder.', 'lies in'],
    ['And so *does the mock.', 'so does'],
  ])('finds the phrase in a document: %s', (masked, phrase) => {
    // Masked, so that this file may be counted itself.
    expect(phrasesIn('README.md', masked.replace('*', ''))).toEqual([phrase]);
  });

  it('finds phrases in comments and titles of tests, with their lines, and nowhere else', () => {
    const source = [
      "const url = 'http://anew'; // an_ew",
      '/** W_hat is left. */',
      "it('gives no_body anything', () => {});",
      "it.each([1])('takes what_ever comes', () => {});",
      "const text = 'any, but for one';",
    ].join('\n');
    const found = unclearIn('packages/git/src/a.test.ts', source.replaceAll('_', ''));
    expect(found.map(({ line, phrase }) => `${line} ${phrase}`).toSorted()).toEqual([
      '1 anew',
      '2 What',
      '3 nobody',
      '4 whatever',
    ]);
  });

  it('skips examples in documents, and plain uses', () => {
    expect(
      phrasesIn('README.md', '```ts\n// an example, but for one\n```\nThere is no limit, and so is not that.'),
    ).toEqual([]);
  });

  it('counts no more unclear phrases in tracked files than are allowed', () => {
    const files = filesWithProse();
    const byArea = new Map<string, number>();
    for (const path of files) {
      const count = unclearIn(path, readTracked(path)).length;
      byArea.set(areaOf(path), (byArea.get(areaOf(path)) ?? 0) + count);
    }
    const count = [...byArea.values()].reduce((sum, one) => sum + one, 0);
    const told = `${count} unclear phrases, listed by \`node .ci/checks/plain-english.ts\`: ${JSON.stringify(Object.fromEntries(byArea))}`;
    expect(files.length).toBeGreaterThan(50);
    expect(count, told).toBeLessThanOrEqual(allowedPhrases);
    expect(count, `${told}. Lower allowedPhrases to ${count}`).toBeGreaterThan(allowedPhrases * 0.9 - 1);
  });
});
