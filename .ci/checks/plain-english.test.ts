import { describe, expect, it } from 'vitest';
import { filesWithProse, unclearIn } from './plain-english.ts';
import { readTracked } from './tracked-files.ts';

const phrasesOf = (document: string): string[] => unclearIn('README.md', document).map(({ phrase }) => phrase);

describe('plain English', () => {
  it.each([
    ['The log is told of it.', 'is told'],
    ['A body that is no JSON.', 'that is no'],
    ['All of it, but for the last.', 'but for'],
    ['It begins anew.', 'anew'],
    ['Whoever asks gets it.', 'Whoever'],
    ['However many there are.', 'However many'],
    ['Somebody waits.', 'Somebody'],
    ['Sent as it lies.', 'as it lies'],
    ['A type of its own.', 'of its own'],
    ['It lies in a folder.', 'lies in'],
    ['And so does the mock.', 'so does'],
  ])('finds the phrase in a document: %s', (text, phrase) => {
    expect(phrasesOf(text)).toEqual([phrase]);
  });

  it('finds phrases in comments and titles of tests, with their lines, and nowhere else', () => {
    const source = [
      "const url = 'http://anew'; // anew",
      '/** What is left. */',
      "it('gives nobody anything', () => {});",
      "it.each([1])('takes whatever comes', () => {});",
      "const text = 'any, but for one';",
    ].join('\n');
    const found = unclearIn('packages/git/src/a.test.ts', source);
    expect(found.map(({ line, phrase }) => `${line} ${phrase}`).toSorted()).toEqual([
      '1 anew',
      '2 What',
      '3 nobody',
      '4 whatever',
    ]);
  });

  it('skips examples and addresses in documents, and plain uses', () => {
    expect(
      phrasesOf('```ts\n// an example, but for one\n```\nThere is [no limit](nobody.md), and so is not that.'),
    ).toEqual([]);
  });

  it('finds no unclear phrase in tracked files', () => {
    const files = filesWithProse();
    const found = files.flatMap((path) =>
      unclearIn(path, readTracked(path)).map(({ line, phrase, instead }) => `${path}:${line}: ${phrase} (${instead})`),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });
});
