import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { extendSchema } from '@packhouse/base/testing';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { testWebhooks } from '@packhouse/hosting/contract';
import { afterAll, beforeAll } from 'vitest';
import { folderPlace } from '../../files/folder-place.ts';
import { databaseStorage } from '../database-storage.ts';

let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-webhooks-'));
  server = await startPostgres();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

testWebhooks('REPO-397: PostgreSQL, two servers in turn', async () => {
  const url = await server.createDatabase();
  const place = folderPlace(mkdtempSync(join(folder, 'packs-')));
  const driver = openNodePostgres(url);
  const servers = [
    await databaseStorage({ driver, place }),
    await databaseStorage({ driver: openNodePostgres(url), place }),
  ] as const;
  await extendSchema(driver);
  let turn = 0;
  return {
    open: () => servers[turn++ % 2 === 0 ? 0 : 1],
    due: async (now) => (await servers[0].dueWebhooks(now, 100)).map(({ id }) => id),
    async close() {
      for (const storage of servers) await storage.close();
    },
  };
});
