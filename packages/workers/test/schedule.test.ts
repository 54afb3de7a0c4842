import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { neverThrowing, Schedule, type Step } from '../src/objects/schedule.ts';

type Name = 'sweep' | 'move';

const hour = 3_600_000;

/** A `ctx.storage` that only keeps the alarm. */
class FakeStorage {
  alarm: number | null = null;
  readonly sql = { exec: (): never => expect.unreachable() };
  transactionSync<T>(work: () => T): T {
    return work();
  }
  async getAlarm(): Promise<number | null> {
    return this.alarm;
  }
  async setAlarm(time: number): Promise<void> {
    this.alarm = time;
  }
  async deleteAlarm(): Promise<void> {
    this.alarm = null;
  }
  async deleteAll(): Promise<void> {}
}

describe('Schedule', () => {
  let storage: FakeStorage;
  let driver: ReturnType<typeof openNodeSqlite>;
  let schedule: Schedule<Name>;
  let done: Name[];
  let failures: unknown[];
  const nothing: Step = async () => undefined;
  const steps = (own: Partial<Record<Name, Step>> = {}): Record<Name, Step> => {
    const noted =
      (name: Name, step: Step): Step =>
      async () => {
        done.push(name);
        return step();
      };
    return { sweep: noted('sweep', own.sweep ?? nothing), move: noted('move', own.move ?? nothing) };
  };
  const run = (now: number, own?: Partial<Record<Name, Step>>): Promise<void> =>
    schedule.run(steps(own), now, (error) => failures.push(error));

  beforeEach(async () => {
    storage = new FakeStorage();
    driver = openNodeSqlite(':memory:');
    schedule = new Schedule(storage, driver);
    await schedule.prepare();
    [done, failures] = [[], []];
  });

  it('sets the one alarm to the earliest step, and keeps the earlier of two times', () => {
    schedule.plan('sweep', 5_000);
    schedule.plan('move', 3_000);
    schedule.plan('move', 9_000);
    expect(storage.alarm).toBe(3_000);
  });

  it('does what is due, once, and leaves the rest', async () => {
    schedule.plan('sweep', 5_000);
    schedule.plan('move', 3_000);
    await run(4_000);
    await run(4_000);
    expect(done).toEqual(['move']);
    expect(storage.alarm).toBe(5_000);
  });

  it('does a step again when that says so', async () => {
    schedule.plan('sweep', 1);
    await run(10, { sweep: async () => 500 });
    expect(storage.alarm).toBe(500);
  });

  it('keeps a step that is planned while it is done', async () => {
    schedule.plan('sweep', 1);
    await run(10, {
      async sweep() {
        schedule.plan('sweep', 11);
        return undefined;
      },
    });
    expect(storage.alarm).toBe(11);
    await run(11);
    expect(done).toEqual(['sweep', 'sweep']);
  });

  it('reports a failure, goes on with the others, and tries again ever later, up to an hour', async () => {
    const fail: Step = async () => {
      throw new Error('not now');
    };
    schedule.plan('sweep', 1);
    schedule.plan('move', 2);
    await run(10, { sweep: fail });
    expect(done).toEqual(['sweep', 'move']);
    expect(failures).toEqual([new Error('not now')]);
    const delays: number[] = [];
    for (let now = Number(storage.alarm), i = 0; i < 9; i++, now = Number(storage.alarm)) {
      await run(now, { sweep: fail });
      delays.push(Number(storage.alarm) - now);
    }
    expect(delays.slice(0, 3)).toEqual([60_000, 120_000, 240_000]);
    expect(delays.at(-1)).toBe(hour);
    await run(Number(storage.alarm));
    expect(done.at(-1)).toBe('sweep');
    expect(driver.all('SELECT * FROM due')).toEqual([]);
  });

  it('leaves no alarm behind when nothing is left to do', async () => {
    schedule.plan('sweep', 1);
    await run(10);
    expect(storage.alarm).toBeNull();
  });

  it('does a step again that was cut when the object died, and sets the alarm that was lost', async () => {
    schedule.plan('sweep', 1);
    let cut: () => void = () => undefined;
    const never = new Promise<undefined>((resolve) => (cut = () => resolve(undefined)));
    const running = run(10, { sweep: () => never });
    expect(storage.alarm).toBeGreaterThan(10);

    storage.alarm = null;
    const next = new Schedule<Name>(storage, driver);
    await next.prepare();
    expect(storage.alarm).not.toBeNull();
    await next.run(steps(), Number(storage.alarm), () => undefined);
    expect(done).toEqual(['sweep', 'sweep']);
    cut();
    await running;
  });
});

describe('an alarm', () => {
  it('never throws: what fails altogether is logged, and another alarm set', async () => {
    const storage = new FakeStorage();
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await neverThrowing(storage, async () => {
        throw new Error('no such table');
      });
      expect(String(log.mock.calls[0]?.[0])).toContain('no such table');
    } finally {
      log.mockRestore();
    }
    expect(storage.alarm).toBeGreaterThan(Date.now());
  });
});
