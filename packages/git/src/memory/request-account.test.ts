import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { Admission } from './admission.ts';
import { usualReading } from './reading-memory.ts';
import { RequestAccount, type RequestBounds } from './request-account.ts';

const limit = 100_000_000;

async function opened(
  bounds: RequestBounds = {},
  start = 1000,
): Promise<{ admission: Admission; account: RequestAccount }> {
  const admission = new Admission({ limit, wait: async () => {}, shared: { bytes: 0, drop: () => {} } });
  const reservation = await admission.reserve(start, false);
  return { admission, account: new RequestAccount(reservation, bounds) };
}

describe('LIM-059: the memory of one request', () => {
  it('has the plan, the body, the largest object and what is beside it, each on its own', async () => {
    const { admission, account } = await opened();
    await account.resize(1000, 50);
    expect(admission.reserved).toBe(1050);
    account.keepLines(800);
    expect(admission.reserved).toBe(1050);
    account.keepLines(400);
    expect(admission.reserved).toBe(1250);
    await account.resize(5000);
    expect(admission.reserved).toBe(5250);
    account.reading(usualReading);
    account.reading(usualReading + 10);
    account.reading(usualReading + 4);
    expect(admission.reserved).toBe(5260);
    await account.expectReading(usualReading + 100);
    account.reading(usualReading + 100);
    await account.planMore(1000);
    expect(admission.reserved).toBe(6350);
    await account.resize(10);
    expect([admission.reserved, account.bytes]).toEqual([360, 360]);
    account.holdBody(300);
    expect(admission.reserved).toBe(460);
    account.holdBody(0);
    expect(admission.reserved).toBe(160);
    account.release();
    expect(admission.reserved).toBe(0);
  });

  it('grows in turn only while no other request waits', async () => {
    const { admission, account } = await opened();
    expect(account.growInTurn(10)).toBe(true);
    expect(admission.reserved).toBe(1010);
    const waiting = admission.reserve(limit, false);
    expect([account.growInTurn(10), admission.reserved]).toEqual([false, 1010]);
    account.grow(10);
    account.release();
    (await waiting).release();
  });

  it('is refused above its bound, which what all requests have and the largest object do not count for', async () => {
    const { admission, account } = await opened({ most: 10_000, common: 3000 });
    await expect(account.resize(13_001)).rejects.toThrow(NotEnoughMemoryError);
    await account.resize(13_000);
    account.reading(usualReading + 50_000);
    expect(admission.reserved).toBe(63_000);
    const long = await opened({ most: 10_000, common: 1000 });
    expect(() => long.account.keepLines(10_001)).toThrow(NotEnoughMemoryError);
    const other = await opened({ most: 10_000, common: 1000 });
    other.account.keepLines(4000);
    other.account.keepLines(6000);
    await expect(other.account.resize(1000)).resolves.toBeUndefined();
    await expect(other.account.resize(1001)).rejects.toThrow(NotEnoughMemoryError);
    const small = await opened({ most: 100, common: 5000 });
    small.account.keepLines(100);
    expect(() => small.account.keepLines(1)).toThrow(NotEnoughMemoryError);
    expect(small.admission.reserved).toBe(1000);
  });

  it('stays counted for lines that are there while the request waits, and for nothing else', async () => {
    for (const [lines, kept] of [
      [50_000, 49_000],
      [0, 0],
    ] as const) {
      const waited: number[] = [];
      const wait = async (): Promise<void> => {
        waited.push(admission.reserved - other.bytes);
        other.release();
      };
      const admission = new Admission({ limit: 100_000, wait, shared: { bytes: 0, drop: () => {} } });
      const account = new RequestAccount(await admission.reserve(1000, false));
      account.keepLines(lines);
      const other = await admission.reserve(45_000, false);
      await account.planMore(49_500 + 49_000 - kept);
      expect(waited).toEqual([kept]);
    }
  });

  it('keeps counting permanent memory while it waits, and for any plans', async () => {
    const waited: number[] = [];
    const wait = async (): Promise<void> => {
      waited.push(admission.reserved - other.bytes);
      other.release();
    };
    const admission = new Admission({ limit: 100_000, wait, shared: { bytes: 0, drop: () => {} } });
    const account = new RequestAccount(await admission.reserve(1000, false));
    const other = await admission.reserve(45_000, false);
    expect(account.tryKeep(54_001)).toBe(false);
    expect(account.tryKeep(50_000)).toBe(true);
    await account.resize(50_000);
    expect(waited).toEqual([50_000]);
    expect(admission.reserved).toBe(100_000);
    account.holdBody(0);
    await account.resize(0);
    expect(admission.reserved).toBe(50_000);
    account.release();
    expect(admission.reserved).toBe(0);
  });

  it('is refused at once where others have the rest, and waits for what is planned', async () => {
    const { admission, account } = await opened();
    const other = await admission.reserve(limit - 1000, false);
    expect(() => account.keepLines(1001)).toThrow(NotEnoughMemoryError);
    expect(() => account.reading(usualReading + 1)).toThrow(NotEnoughMemoryError);
    await expect(account.expectReading(usualReading + 1)).rejects.toThrow(NotEnoughMemoryError);
    other.release();
  });

  it('keeps what a reply takes, and lets go of the pages', async () => {
    let dropped = 0;
    const admission = new Admission({
      limit: 1000,
      wait: async () => {},
      shared: { bytes: 500, drop: () => void dropped++ },
    });
    const account = new RequestAccount(await admission.reserve(400, true));
    await expect(admission.reserve(200, false)).rejects.toThrow(NotEnoughMemoryError);
    account.keepForReply(100);
    expect([admission.reserved, dropped]).toEqual([600, 0]);
    await admission.reserve(900, false);
    expect([admission.reserved, dropped]).toEqual([1000, 1]);
    account.keepForReply(200);
    account.release();
    expect(admission.reserved).toBe(900);
  });

  test.prop([
    fc.array(fc.tuple(fc.constantFrom('resize', 'lines', 'reading', 'expect'), fc.nat(60_000_000)), {
      maxLength: 30,
    }),
  ])('is what was taken until one is refused, which ends the request, and comes back in full', async (steps) => {
    const { admission, account } = await opened();
    for (const [step, bytes] of steps) {
      try {
        if (step === 'resize') await account.resize(bytes);
        else if (step === 'lines') account.keepLines(bytes);
        else if (step === 'reading') account.reading(bytes);
        else await account.expectReading(bytes);
        if (step === 'reading' || step === 'expect') expect(account.bytes).toBeGreaterThanOrEqual(bytes - usualReading);
      } catch (error) {
        expect(error).toBeInstanceOf(NotEnoughMemoryError);
        break;
      }
      expect(admission.reserved).toBe(account.bytes);
      expect(admission.reserved).toBeLessThanOrEqual(limit);
    }
    account.release();
    expect(admission.reserved).toBe(0);
  });
});
