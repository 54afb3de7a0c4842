import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isMatch, readFilter, type Filter } from '../support/filter-model.ts';
import { filterRows, samples } from './rows.ts';

const specification = readFileSync(new URL('../../../../../docs/specification/tagging.md', import.meta.url), 'utf8');
const specified = [
  ...specification.matchAll(
    /^\| (TAG-(?:09[3-9]|1[01]\d|12[0-4])) \| MUST \| (.+) \| (.+) \| ([A-E](?: [A-E])*|none|1\d{3})( \(beyond\))? \|$/gm,
  ),
].map(([, id, wire, , result, beyond]) => ({
  id: String(id),
  wire: String(wire),
  result: String(result),
  beyond: beyond !== undefined,
}));

/** Rows whose texts the specification tells in words. */
const inWords = ['TAG-121', 'TAG-122', 'TAG-124'];

describe('the rows of filters', () => {
  it('are those of the specification, with its results and marks', () => {
    expect(specified.length).toBe(32);
    const rows = filterRows.map(({ id, beyond = false, expected }) => {
      const result = typeof expected === 'number' ? String(expected) : expected.join(' ') || 'none';
      return { id, result, beyond };
    });
    expect(rows).toEqual(specified.map(({ id, result, beyond }) => ({ id, result, beyond })));
  });

  it('have the texts that the specification writes out', () => {
    for (const { id, wire, ignoreCase = false } of filterRows) {
      const text = specified.find((row) => row.id === id)?.wire ?? '';
      expect({ id, ignoreCase }).toEqual({ id, ignoreCase: text.endsWith(' ci') });
      if (inWords.includes(id)) continue;
      const written = [...text.matchAll(/`([^`]+)`/g)].map(([, one]) => String(one));
      expect({ id, wire: wire.flat().filter((one) => one !== '') }).toEqual({ id, wire: written });
    }
    expect(specified.find(({ id }) => id === 'TAG-117')?.wire).toMatch(/^empty; /);
  });

  it('are about the samples of the specification', () => {
    const line = specification.split('\n').find((one) => one.startsWith('Sample for the examples: ')) ?? '';
    const written = [...line.matchAll(/\*\*([A-E])\*\* `(\{.*?\})`/g)].map(([, name, tags]) => [
      name,
      JSON.parse(String(tags)),
    ]);
    expect(Object.fromEntries(written)).toEqual(samples);
  });
});

describe('the model of filters', () => {
  it.each(filterRows.filter(({ id }) => id !== 'TAG-124'))(
    '$id: the specification says the same',
    ({ wire, ignoreCase = false, expected }) => {
      for (const one of wire) {
        const read = (typeof one === 'string' ? [one] : one).map(readFilter);
        const fault = read.find((filter) => typeof filter === 'number');
        const filters = read.filter((filter): filter is Filter => typeof filter !== 'number');
        const matching = Object.entries(samples)
          .filter(([, tags]) => filters.every((filter) => isMatch(filter, tags, ignoreCase)))
          .map(([name]) => name);
        expect({ one, result: fault ?? matching }).toEqual({ one, result: expected });
      }
    },
  );

  it.each([
    ['env!%3Da', { key: 'env', test: 'none of', values: ['a'] }],
    ['env%21=a%2Cb,c', { key: 'env', test: 'none of', values: ['a,b', 'c'] }],
    ['env%3da+b%20c', { key: 'env', test: 'one of', values: ['a b c'] }],
    ['env=%3D%21', { key: 'env', test: 'one of', values: ['=!'] }],
    ['!!env=a', 1007],
    ['!%3Da', 1007],
    ['env%3D,', 1007],
    ['%ED%A0%80', 1007],
    [`e v=${'a,'.repeat(10)}a`, 1014],
    [`${'k'.repeat(256)}${' '}`, 1011],
    [`env=${'v'.repeat(1025)}${',a'.repeat(10)}`, 1013],
  ] as const)('reads %#', (wire, expected) => {
    expect(readFilter(wire)).toEqual(expected);
  });
});
