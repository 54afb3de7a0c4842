import { describe, expect, it } from 'vitest';
import { callObject, OverloadedError } from '../src/calls/call-object.ts';
import { newUsage } from '../src/request/usage.ts';

/** Stubs that fail with these, one after the other, and then answer with their number. */
function failing(...failures: readonly object[]) {
  let made = 0;
  const usage = newUsage();
  const stub = () => {
    made += 1;
    const number = made;
    const failure = failures[number - 1];
    return {
      call: async () => {
        if (failure !== undefined) throw Object.assign(new Error(`failure ${number}`), failure);
        return number;
      },
    };
  };
  const run = (repeatable: boolean) => callObject({ stub, usage, repeatable }, (calls) => calls.call());
  return { run, usage, made: () => made };
}

describe('a call of an object', () => {
  it.each([{ durableObjectReset: true }, { retryable: true }])(
    'is made again on a new stub where the platform says so and it does no harm: %j',
    async (failure) => {
      const { run, usage } = failing(failure, failure);
      expect(await run(true)).toBe(3);
      expect(usage.objectCalls).toBe(3);
    },
  );

  it('is not made a fourth time', async () => {
    const reset = { durableObjectReset: true };
    const { run, made } = failing(reset, reset, reset, reset);
    await expect(run(true)).rejects.toThrow('failure 3');
    expect(made()).toBe(3);
  });

  it('is made once where a second one could do harm, and for errors that say nothing', async () => {
    const once = failing({ durableObjectReset: true });
    await expect(once.run(false)).rejects.toThrow('failure 1');
    expect(once.made()).toBe(1);
    const plain = failing({});
    await expect(plain.run(true)).rejects.toThrow('failure 1');
    expect(plain.made()).toBe(1);
  });

  it('is never repeated against an object that has too many', async () => {
    const { run, usage, made } = failing({ overloaded: true, retryable: true });
    await expect(run(true)).rejects.toThrow(OverloadedError);
    expect(made()).toBe(1);
    expect(usage.overloaded).toBe(1);
  });
});
