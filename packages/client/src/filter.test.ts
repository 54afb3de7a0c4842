import { matches, parseTagFilter, parseTagFilters } from '@packhouse/tag-filter';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeFilter } from './filter.ts';

describe('writeFilter', () => {
  it.each([
    ['env', 'env'],
    ['!archived', '!archived'],
    ['env=prod,staging', 'env=prod,staging'],
    ['owner!=ada', 'owner!=ada'],
    ['env=', 'env='],
    ['formula=x=y=z', 'formula=x%3Dy%3Dz'],
    ['ratio=50%', 'ratio=50%25'],
    ['note=a+b c&d#e', 'note=a%2Bb%20c%26d%23e'],
    ['Équipe=Données', '%C3%89quipe=Donn%C3%A9es'],
    ['note=a\\,b', 'note=a%2Cb'],
    ['path=C:\\x\\\\,b\\', 'path=C%3A%5Cx%5C,b%5C'],
    ['face=\u{1F600},\u{1F600}', 'face=%F0%9F%98%80,%F0%9F%98%80'],
    ['env=\ud800', 'env=%EF%BF%BD'],
  ])('writes %j as %s', (text, wire) => {
    expect(writeFilter(text)).toBe(wire);
  });

  it('TAG-082: any values arrive unchanged, also with commas and backslashes in them', () => {
    const value = fc
      .oneof(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.string({ unit: fc.constantFrom(',', '\\', '=', '!', 'a') }),
      )
      .filter((text) => !text.includes('\0'));
    const values = fc
      .uniqueArray(value, { minLength: 1, maxLength: 10 })
      .filter((all) => all.length === 1 || !all.includes(''));
    fc.assert(
      fc.property(values, fc.boolean(), (texts, negated) => {
        const escaped = texts.map((text) => text.replaceAll(/[\\,]/g, '\\$&')).join(',');
        const wire = writeFilter(`key${negated ? '!' : ''}=${escaped}`);
        // Parsing it as a URL must change nothing.
        const url = new URL('http://x/');
        url.search = `tag=${wire}`;
        expect(parseTagFilters(url.search)).toEqual([
          { key: 'key', test: negated ? 'none-of' : 'one-of', values: texts },
        ]);
      }),
    );
  });

  it('TAG-091: leaves invalid filters to the service', () => {
    expect(() => parseTagFilter(writeFilter('env:prod'))).toThrow();
    expect(() => parseTagFilter(writeFilter('!env=prod'))).toThrow();
    expect(matches([parseTagFilter(writeFilter('env=prod'))], { env: 'prod' })).toBe(true);
  });
});
