import { migrate, type Migration, type SqlDriver } from '@packhouse/base';
import type { DurableObjectSqlStorage } from '@packhouse/base/durable-object';
import { logFailure } from '../request/log.ts';

/** The least of a Durable Object's `ctx.storage` that the objects of this package need. */
export interface ObjectStorage extends DurableObjectSqlStorage {
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
}

const migrations: readonly Migration[] = [
  {
    name: 'steps by time',
    statements: [
      'CREATE TABLE due (step TEXT PRIMARY KEY, at INTEGER NOT NULL, tries INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    ],
  },
];

/** Milliseconds after which a step that was begun and never ended is begun again: longer than an alarm may run. */
const lease = 1_200_000;

/** Milliseconds before a failed step is tried again; doubled with each failure up to an hour. */
const firstDelay = 30_000;
const delayMax = 3_600_000;

/** What a step does. Answers when it is due again (milliseconds since 1970), if at all. Doing it twice does no harm. */
export type Step = () => Promise<number | undefined>;

/**
 * What an object has to do later, in rows, and its one alarm, which is set to the earliest. A step that was planned is
 * done at least once, however often the object dies.
 */
export class Schedule<Name extends string> {
  readonly #storage: ObjectStorage;
  readonly #driver: SqlDriver;

  constructor(storage: ObjectStorage, driver: SqlDriver) {
    this.#storage = storage;
    this.#driver = driver;
  }

  /** Makes the tables. Sets the alarm if there should be one and is none: the platform gives up after some failures. */
  async prepare(): Promise<void> {
    migrate(this.#driver, 'schedule', migrations);
    if (this.#earliest() !== undefined && (await this.#storage.getAlarm()) === null) this.#arm();
  }

  /** Has a step done at `at` (milliseconds since 1970), or before if it is planned for an earlier time. */
  plan(step: Name, at: number): void {
    const before = this.#earliest();
    this.#driver.run(
      `INSERT INTO due (step, at, tries) VALUES (?, ?, 0)
       ON CONFLICT (step) DO UPDATE SET at = excluded.at WHERE excluded.at < due.at`,
      step,
      at,
    );
    if (before === undefined || at < before) this.#arm();
  }

  /** The same, unless it is planned, or done just now, already. */
  planFirst(step: Name, at: number): void {
    if (this.#driver.all('SELECT 1 FROM due WHERE step = ?', step).length === 0) this.plan(step, at);
  }

  /**
   * Does the steps that are due at `now`, one after the other. Never rejects: a failure is reported, and the step done
   * again later. Sets the alarm for what is left.
   */
  async run(steps: Readonly<Record<Name, Step>>, now: number, report: (error: unknown) => void): Promise<void> {
    const due = this.#driver.all<{ step: Name; tries: number }>(
      'SELECT step, tries FROM due WHERE at <= ? ORDER BY at',
      now,
    );
    // Beforehand, so that whoever plans a step while it is done finds it in the future and moves it.
    for (const { step } of due) this.#driver.run('UPDATE due SET at = ? WHERE step = ?', now + lease, step);
    this.#arm();
    for (const { step, tries } of due) {
      try {
        this.#ended(step, now + lease, await steps[step]());
      } catch (error) {
        report(error);
        const next = now + Math.min(firstDelay * 2 ** tries, delayMax);
        this.#driver.run(
          'UPDATE due SET at = CASE WHEN at = ?1 THEN ?2 ELSE min(at, ?2) END, tries = tries + 1 WHERE step = ?3',
          now + lease,
          next,
          step,
        );
      }
    }
    this.#arm();
  }

  #ended(step: Name, leased: number, next: number | undefined): void {
    // One that was planned again meanwhile keeps that time.
    this.#driver.run('DELETE FROM due WHERE step = ? AND at = ?', step, leased);
    if (next !== undefined) this.plan(step, next);
  }

  #earliest(): number | undefined {
    return this.#driver.all<{ at: number | null }>('SELECT min(at) AS at FROM due')[0]?.at ?? undefined;
  }

  #arm(): void {
    const at = this.#earliest();
    // The object's answers wait for it; a failure resets the object.
    void (at === undefined ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at));
  }
}

/** Milliseconds until an alarm that failed altogether is tried again. */
const alarmDelay = 60_000;

/**
 * Runs the work of an alarm. One that throws is repeated by the platform a few times, at its own pace, and then
 * forgotten; so it never does, and sets another one.
 */
export async function neverThrowing(storage: ObjectStorage, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(error);
    await storage.setAlarm(Date.now() + alarmDelay).catch(logFailure);
  }
}
