import { describe, expect, it, vi } from 'vitest';
import { cost } from '../../work/costs.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { HelperWork } from './helper-work.ts';

const kibibyte = 1024;

describe('LIM-068: work of another thread', () => {
  it('counts once, while it is done and at its end', async () => {
    const counted: string[] = [];
    const work = new Scheduler().begin({ onSpend: (kind, amount) => counted.push(`${amount} of ${kind}`) });
    const own = HelperWork.begin();
    const helper = new HelperWork(own.shared);
    const { promise, resolve } = Promise.withResolvers<string>();
    const result = own.counted(promise, work);
    expect(helper.spend(cost.inflated, 3 * kibibyte)).toBe(false);
    helper.spend(cost.hashed, kibibyte - 1);
    await expect.poll(() => counted).toEqual(['3072 of 2']);
    // Others have their turn, and nothing is counted again.
    const yields = vi.spyOn(work, 'yield');
    await expect.poll(() => yields.mock.calls.length).toBeGreaterThan(2);
    helper.spend(cost.hashed, 1);
    helper.spend(cost.inflated, kibibyte);
    resolve('done');
    expect(await result).toBe('done');
    expect(counted).toEqual(['3072 of 2', '1024 of 2', '1024 of 5']);
    // The next result is counted from there on.
    helper.spend(cost.hashed, 2 * kibibyte);
    await own.counted(Promise.resolve(), work);
    expect(counted.slice(3)).toEqual(['2048 of 5']);
  });

  it('ends at its next step when it is stopped', async () => {
    const own = HelperWork.begin();
    const helper = new HelperWork(own.shared);
    helper.spend(cost.steps);
    own.stop();
    expect(() => helper.spend(cost.steps)).toThrow(expect.objectContaining({ name: 'HelperStoppedError' }));
  });

  it('fails as its result does, or as the work that counts it', async () => {
    const work = new Scheduler().begin();
    await expect(HelperWork.begin().counted(Promise.reject(new Error('dead')), work)).rejects.toThrow('dead');
    vi.spyOn(work, 'yield').mockRejectedValue(new Error('the client left'));
    await expect(HelperWork.begin().counted(new Promise(() => {}), work)).rejects.toThrow('the client left');
  });
});
