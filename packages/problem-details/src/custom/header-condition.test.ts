import { describe, expect, it } from 'vitest';
import { refuseIn } from './check.ts';
import { readHeaderCondition } from './header-condition.ts';
import type { HeaderCondition } from './rule.ts';

const matches = (condition: HeaderCondition, lines: readonly [string, string][]): boolean =>
  readHeaderCondition(condition, 'when.headers[0]', refuseIn('rule a'))(new Headers(lines.map((line) => [...line])));

const accept: [string, string][] = [['Accept', 'text/html, application/json;q=0.9']];

describe('ERR-102: conditions on headers', () => {
  it('looks for a header by its name in any case, Accept included', () => {
    expect(matches({ name: 'aCCEPT', op: 'exists' }, accept)).toBe(true);
    expect(matches({ name: 'ACCEPT', op: 'absent' }, accept)).toBe(false);
    expect(matches({ name: 'x-other', op: 'exists' }, accept)).toBe(false);
    expect(matches({ name: 'x-other', op: 'absent' }, accept)).toBe(true);
    expect(matches({ name: 'x-empty', op: 'exists' }, [['X-Empty', '']])).toBe(true);
    const odd = "!#$%&'*+-.^_`|~09azAZ";
    expect(matches({ name: odd, op: 'exists' }, [[odd, '1']])).toBe(true);
    for (const name of ['__proto__', 'constructor']) expect(matches({ name, op: 'exists' }, accept)).toBe(false);
  });

  it('compares a value in three ways', () => {
    const compared = (op: 'contains' | 'equals' | 'starts_with', value: string): boolean =>
      matches({ name: 'accept', op, value }, accept);
    expect(compared('contains', 'json')).toBe(true);
    expect(compared('contains', 'markdown')).toBe(false);
    expect(compared('equals', 'text/html, application/json;q=0.9')).toBe(true);
    expect(compared('equals', 'text/htm')).toBe(false);
    expect(compared('equals', 'ext/html')).toBe(false);
    expect(compared('starts_with', 'text/h')).toBe(true);
    expect(compared('starts_with', 'ext/html')).toBe(false);
  });

  it('never matches a missing header, not even with an empty value', () => {
    for (const op of ['contains', 'equals', 'starts_with'] as const) {
      expect(matches({ name: 'x-other', op, value: '' }, accept)).toBe(false);
      expect(matches({ name: 'x-empty', op, value: '' }, [['x-empty', '']])).toBe(true);
    }
  });

  it('ignores the case of values only with ignore_case', () => {
    for (const op of ['contains', 'equals', 'starts_with'] as const) {
      const lines: [string, string][] = [['x-a', 'ABC']];
      expect(matches({ name: 'x-a', op, value: 'abc' }, lines)).toBe(false);
      expect(matches({ name: 'x-a', op, value: 'abc', ignore_case: false }, lines)).toBe(false);
      expect(matches({ name: 'x-a', op, value: 'aBc', ignore_case: true }, lines)).toBe(true);
    }
  });

  it('needs one matching line of several', () => {
    const lines: [string, string][] = [
      ['X-A', 'one'],
      ['x-a', 'two, three'],
      ['X-a', 'four'],
    ];
    const compared = (op: 'contains' | 'equals' | 'starts_with', value: string): boolean =>
      matches({ name: 'x-a', op, value }, lines);
    for (const value of ['one', 'two, three', 'four']) {
      expect(compared('equals', value)).toBe(true);
      expect(compared('starts_with', value)).toBe(true);
    }
    expect(compared('starts_with', 'fo')).toBe(true);
    expect(compared('equals', 'fo')).toBe(false);
    expect(compared('starts_with', 'our')).toBe(false);
    expect(compared('contains', 'hre')).toBe(true);
  });
});
