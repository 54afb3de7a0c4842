import { testTagStore } from '../contract/tag-store.ts';
import { memoryTagStores } from './memory.ts';

testTagStore('memory', () => ({ stores: memoryTagStores(), close: () => {} }));
