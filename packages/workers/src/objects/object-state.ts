import type { DurableObjectSqlStorage } from '@packhouse/base/durable-object';

/** The least of a Durable Object's `ctx.storage` that the objects of this package need. */
export interface ObjectStorage extends DurableObjectSqlStorage {
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
}
