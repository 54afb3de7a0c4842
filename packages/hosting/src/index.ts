export * from './ports/repo-storage.ts';
