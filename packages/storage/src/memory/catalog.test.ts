import { testCatalog } from '@packhouse/hosting/contract';
import { memoryCatalogs } from './catalog.ts';

testCatalog('memory', () => ({ catalog: memoryCatalogs(), close: () => {} }));
