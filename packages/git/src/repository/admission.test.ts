import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { Admission, NotEnoughMemoryError, type Reservation } from './admission.ts';

interface Made {
  readonly admission: Admission;
  /** Milliseconds that were waited for. */
  readonly waits: number[];
  dropped: number;
}

/** `polled` is called each time a request looks again. */
function made(limit: number, polled: (poll: number) => void = () => {}): Made {
  const result: Made = {
    waits: [],
    dropped: 0,
    admission: new Admission({
      limit,
      async wait(milliseconds) {
        result.waits.push(milliseconds);
        polled(result.waits.length);
      },
      shared: { bytes: 10, drop: () => void result.dropped++ },
    }),
  };
  return result;
}

describe('LIM-059: memory of all requests together', () => {
  it('is taken at once where there is room, and counted', async () => {
    const { admission, waits } = made(100);
    const one = await admission.reserve(60, false);
    const two = await admission.reserve(40, false);
    expect([admission.reserved, admission.reservedMost, waits.length]).toEqual([100, 100, 0]);
    one.release();
    one.release();
    two.release();
    expect([admission.reserved, admission.reservedMost]).toEqual([0, 100]);
  });

  it('is looked for every 50 ms, and found when another request ends', async () => {
    const held: Reservation[] = [];
    const { admission, waits } = made(100, (poll) => {
      if (poll === 7) held[0]?.release();
    });
    held.push(await admission.reserve(60, false));
    await admission.reserve(60, false);
    expect(waits).toEqual(Array.from({ length: 7 }, () => 50));
    expect(admission.reserved).toBe(60);
  });

  it('is refused after 30 seconds, and at once where it can never fit', async () => {
    const { admission, waits } = made(100);
    await admission.reserve(60, false);
    await expect(admission.reserve(60, false)).rejects.toThrow(NotEnoughMemoryError);
    expect(waits).toHaveLength(600);
    await expect(admission.reserve(101, false)).rejects.toThrow(NotEnoughMemoryError);
    await expect(admission.reserve(91, true)).rejects.toThrow(NotEnoughMemoryError);
    expect(waits).toHaveLength(600);
    expect(admission.reserved).toBe(60);
  });

  it('is not held by a request that waits for more', async () => {
    const held: Reservation[] = [];
    const { admission } = made(100, () => {
      expect(admission.reserved).toBe(50);
      held[1]?.release();
    });
    held.push(await admission.reserve(50, false), await admission.reserve(50, false));
    await held[0]?.resize(70);
    expect(admission.reserved).toBe(70);
  });

  it('is held as far as told by a request that waits for more', async () => {
    const held: Reservation[] = [];
    const { admission } = made(100, () => {
      expect(admission.reserved).toBe(70);
      held[1]?.release();
    });
    held.push(await admission.reserve(50, false), await admission.reserve(50, false));
    await held[0]?.resize(70, 20);
    expect(admission.reserved).toBe(70);
    await expect(held[0]?.resize(101, 20)).rejects.toThrow(NotEnoughMemoryError);
    expect(admission.reserved).toBe(20);
    held[0]?.release();
    expect(admission.reserved).toBe(0);
  });

  it('counts what requests share once, and lets it go only when nobody holds it and others need it', async () => {
    const made100 = made(100);
    const { admission } = made100;
    const one = await admission.reserve(20, true);
    const two = await admission.reserve(20, true);
    expect(admission.reserved).toBe(50);
    one.release();
    await expect(admission.reserve(80, false)).rejects.toThrow();
    two.release();
    expect([admission.reserved, made100.dropped]).toEqual([10, 0]);
    const three = await admission.reserve(50, true);
    expect([admission.reserved, made100.dropped]).toEqual([60, 0]);
    three.release();
    await admission.reserve(100, false);
    expect([admission.reserved, made100.dropped]).toEqual([100, 1]);
  });

  test.prop([
    fc.array(
      fc.tuple(fc.constantFrom('reserve', 'share', 'resize', 'grow', 'shrink', 'release'), fc.nat(9), fc.nat(60)),
      { maxLength: 60 },
    ),
  ])('never exceeds the limit, and comes back in full', async (steps) => {
    const { admission } = made(100);
    const open: Reservation[] = [];
    for (const [step, number, bytes] of steps) {
      const one = open[number % Math.max(1, open.length)];
      try {
        if (step === 'reserve' || step === 'share') open.push(await admission.reserve(bytes, step === 'share'));
        else if (step === 'resize') await one?.resize(bytes);
        else if (step === 'grow') one?.tryGrow(bytes);
        else if (step === 'shrink') one?.shrink(Math.min(bytes, one.bytes));
        else one?.release();
      } catch (error) {
        expect(error).toBeInstanceOf(NotEnoughMemoryError);
      }
      expect(admission.reserved).toBeLessThanOrEqual(100);
      expect(admission.reserved).toBeGreaterThanOrEqual(0);
    }
    for (const one of open) one.release();
    expect([0, 10]).toContain(admission.reserved);
  });
});
