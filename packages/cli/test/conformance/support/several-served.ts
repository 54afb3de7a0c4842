import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@packhouse/fixtures';
import type { PostgresServer } from '@packhouse/fixtures/postgres';
import { storeVariables, type S3Server } from '@packhouse/fixtures/s3';
import { startRoundRobin } from '../../support/round-robin.ts';
import { configurationOf } from './configuration.ts';
import type { StartDeployment } from './deployment.ts';
import { startServe, type ServeProcess } from './serve-process.ts';

/** A database server and a bucket, which deployments share. */
export interface SharedPlaces {
  readonly database: PostgresServer;
  readonly store: S3Server;
}

let deployments = 0;

/**
 * Serves one new database with several processes, behind a proxy that hands each request to the next one.
 *
 * @param places called once for each deployment.
 */
export function severalServed(count: number, places: () => SharedPlaces): StartDeployment {
  return async ({ dialect, tenants, settings, remote }) => {
    const { database, store } = places();
    const folder = await mkdtemp(join(tmpdir(), 'packhouse-several-'));
    const config = join(folder, 'config.json');
    const [proxy, databaseUrl] = await Promise.all([startRoundRobin(), database.createDatabase()]);
    const given = configurationOf(tenants, { public_url: proxy.origin, ...settings });
    await writeFile(config, JSON.stringify(given), { mode: 0o600 });
    const prefix = `deployment-${deployments++}`;
    const environment = {
      ...remote?.environment,
      DATABASE_URL: databaseUrl,
      ...storeVariables(store),
      // All of them need the same.
      PACKHOUSE_API_TOKEN: 'one-token-of-all-servers-that-nobody-uses',
    };
    const start = async (number: number): Promise<ServeProcess> => {
      const port = await freePort();
      const words = ['--config', config, '--dialect', dialect, '--packs', `s3://${store.bucket}/${prefix}`];
      const place = ['--data', join(folder, String(number)), '--port', String(port)];
      const server = await startServe([...words, ...place], environment);
      proxy.ports.push(port);
      return server;
    };
    const starting = Array.from({ length: count }, (_, i) => start(i));
    const stop = async (): Promise<void> => {
      await proxy.close();
      const started = await Promise.allSettled(starting);
      const stopped = await Promise.allSettled(
        started.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)),
      );
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      const failed = stopped.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    };
    try {
      await Promise.all(starting);
    } catch (error) {
      await stop();
      throw error;
    }
    return { origin: proxy.origin, stop };
  };
}
