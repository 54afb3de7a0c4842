import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TagFilterError } from '../filter/tag-filter-error.ts';
import { matches } from '../match/matches.ts';
import { examples, type FilterExample, refusedExamples, sample, type SampleName } from './examples.test.util.ts';
import { parseTagFilters } from './parse-tag-filters.ts';

const specification = readFileSync(new URL('../../../../docs/specification/tagging.md', import.meta.url), 'utf8').split(
  '\n',
);

const asSearch = (texts: readonly string[]): string => `?${texts.map((text) => `tag=${text}`).join('&')}`;

function matched({ texts, caseInsensitive = false }: FilterExample): readonly SampleName[] {
  const filters = parseTagFilters(asSearch(texts));
  const names = Object.keys(sample) as SampleName[];
  return names.filter((name) => matches(filters, sample[name], { caseInsensitive }));
}

describe('the examples of section 10', () => {
  it.each(examples)('$id: $texts is read and matches as the table says', (example) => {
    expect(parseTagFilters(asSearch(example.texts))).toEqual(example.filters);
    expect(matched(example)).toEqual([...example.matches]);
  });

  it.each(refusedExamples)('$id: $texts is refused with $code', ({ texts, code }) => {
    const refused = expect.objectContaining({ code }) as TagFilterError;
    expect(() => parseTagFilters(asSearch(texts))).toThrow(refused);
  });

  it('TAG-093 to TAG-124 are complete, with the texts and matches of the table', () => {
    const rows = specification.filter((line) => /^\| TAG-(?:09[3-9]|1[01]\d|12[0-4]) /.test(line));
    const ids = new Set([...examples, ...refusedExamples].map(({ id }) => id));
    expect(rows.map((row) => row.slice(2, 9))).toEqual([...ids]);
    for (const row of rows) {
      const [, id = '', , wire = '', , last = ''] = row.split('|').map((cell) => cell.trim());
      const mine = [...examples, ...refusedExamples].filter((example) => example.id === id);
      for (const [, text = ''] of wire.replace('tag=env', 'env').matchAll(/`([^`]+)`/g)) {
        expect(JSON.stringify(mine), id).toContain(text);
      }
      const outcome = last.replace(' (beyond)', '').split(' ');
      const mineOutcome = mine.map((example) => ('code' in example ? [String(example.code)] : example.matches));
      for (const each of mineOutcome) expect(each.length === 0 ? ['none'] : each, id).toEqual(outcome);
    }
  });

  it('TAG-093: the sample equals that of the specification', () => {
    const text = specification.find((line) => line.startsWith('Sample for the examples:')) ?? '';
    const resources = [...text.matchAll(/\*\*([A-E])\*\* `([^`]+)`/g)].map(([, name = '', tags = '']) => [
      name,
      JSON.parse(tags) as unknown,
    ]);
    expect(Object.fromEntries(resources)).toEqual(sample);
  });
});
