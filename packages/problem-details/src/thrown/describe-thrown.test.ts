import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeThrown } from './describe-thrown.ts';

describe('ERR-123: what the log is told of something that was thrown', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['text', 'text'],
    [Symbol('sign'), 'Symbol(sign)'],
    [12, '12'],
    [{ why: 'so' }, '{"why":"so"}'],
    [{ message: 'like an error' }, 'like an error'],
    [{ toJSON: () => undefined }, '[object Object]'],
  ])('is the text of %j', (thrown, message) => {
    expect(describeThrown(thrown)).toEqual({ message });
  });

  it('is message and stack of an error', () => {
    const error = new Error('broken');
    expect(describeThrown(error)).toEqual({ message: 'broken', stack: error.stack });
  });

  it('is bounded', () => {
    const error = Object.assign(new Error('m'.repeat(5000)), { stack: 's'.repeat(50_000) });
    const { message, stack } = describeThrown(error);
    expect([message.length, stack?.length]).toEqual([2000, 10_000]);
  });

  it('is found without throwing, whatever its members do', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const angry = {
      get message(): string {
        throw new Error('not for you');
      },
    };
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const thrown of [proxy, angry, circle, Object.create(null)]) {
      expect(typeof describeThrown(thrown).message).toBe('string');
    }
    fc.assert(fc.property(fc.anything(), (thrown) => typeof describeThrown(thrown).message === 'string'));
  });
});
