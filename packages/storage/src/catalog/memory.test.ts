import { testCatalog } from '../contract/catalog.ts';
import { memoryCatalogs } from './memory.ts';

testCatalog('memory', () => ({ catalog: memoryCatalogs(), close: () => {} }));
