import { describe, expect, it } from 'vitest';
import { PlatformError, isThrownPlatformError } from './platform-error.ts';

describe('ERR-121: a platform error to throw', () => {
  it('is an Error with a code and the given details', () => {
    const cause = new Error('why');
    const error = new PlatformError(1015, { retryAfter: 10, cause, extensions: { x_plan: 'free' } });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'PlatformError', code: 1015, retryAfter: 10, extensions: { x_plan: 'free' } });
    expect(error.cause).toBe(cause);
  });

  it('has no member that was not given', () => {
    const error = new PlatformError(500);
    expect(['cause', 'retryAfter', 'extensions'].filter((member) => member in error)).toEqual([]);
  });

  it('is recognized if another copy of the package made it', () => {
    const brand = Symbol.for('@packhouse/problem-details/platform-error');
    expect(isThrownPlatformError(Object.assign(new Error('of another copy'), { code: 1015, [brand]: true }))).toBe(
      true,
    );
    expect(isThrownPlatformError(new PlatformError(1015))).toBe(true);
  });

  it('does not include other thrown values', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [undefined, null, 'PlatformError', 1015, { code: 1015 }, new Error('code 1015'), proxy]) {
      expect(isThrownPlatformError(thrown)).toBe(false);
    }
  });
});
