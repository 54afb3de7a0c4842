import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeCauses, describeThrown } from './describe-thrown.ts';

describe('ERR-123: the description of a thrown value for the log', () => {
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

  it('is made without throwing, for any members', () => {
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

describe('causes', () => {
  it.each<[string, unknown, string]>([
    ['one', new Error('reset'), 'reset'],
    [
      'a chain',
      new Error('fetch failed', { cause: new Error('connect', { cause: 'refused' }) }),
      'fetch failed: connect: refused',
    ],
    [
      'several at once',
      new Error('failed', { cause: new AggregateError([new Error('a'), new Error('b')]) }),
      'failed: a',
    ],
    ['no error', 'refused', 'refused'],
    ['nothing', null, ''],
  ])('are described by their messages: %s', (_name, cause, described) => {
    expect(describeCauses(cause)).toBe(described);
  });

  it('are bounded, even if circular', () => {
    const circle: { message: string; cause?: unknown } = { message: 'again' };
    circle.cause = circle;
    expect(describeCauses(circle)).toBe('again: again: again: again: again');
    expect(describeCauses(new Error('a'.repeat(5000), { cause: 'b' }))).toHaveLength(2000);
  });

  it('end at an unreadable cause', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(describeCauses(new Error('failed', { cause: proxy }))).toBe('failed: something that cannot be read');
  });
});
