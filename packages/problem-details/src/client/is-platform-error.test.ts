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

it('ERR-003 ERR-047: knows a platform error by the marker of either dialect', () => {
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

it('does without retry_after, but not with one of the wrong type', () => {
  const { retry_after: _, ...less } = problem;
  expect(isPlatformError(less)).toBe(true);
  expect(isPlatformError({ ...problem, retry_after: '30' })).toBe(false);
});

it('ERR-035: takes members of an own code that are text, number or truth value', () => {
  expect(isPlatformError({ ...problem, x_a: 'b', x_c: 1, x_d: false })).toBe(true);
  expect(isPlatformError({ ...problem, x_a: ['b'] })).toBe(false);
});

it.each([undefined, null, 7, 'platform_error', [problem], () => problem])('takes %s for none', (value) => {
  expect(isPlatformError(value)).toBe(false);
});

it('does not count what an object inherits', () => {
  expect(isPlatformError(Object.create(problem))).toBe(false);
});

it('tells the types of all members to who asked, and none to others', () => {
  const parsed = ((): Problem | undefined => ({ ...problem }))();
  expectTypeOf(parsed?.['error_code']).toEqualTypeOf<unknown>();
  if (!isPlatformError(parsed)) throw new Error('it is one');
  expectTypeOf(parsed.error_code).toEqualTypeOf<number>();
  expectTypeOf(parsed.retry_after).toEqualTypeOf<number | undefined>();
  expectTypeOf(parsed['x_own']).toEqualTypeOf<string | number | boolean | undefined>();
});
