import { expect, expectTypeOf, it } from 'vitest';
import { builtInEntries } from '../catalogue/built-in.ts';
import { neutral } from '../dialect/neutral.ts';
import { describeError } from '../problem/describe.ts';
import { isPlatformError } from './is-platform-error.ts';
import type { Problem } from './problem.ts';

const [entry] = builtInEntries;
if (entry === undefined) throw new Error('the catalogue is empty');
const { problem } = describeError(
  entry,
  { rayId: '9184027733651048', now: 0, zone: '' },
  { dialect: neutral, docsBase: 'https://docs.example' },
);

it('ERR-003 ERR-047: recognizes a platform error by the marker of either dialect', () => {
  const { platform_error: _, ...unmarked } = problem;
  expect(isPlatformError(problem)).toBe(true);
  expect(isPlatformError({ ...unmarked, cloudflare_error: true })).toBe(true);
  expect(isPlatformError(unmarked)).toBe(false);
  expect(isPlatformError({ ...unmarked, platform_error: 'true' })).toBe(false);
  expect(isPlatformError({ ...problem, cloudflare_error: true })).toBe(true);
  expect(isPlatformError({ ...problem, cloudflare_error: false })).toBe(false);
  expect(isPlatformError({ ...unmarked, other_error: true })).toBe(false);
});

it.each(Object.keys(problem).filter((name) => name !== 'retry_after'))('is not content without %s', (name) => {
  const less: Record<string, unknown> = { ...problem };
  delete less[name];
  expect(isPlatformError(less)).toBe(false);
  expect(isPlatformError({ ...problem, [name]: null })).toBe(false);
});

it('accepts a missing retry_after, but not one of the wrong type', () => {
  const { retry_after: _, ...less } = problem;
  expect(isPlatformError(less)).toBe(true);
  expect(isPlatformError({ ...problem, retry_after: '30' })).toBe(false);
});

it('ERR-035: accepts members of an own code that are texts, numbers or booleans', () => {
  expect(isPlatformError({ ...problem, x_a: 'b', x_c: 1, x_d: false })).toBe(true);
  expect(isPlatformError({ ...problem, x_a: ['b'] })).toBe(false);
});

it.each([undefined, null, 7, 'platform_error', [problem], () => problem])('rejects %s', (value) => {
  expect(isPlatformError(value)).toBe(false);
});

it('ignores inherited members', () => {
  expect(isPlatformError(Object.create(problem))).toBe(false);
});

it('narrows the type only after the check', () => {
  const parsed = ((): Problem | undefined => ({ ...problem }))();
  expectTypeOf(parsed?.['error_code']).toEqualTypeOf<unknown>();
  if (!isPlatformError(parsed)) throw new Error('it is one');
  expectTypeOf(parsed.error_code).toEqualTypeOf<number>();
  expectTypeOf(parsed.retry_after).toEqualTypeOf<number | undefined>();
  expectTypeOf(parsed['x_own']).toEqualTypeOf<string | number | boolean | undefined>();
});
