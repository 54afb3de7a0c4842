export { testTagStore } from './contract/tag-store.ts';
export { simpleTagStores } from './contract/simple-tag-stores.ts';
