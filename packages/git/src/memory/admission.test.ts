import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import { Admission, type Reservation } from './admission.ts';

interface Made {
  readonly admission: Admission;
  /** Milliseconds that were waited for. */
  readonly waits: number[];
  dropped: number;
}

/** `polled` is called each time a request looks again. */
function made(limit: number, polled: (poll: number) => void | Promise<void> = () => {}, reserve = 0): Made {
  const result: Made = {
    waits: [],
    dropped: 0,
    admission: new Admission({
      limit,
      async wait(milliseconds) {
        result.waits.push(milliseconds);
        await polled(result.waits.length);
      },
      reserve,
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

  it('counts shared memory once, and releases it only when it is unused and others need it', async () => {
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

  it('has no room for what requests share when it is full, even for a request of no bytes', async () => {
    const { admission } = made(100);
    await admission.reserve(91, false);
    await expect(admission.reserve(0, true)).rejects.toThrow(NotEnoughMemoryError);
    expect(admission.reserved).toBe(91);
  });

  it('LIM-080: with a reserve, keeps what requests share, since its room is not for others', async () => {
    const withReserve = made(100, undefined, 20);
    const { admission } = withReserve;
    (await admission.reserve(20, true)).release();
    const held = await admission.reserve(60, false);
    expect(held.tryGrow(20)).toBe(false);
    await expect(admission.reserve(20, false)).rejects.toThrow(NotEnoughMemoryError);
    expect(withReserve.dropped).toBe(0);
  });

  it('takes more for what runs before requests that wait, unless it can do without', async () => {
    const { admission } = made(100);
    const held = await admission.reserve(60, false);
    const waiting = admission.reserve(50, false);
    expect([held.tryGrowInTurn(10), held.tryGrow(10)]).toEqual([false, true]);
    held.release();
    await waiting;
    const other = await admission.reserve(10, false);
    expect([other.tryGrowInTurn(50), other.tryGrowInTurn(20), other.bytes]).toEqual([false, true, 30]);
  });

  test.prop([
    fc.constantFrom(0, 20),
    fc.array(
      fc.tuple(fc.constantFrom('reserve', 'share', 'resize', 'grow', 'shrink', 'release'), fc.nat(9), fc.nat(60)),
      { maxLength: 60 },
    ),
  ])('never exceeds the limit, and comes back in full', async (reserve, steps) => {
    const { admission } = made(100, undefined, reserve);
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

describe('LIM-080: who waits for memory', () => {
  /** A round of polls that the test ends by hand. */
  function rounds(): { poll: () => Promise<void>; next: () => Promise<void> } {
    let waiting: (() => void)[] = [];
    return {
      poll: () => new Promise((resolve) => waiting.push(resolve)),
      async next() {
        const all = waiting;
        waiting = [];
        for (const resolve of all) resolve();
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  const opened = (limit: number, reserve = 0) => {
    const round = rounds();
    const { admission } = made(limit, round.poll, reserve);
    const order: string[] = [];
    const held = new Map<string, Reservation>();
    const ask = (name: string, bytes: number, tenant?: string, signal?: AbortSignal): Promise<void> =>
      admission.reserve(bytes, false, { tenant, signal }).then((reservation) => {
        order.push(name);
        held.set(name, reservation);
      });
    const free = async (name: string): Promise<void> => {
      held.get(name)?.release();
      await round.next();
    };
    return { admission, order, ask, free, round };
  };

  it('goes in the order of arrival: small requests do not starve a large one', async () => {
    const { order, ask, free } = opened(100);
    await ask('first', 60);
    await ask('second', 30);
    void ask('large', 80);
    void ask('small', 10);
    void ask('other', 10);
    await free('second');
    expect(order).toEqual(['first', 'second']);
    await free('first');
    expect(order).toEqual(['first', 'second', 'large', 'small', 'other']);
  });

  it('lets tenants take turns', async () => {
    const { order, ask, free } = opened(100);
    await ask('all', 100, 'x');
    for (const name of ['a1', 'a2', 'a3']) void ask(name, 50, 'a');
    for (const name of ['b1', 'b2']) void ask(name, 50, 'b');
    await free('all');
    expect(order).toEqual(['all', 'a1', 'b1']);
    await free('a1');
    await free('b1');
    expect(order).toEqual(['all', 'a1', 'b1', 'a2', 'b2']);
  });

  it('has a reserve for small requests, which a large one cannot take', async () => {
    const { admission, order, ask, free, round } = opened(150, 40);
    expect(admission.requestMost).toBe(100);
    await ask('large', 100);
    void ask('second', 60);
    for (const name of ['s1', 's2', 's3', 's4', 's5']) void ask(name, 10);
    await round.next();
    expect(order).toEqual(['large', 's1', 's2', 's3', 's4']);
    await free('s2');
    expect(order.at(-1)).toBe('s5');
    await free('large');
    expect(order.at(-1)).toBe('second');
    expect(admission.reserved).toBe(100);
  });

  it('takes what a request has of the reserve out of it when the request is no longer small', async () => {
    const { admission, round } = opened(150, 40);
    const [one, two] = [await admission.reserve(10, false), await admission.reserve(10, false)];
    await one.resize(90);
    const others = await Promise.all([1, 2, 3].map(() => admission.reserve(10, false)));
    expect(admission.reserved).toBe(130);
    expect(() => two.grow(20)).toThrow('not enough memory now, try again: 30 bytes, limit 100 (memory_max)');
    one.release();
    await round.next();
    two.grow(20);
    for (const share of [two, ...others]) share.release();
    expect(admission.reserved).toBe(0);
  });

  it('leaves half to other tenants, unless one request needs more', async () => {
    const { order, ask, free, round } = opened(150, 40);
    await ask('a1', 40, 'a');
    void ask('a2', 40, 'a');
    void ask('b1', 50, 'b');
    await round.next();
    expect(order).toEqual(['a1', 'b1']);
    await free('a1');
    expect(order).toEqual(['a1', 'b1', 'a2']);
    await free('a2');
    await free('b1');
    await ask('whole', 100, 'a');
    expect(order.at(-1)).toBe('whole');
  });

  it('leaves the line at once when its client leaves', async () => {
    const { admission, order, ask, free } = opened(100);
    await ask('all', 100);
    const gone = new AbortController();
    const refused = ask('gone', 100, undefined, gone.signal).catch((error: unknown) => error);
    void ask('next', 10);
    expect(admission.waiting).toBe(2);
    gone.abort();
    expect(admission.waiting).toBe(1);
    await free('all');
    expect(await refused).toBeInstanceOf(WorkAbortedError);
    expect(order).toEqual(['all', 'next']);
    expect(admission.reserved).toBe(10);
  });

  it('passes a request that died without a word', async () => {
    const never = new Promise<void>(() => {});
    let polls = 0;
    // The first that waits is never called back.
    const { admission } = made(100, () => (polls++ === 0 ? never : new Promise((done) => setImmediate(done))));
    const all = await admission.reserve(100, false);
    void admission.reserve(100, false);
    const other = admission.reserve(10, false);
    all.release();
    await other;
    expect(admission.reserved).toBe(10);
  });

  it('is refused at once where too many wait, and where it can never fit', async () => {
    const { admission, ask } = opened(100);
    await ask('all', 100);
    for (let i = 0; i < 1000; i++) void ask(`waits ${i}`, 10);
    await expect(admission.reserve(10, false)).rejects.toThrow(
      'not enough memory now, try again: 10 bytes, limit 100 (memory_max)',
    );
    const error = await admission.reserve(101, false).catch((reason: unknown) => reason as NotEnoughMemoryError);
    expect(error).toMatchObject({ message: 'not enough memory: 101 bytes, limit 100 (memory_max)' });
    expect((error as NotEnoughMemoryError).retryAfter).toBeUndefined();
  });
});
