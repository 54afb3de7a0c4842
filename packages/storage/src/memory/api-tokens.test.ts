import { testApiTokens } from '@packhouse/hosting/contract';
import { memoryStorage } from './storage.ts';

testApiTokens('memory', () => ({ ...memoryStorage(), close: () => {} }), { runs: 100 });
