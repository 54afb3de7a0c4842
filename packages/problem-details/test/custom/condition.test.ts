import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refuseIn } from '../../src/custom/check.ts';
import { readCondition } from '../../src/custom/condition.ts';
import { factsOfError } from './facts-of-error.ts';
import type { ErrorFacts, RuleCondition } from '../../src/custom/rule.ts';

const matches = (when: RuleCondition, facts: Partial<ErrorFacts> = {}, init: RequestInit = {}, path = '/'): boolean =>
  readCondition(
    when,
    refuseIn('rule a'),
  )({
    error: factsOfError(facts),
    request: new Request('https://shop.example/', init),
    path: () => path,
  });

describe('ERR-101: which errors a condition is for', () => {
  it('matches every error when it is empty', () => {
    expect(matches({})).toBe(true);
    expect(matches({}, { code: 2000, status: 599, zone: '' })).toBe(true);
  });

  it('compares the code', () => {
    expect(matches({ codes: [522, 1015] })).toBe(true);
    expect(matches({ codes: [522, 1016] })).toBe(false);
  });

  it('distinguishes two types of errors by code', () => {
    const types = (code: number): boolean[] =>
      (['1xxx', '5xx'] as const).map((type) => matches({ error_types: [type] }, { code, status: 500 }));
    expect([500, 599].map(types)).toEqual([
      [false, true],
      [false, true],
    ]);
    expect([1000, 1999].map(types)).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(types(2000)).toEqual([false, false]);
    expect(matches({ error_types: ['5xx', '1xxx'] })).toBe(true);
  });

  it('compares the status of the error and, case-sensitively, the method of the request', () => {
    expect(matches({ statuses: [403, 429] })).toBe(true);
    expect(matches({ statuses: [403] })).toBe(false);
    expect(matches({ methods: ['GET', 'HEAD'] })).toBe(true);
    expect(matches({ methods: ['GET', 'HEAD'] }, {}, { method: 'POST' })).toBe(false);
    expect(matches({ methods: ['PURGE'] }, {}, { method: 'purge' })).toBe(false);
  });

  it('needs all headers, but one item of every other list', () => {
    const headers = { 'x-a': '1', 'x-b': '2' };
    const has = (name: string): { name: string; op: 'exists' } => ({ name, op: 'exists' });
    expect(matches({ headers: [has('x-a'), has('x-b')] }, {}, { headers })).toBe(true);
    expect(matches({ headers: [has('x-a'), has('x-c')] }, {}, { headers })).toBe(false);
  });
});

describe('ERR-103: hosts and paths', () => {
  it('compares hosts exactly, in lower case', () => {
    expect(matches({ hosts: ['SHOP.example'] })).toBe(true);
    expect(matches({ hosts: ['other.example', 'shop.example'] })).toBe(true);
    expect(matches({ hosts: ['hop.example', 'example', 'www.shop.example', '*.shop.example'] })).toBe(false);
    expect(matches({ hosts: ['shop.example'] }, { zone: '' })).toBe(false);
  });

  it('a leading *. stands for one or more labels', () => {
    const ofExample = (zone: string): boolean => matches({ hosts: ['*.Example'] }, { zone });
    expect(['shop.example', 'a.b.shop.example'].map(ofExample)).toEqual([true, true]);
    expect(['example', 'notexample', 'example.shop', ''].map(ofExample)).toEqual([false, false, false, false]);
  });

  it('compares prefixes with the path', () => {
    expect(matches({ path_prefixes: ['/b', '/a'] }, {}, {}, '/abc')).toBe(true);
    expect(matches({ path_prefixes: ['/abcd', '/A'] }, {}, {}, '/abc')).toBe(false);
  });
});

/** The conditions of one member each, implemented literally. */
const naive: { readonly [M in keyof RuleCondition]-?: (item: never, facts: ErrorFacts, request: Request) => boolean } =
  {
    codes: (item: number, facts) => facts.code === item,
    error_types: (item: string, { code }) =>
      item === '1xxx' ? Math.floor(code / 1000) === 1 : Math.floor(code / 100) === 5,
    statuses: (item: number, facts) => facts.status === item,
    hosts: (item: string, { zone }) => {
      const wanted = item.split('.');
      const labels = zone.split('.');
      if (wanted[0] !== '*') return labels.join() === wanted.join();
      return labels.length >= wanted.length && labels.slice(1 - wanted.length).join() === wanted.slice(1).join();
    },
    path_prefixes: (item: string, _, { url }) =>
      decodeURIComponent(new URL(url).pathname).slice(0, item.length) === item,
    methods: (item: string, _, { method }) => method === item,
    headers: ({ name }: { name: string }, _, { headers }) => [...headers.keys()].includes(name.toLowerCase()),
  };

const some = <T>(...items: readonly T[]): fc.Arbitrary<T[]> =>
  fc.array(fc.constantFrom(...items), { minLength: 1, maxLength: 3 });
const codes = [500, 522, 599, 1000, 1015, 1999, 2000, 15_000];
const anyCondition = fc.record(
  {
    codes: some(...codes),
    error_types: some('1xxx' as const, '5xx' as const),
    statuses: some(403, 429, 522),
    hosts: some('shop.example', '*.example', '*.shop.example', 'example', '*.a.shop.example'),
    path_prefixes: some('/', '/a', '/a b', '/ä', '/b'),
    methods: some('GET', 'POST', 'PURGE'),
    headers: some(...['accept', 'X-A', 'x-b'].map((name) => ({ name, op: 'exists' as const }))),
  },
  { requiredKeys: [] },
);

describe('conditions', () => {
  it('agree with a naive model for any members', () => {
    const anySubject = fc.record({
      code: fc.constantFrom(...codes),
      status: fc.constantFrom(403, 429, 522),
      zone: fc.constantFrom('shop.example', 'a.shop.example', 'b.a.shop.example', 'example', ''),
      path: fc.constantFrom('/', '/a', '/a%20b/c', '/%C3%A4', '/b/a', '/%61'),
      method: fc.constantFrom('GET', 'POST', 'PURGE'),
      names: fc.subarray(['accept', 'x-a', 'x-b']),
    });
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(anyCondition, anySubject, (when, { path, method, names, ...facts }) => {
        const request = new Request(`https://shop.example${path}`, {
          method,
          headers: names.map((name): [string, string] => [name, '1']),
        });
        const error = factsOfError(facts);
        const members = Object.entries(when) as [keyof RuleCondition, never[]][];
        const expected = members.every(([member, items]) => {
          const found = items.map((item) => naive[member](item, error, request));
          return member === 'headers' ? !found.includes(false) : found.includes(true);
        });
        seen.add(expected);
        const decoded = decodeURIComponent(new URL(request.url).pathname);
        expect(readCondition(when, refuseIn('rule a'))({ error, request, path: () => decoded })).toBe(expected);
      }),
      { numRuns: 2000 },
    );
    expect(seen.size).toBe(2);
  });
});
