/** Tags in memory without the rest of storage, for who needs neither repositories nor Git. */
export { memoryTagStores } from './tags/memory.ts';
