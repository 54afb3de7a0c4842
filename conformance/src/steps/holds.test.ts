import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holds } from './holds.ts';

const t = { seed: 7 };
// The properties of these tests must fail, and their inputs must not be kept.
fc.resetConfigureGlobal();
const never = new Promise<never>(() => undefined);

it('tries inputs until one fails, and shrinks it', async () => {
  const property = fc.asyncProperty(fc.nat(), async (number) => number < 10);
  await expect(holds(t, 50, property)).rejects.toThrow('Counterexample: [10]');
});

it('accepts the inputs tried so far when the time is over', async () => {
  let count = 0;
  const property = fc.asyncProperty(fc.nat(), async () => (++count > 2 ? await never : undefined));
  await holds(t, 50, property, 500);
  expect(count).toBe(3);
});

it('waits for the first input, also when the time is over', async () => {
  const slow = fc.asyncProperty(fc.nat(), async () => await new Promise<void>((done) => setTimeout(done, 200)));
  await holds(t, 50, slow, 10);
  const wrong = fc.asyncProperty(fc.nat(), async () => {
    await new Promise((done) => setTimeout(done, 200));
    throw new Error('not so');
  });
  await expect(holds(t, 50, wrong, 10)).rejects.toThrow('not so');
});

it('fails for a failed input, even if the time is over before it was shrunk', async () => {
  let count = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    if (++count > 1) await never;
    throw new Error('not so');
  });
  await expect(holds(t, 50, property, 500)).rejects.toThrow('Property failed after 1 tests');
});
