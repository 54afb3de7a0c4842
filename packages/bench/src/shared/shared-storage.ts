import { readFileSync } from 'node:fs';
import type { PostgresDriver } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres } from '@packhouse/fixtures/postgres';
import { startFaultyProxy, startS3Server, storeVariables } from '@packhouse/fixtures/s3';
import { startPackhouse } from '../servers/packhouse.ts';
import { processorTimeOf, processorTimeOfFamily } from '../servers/process-memory.ts';
import type { Server } from '../servers/server.ts';
import { startDatabaseProxy, type DatabaseCounts } from './database-proxy.ts';

/** Costs of the requests to one server so far, for its database and bucket. */
export interface StorageCounts extends DatabaseCounts {
  readonly puts: number;
  readonly gets: number;
}

/** A server over a shared storage. */
export interface SharedServer extends Server {
  counts(): StorageCounts;
}

/** One PostgreSQL that syncs each commit, and one bucket. */
export interface SharedStorage {
  /** A connection without a proxy. */
  readonly driver: PostgresDriver;
  /** Starts a server whose database is that many milliseconds away. */
  startServer(name: string, delay?: number): Promise<SharedServer>;
  /** Returns the processor time of PostgreSQL so far, in milliseconds. */
  databaseTime(): number;
  /** Returns the same of the bucket. */
  bucketTime(): number;
  /** Measures what a statement without work takes through a proxy with that delay, in milliseconds. */
  roundTrips(delay: number, count: number): Promise<readonly number[]>;
  /** Ends servers and storage. */
  close(): Promise<void>;
}

/** Starts a storage with an empty database and bucket. */
export const startSharedStorage = async (): Promise<SharedStorage> => {
  const postgres = await startPostgres({
    settings: ['fsync = on', 'full_page_writes = on', 'shared_buffers = 256MB'],
  });
  const store = await startS3Server('s3rver');
  const url = await postgres.createDatabase();
  const driver = openNodePostgres(url, { connectTimeout: 30_000 });
  const [row] = await driver.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const main = parentOf(Number(row?.pid));
  const closers: (() => Promise<void>)[] = [];
  const throughProxy = async (delay: number) => {
    const proxy = await startDatabaseProxy(postgres.port, delay);
    closers.push(() => proxy.close());
    return { proxy, url: url.replace(`:${postgres.port}/`, `:${proxy.port}/`) };
  };
  return {
    driver,
    async startServer(name, delay = 0) {
      const { proxy, url: database } = await throughProxy(delay);
      const bucket = await startFaultyProxy(store.endpoint);
      closers.push(() => bucket.close());
      const server = await startPackhouse(
        'node',
        {},
        {
          name,
          words: ['--database', database, '--packs', `s3://${store.bucket}/bench`],
          env: storeVariables(store, bucket.endpoint),
        },
      );
      closers.unshift(() => server.stop());
      const ofMethod = (method: string): number => bucket.requests.filter((one) => one.method === method).length;
      return { ...server, counts: () => ({ ...proxy.counts(), puts: ofMethod('PUT'), gets: ofMethod('GET') }) };
    },
    databaseTime: () => processorTimeOfFamily(main),
    bucketTime: () => processorTimeOf(store.pid),
    async roundTrips(delay, count) {
      const far = openNodePostgres((await throughProxy(delay)).url, { connectTimeout: 30_000 });
      const times: number[] = [];
      for (let i = 0; i < count; i++) {
        const start = performance.now();
        await far.rows('SELECT 1');
        times.push(performance.now() - start);
      }
      await far.close();
      return times;
    },
    async close() {
      for (const close of closers) await close();
      await driver.close();
      await Promise.all([postgres.close(), store.close()]);
    },
  };
};

/** Returns the parent of a process: that of a connection's process is PostgreSQL's first. */
const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
