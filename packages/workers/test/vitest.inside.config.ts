import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineProject } from 'vitest/config';

/**
 * Tests of the adapters for Workers that run inside workerd, with its own objects and buckets. The plugin installs the
 * workerd that it needs, which is newer than the one of local development.
 */
const project: ReturnType<typeof defineProject> = defineProject({
  plugins: [
    cloudflareTest({
      main: './inside/worker.ts',
      miniflare: {
        compatibilityDate: '2026-07-30',
        compatibilityFlags: ['nodejs_compat'],
        r2Buckets: ['PACKS'],
        bindings: { CONFIG: { public_url: 'https://git.example.test', accounts: 'any' }, API_TOKEN: 'a'.repeat(32) },
        durableObjects: {
          REPOS: { className: 'RepoObject', useSQLite: true },
          CATALOGS: { className: 'CatalogObject', useSQLite: true },
          DATABASE: { className: 'DatabaseObject', useSQLite: true },
        },
      },
    }),
  ],
  test: {
    name: 'workerd',
    include: ['inside/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

export default project;
