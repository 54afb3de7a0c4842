import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holds } from './holds.ts';

const t = { seed: 7 };
// The properties of these tests are to fail: their inputs are not to be kept.
fc.resetConfigureGlobal();
const never = new Promise<never>(() => undefined);

it('tries inputs until one fails, and makes that smaller', async () => {
  const property = fc.asyncProperty(fc.nat(), async (number) => number < 10);
  await expect(holds(t, 50, property)).rejects.toThrow('Counterexample: [10]');
});

it('is content with those that were tried when the time is over', async () => {
  let count = 0;
  const property = fc.asyncProperty(fc.nat(), async () => (++count > 2 ? await never : undefined));
  await holds(t, 50, property, 500);
  expect(count).toBe(3);
});

it('fails if the time is over before the first was tried to its end', async () => {
  const property = fc.asyncProperty(fc.nat(), async () => await never);
  await expect(holds(t, 50, property, 10)).rejects.toThrow('interrupted');
});

it('fails for one that failed, also if the time is over before it was made smaller', async () => {
  let count = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    if (++count > 1) await never;
    throw new Error('not so');
  });
  await expect(holds(t, 50, property, 500)).rejects.toThrow('Property failed after 1 tests');
});
