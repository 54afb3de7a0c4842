import { testWebhooks } from '@packhouse/hosting/contract';
import { memoryStorage } from './storage.ts';

testWebhooks('memory', () => {
  const storage = memoryStorage();
  return {
    open: () => storage,
    due: async (now) => (await storage.dueWebhooks(now, 100)).map(({ id }) => id),
    close: () => {},
  };
});
