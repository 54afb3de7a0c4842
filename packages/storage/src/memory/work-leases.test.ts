import { testWorkLeases } from '@packhouse/hosting/contract';
import { memoryStorage } from './storage.ts';
import { memoryWorkLeases } from './work-leases.ts';

testWorkLeases(
  'memory',
  async () => {
    let now = 0;
    const storage = memoryStorage();
    const leases = memoryWorkLeases(storage, { now: () => now });
    return {
      open: () => leases,
      storage,
      pass: async (milliseconds) => void (now += milliseconds),
      close: async () => {},
    };
  },
  { runs: 200 },
);
