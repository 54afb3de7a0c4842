import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../src/negotiation/choose-language.ts';
import { countSteps } from './count-steps.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { maxCharacters } from '../../src/negotiation/weighted-list.ts';

/** Headers of about the given length that try to cost more than their length. */
const shapes: Readonly<Record<string, (length: number) => string>> = {
  commas: (length) => ','.repeat(length),
  blanks: (length) => ' '.repeat(length),
  'blanks before an end': (length) => `text/html${' '.repeat(length)},*/*`,
  semicolons: (length) => ';'.repeat(length),
  'one long type': (length) => 'a'.repeat(length),
  'slashes and stars': (length) => '*/'.repeat(length / 2),
  'quotation marks that open and close': (length) => '"'.repeat(length),
  'a quotation mark in each element that stays open': (length) => ',"a'.repeat(length / 3),
  'backslashes in quotes': (length) => `"${'\\'.repeat(length)}`,
  'escaped quotation marks': (length) => `x="${'\\"'.repeat(length / 2)}`,
  'weights again and again': (length) => `text/html${';q=1'.repeat(length / 4)}`,
  'bad weights again and again': (length) => `text/html${';q=x'.repeat(length / 4)}`,
  'a weight of many zeros': (length) => `text/html;q=0.${'0'.repeat(length)}`,
  'a one of many zeros': (length) => `text/html;q=1.${'0'.repeat(length)}x`,
  'two long weights that differ at the end': (length) =>
    ['text/html;q=0.', 'text/*;q=0.'].map((element, i) => `${element}${'3'.repeat(length / 2)}${i}`).join(','),
  'one long weight and short ones that begin as it does': (length) =>
    `text/html;q=0.${'3'.repeat(length / 2)}${',text/html;q=0.3333'.repeat(length / 38)}`,
  'long weights of all types': (length) =>
    [...'hijklmno']
      .map((_, i) => ['text/html', 'text/*', '*/*', 'application/*', 'text/markdown', 'application/json'][i % 6])
      .map((range) => `${range};q=0.${'7'.repeat(length / 8)}`)
      .join(','),
  'ranges that are known but for the end': (length) => 'application/problem+jsox,'.repeat(length / 25),
  'subtags of languages': (length) => `de${'-a'.repeat(length / 2)}`,
  'languages cut off at each subtag': (length) => 'de-CH-x-a,'.repeat(length / 10),
};

const lengths = [256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 1_048_576];

/** Maximum reads per character of a header, and a constant addition. */
const stepsEach = 5;
const stepsAtAll = 400;

describe.each([
  ['negotiate', negotiate],
  ['chooseLanguage', (header: string) => chooseLanguage(header, ['de', 'de-CH', 'fr', 'pt-BR'])],
] as const)('%s', (_, choose) => {
  it.each(Object.entries(shapes))('NEG-008, ERR-151: reads each character a few times: %s', (__, shape) => {
    for (const length of lengths) {
      const header = shape(length);
      const steps = countSteps(() => choose(header));
      expect(steps).toBeLessThanOrEqual(stepsEach * Math.min(header.length, maxCharacters) + stepsAtAll);
    }
  });

  it('NEG-008, ERR-151: reads no more of a header than the limits', () => {
    for (const shape of Object.values(shapes)) {
      const header = shape(2 * maxCharacters);
      const longer = header.repeat(64);
      expect(countSteps(() => choose(longer))).toBe(countSteps(() => choose(header)));
    }
  });
});

describe('counting', () => {
  it('counts every character that is read, also by methods', () => {
    expect(countSteps(() => negotiate('a'.repeat(1000)))).toBeGreaterThanOrEqual(1000);
    expect(countSteps(() => 'abc'.split('b'))).toBeGreaterThanOrEqual(3);
    expect(countSteps(() => /b/u.test('abc'))).toBeGreaterThanOrEqual(3);
    expect(countSteps(() => undefined)).toBe(0);
  });
});
