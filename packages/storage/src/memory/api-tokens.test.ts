import { testApiTokens } from '@packhouse/hosting/contract';
import { memoryApiTokens } from './api-tokens.ts';

testApiTokens('memory', () => ({ apiTokens: memoryApiTokens(), close: () => {} }), { runs: 100 });
