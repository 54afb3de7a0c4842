import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWebhooks } from '@packhouse/hosting/contract';
import { nodeStorage } from '../../node-storage.ts';

testWebhooks('data folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'packhouse-webhooks-'));
  const storage = nodeStorage({ dataDir });
  return {
    open: () => storage,
    due: async (now) => (await storage.dueWebhooks(now, 100)).map(({ id }) => id),
    close() {
      storage.close();
      rmSync(dataDir, { recursive: true });
    },
  };
});
