import type { TagStores } from '@packhouse/tagging';
import { migrate } from '@packhouse/base';
import { sqlTagStores, tagMigrations } from '@packhouse/tagging/sql';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { account, sampleResource } from './sample-resources.ts';

/** A database file with a tag store. */
export interface TagDatabase {
  readonly file: string;
  readonly stores: TagStores;
  /** Sets the tags of a number of sample resources, many per transaction. */
  fill(resources: number): Promise<void>;
  /** Returns the number that a `PRAGMA` of the connection reports. */
  setting(name: 'synchronous' | 'cache_size'): number;
  close(): void;
}

const resourcesOfTransaction = 20_000;
/**
 * Page cache in KiB while the file is filled. With SQLite's default, each index would be read from disk again and
 * again.
 */
const fillCache = 400_000;

export const openTagDatabase = (file: string): TagDatabase => {
  const driver = openNodeSqlite(file);
  migrate(driver, 'tags', tagMigrations);
  const stores = sqlTagStores(driver);
  const pragma = (setting: string): unknown[] => driver.all(`PRAGMA ${setting}`);
  const setting: TagDatabase['setting'] = (name) => (pragma(name)[0] as Record<typeof name, number>)[name];
  return {
    file,
    stores,
    async fill(resources) {
      const store = stores(account);
      const cacheSize = setting('cache_size');
      // The file need not survive a power cut while it is filled.
      pragma('synchronous = OFF');
      pragma(`cache_size = -${fillCache}`);
      for (let done = 0; done < resources; done += resourcesOfTransaction) {
        const numbers = Array.from({ length: Math.min(resourcesOfTransaction, resources - done) }, (_, i) => done + i);
        // The store works synchronously, so all of its work joins this transaction.
        const outcomes = driver.transaction(() => numbers.map((number) => store.set(changeOf(number))));
        for (const { kind } of await Promise.all(outcomes))
          if (kind !== 'set') throw new Error(`A set ended with ${kind}`);
      }
      pragma(`cache_size = ${cacheSize}`);
      pragma('synchronous = FULL');
      pragma('wal_checkpoint(TRUNCATE)');
    },
    setting,
    close: () => driver.close(),
  };
};

const changeOf = (number: number): Parameters<ReturnType<TagStores>['set']>[0] => ({
  ...sampleResource(number),
  ifMatch: null,
  at: Date.UTC(2026, 0, 1) + number,
  accountMax: Number.MAX_SAFE_INTEGER,
  resourceMax: null,
});
