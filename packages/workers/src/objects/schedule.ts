import { migrate, type Migration, type SqlDriver } from '@packhouse/base';
import type { DurableObjectSqlStorage } from '@packhouse/base/durable-object';
import { logFailure } from '../request/log.ts';

/** The part of a Durable Object's `ctx.storage` that this package uses. */
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

/** Milliseconds until a step that began and did not end is run again. Longer than an alarm may run. */
const lease = 1_200_000;

/** Milliseconds before the retry of a failed step. Doubled with each failure, up to an hour. */
const firstDelay = 30_000;
const delayMax = 3_600_000;

/** Runs a step. Returns the time when it is due again (milliseconds since 1970), if any. Must be safe to run twice. */
export type Step = () => Promise<number | undefined>;

/**
 * The planned steps of an object, stored as rows. The object's one alarm is set to the earliest step. Each planned step
 * runs at least once, even if the object dies.
 */
export class Schedule<Name extends string> {
  readonly #storage: ObjectStorage;
  readonly #driver: SqlDriver;

  constructor(storage: ObjectStorage, driver: SqlDriver) {
    this.#storage = storage;
    this.#driver = driver;
  }

  /**
   * Creates the tables. Sets a missing alarm if a step is planned: the platform gives up an alarm after some failures.
   */
  async prepare(): Promise<void> {
    migrate(this.#driver, 'schedule', migrations);
    if (this.#earliest() !== undefined && (await this.#storage.getAlarm()) === null) this.#arm();
  }

  /** Plans a step for `at` (milliseconds since 1970). An earlier planned time stays. */
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

  /** Plans a step unless it is already planned or running. */
  planFirst(step: Name, at: number): void {
    if (this.#driver.all('SELECT 1 FROM due WHERE step = ?', step).length === 0) this.plan(step, at);
  }

  /**
   * Runs the steps that are due at `now`, one after the other. Never rejects: reports a failure, and plans a retry of
   * the step. Sets the alarm for the remaining steps.
   */
  async run(steps: Readonly<Record<Name, Step>>, now: number, report: (error: unknown) => void): Promise<void> {
    const due = this.#driver.all<{ step: Name; tries: number }>(
      'SELECT step, tries FROM due WHERE at <= ? ORDER BY at',
      now,
    );
    // Lease the steps first, so that a `plan` during a step finds the later lease time and replaces it.
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
    // A step that was planned again meanwhile keeps its new time.
    this.#driver.run('DELETE FROM due WHERE step = ? AND at = ?', step, leased);
    if (next !== undefined) this.plan(step, next);
  }

  #earliest(): number | undefined {
    return this.#driver.all<{ at: number | null }>('SELECT min(at) AS at FROM due')[0]?.at ?? undefined;
  }

  #arm(): void {
    const at = this.#earliest();
    // No await: the platform holds the object's replies until the write is done, and resets the object if it fails.
    void (at === undefined ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at));
  }
}

/** Milliseconds until the retry of an alarm whose work threw. */
const alarmDelay = 60_000;

/**
 * Runs the work of an alarm, and sets another alarm if it throws. Never throws itself, because the platform retries a
 * failed alarm only a few times and then drops it.
 */
export async function neverThrowing(storage: ObjectStorage, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(error);
    await storage.setAlarm(Date.now() + alarmDelay).catch(logFailure);
  }
}
