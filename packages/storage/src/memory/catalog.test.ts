import { testCatalog } from '../contract/catalog/catalog.ts';
import { memoryCatalogs } from './catalog.ts';

testCatalog('memory', () => ({ catalog: memoryCatalogs(), close: () => {} }));
