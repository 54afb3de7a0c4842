import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { SqlDriver } from '@packhouse/base';
import type { DatabaseObject } from './worker.ts';

export type Database = DurableObjectStub<DatabaseObject>;

/** A new object, whose database holds the empty tables. */
export function newDatabase(): Database {
  return env.DATABASE.get(env.DATABASE.newUniqueId());
}

/** Runs `work` inside of the object. */
export async function within<T>(database: Database, work: (driver: SqlDriver) => T | Promise<T>): Promise<T> {
  return runInDurableObject(database, (object: DatabaseObject) => work(object.driver));
}

/** Makes a port of asynchronous methods. Each call visits the object once, with a new adapter. */
export function inside<Port extends object>(database: Database, make: (driver: SqlDriver) => Port): Port {
  return new Proxy({} as Port, {
    get:
      (_, name) =>
      async (...given: unknown[]) =>
        within(database, (driver) => {
          const port = make(driver);
          const method: unknown = Reflect.get(port, name);
          if (typeof method !== 'function') throw new TypeError(`There is no method ${String(name)}`);
          return method.apply(port, given) as unknown;
        }),
  });
}
