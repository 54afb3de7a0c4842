import { describe, expect, it } from 'vitest';
import { CliError } from '@packhouse/command';
import { merged, tagsOf } from './pairs.ts';

describe('tagsOf', () => {
  it('reads each word up to its first "="', () => {
    expect(tagsOf(['env=prod', 'formula=x=y', 'archived=', 'note=a b'])).toEqual({
      env: 'prod',
      formula: 'x=y',
      archived: '',
      note: 'a b',
    });
    expect(tagsOf([])).toEqual({});
  });

  it('TAG-052: treats __proto__ as an ordinary key', () => {
    expect(JSON.stringify(tagsOf(['__proto__=x', 'toString=y']))).toBe('{"__proto__":"x","toString":"y"}');
    const current = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    expect(JSON.stringify(merged(current, tagsOf(['__proto__=z']), ['constructor']))).toBe('{"__proto__":"z"}');
  });

  it.each([
    [['env'], '"env" has no "=".', 'Write KEY=VALUE; "env=" sets the empty value.'],
    [['note=a', 'b'], '"b" has no "=".', 'Write KEY=VALUE, and quote a value with spaces: "note=a b".'],
    [['=x'], '"=x" has no key.', 'Write KEY=VALUE.'],
    [['env=a', 'env=b'], 'The key "env" is there twice.', 'A key has one value: leave one out.'],
  ])('refuses %j with a sentence and the next step', (words, message, hint) => {
    let error: unknown;
    try {
      tagsOf(words);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(CliError);
    expect(error).toMatchObject({ kind: 'usage', message, hint });
  });
});

describe('merged', () => {
  it('adds and replaces tags, and removes some', () => {
    const current = { env: 'prod', team: 'core', old: '' };
    expect(merged(current, { env: 'staging', note: 'n' }, ['old', 'none'])).toEqual({
      env: 'staging',
      team: 'core',
      note: 'n',
    });
    expect(current).toEqual({ env: 'prod', team: 'core', old: '' });
  });
});
