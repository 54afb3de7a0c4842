import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineProject } from 'vitest/config';

/**
 * Tests that run in workerd itself, with objects and buckets of its own: what the adapters of Workers are proven by. The
 * plugin brings the workerd that it needs, which is a newer one than that of local development.
 */
const project: ReturnType<typeof defineProject> = defineProject({
  plugins: [
    cloudflareTest({
      main: './inside/worker.ts',
      miniflare: {
        compatibilityDate: '2026-07-30',
        compatibilityFlags: ['nodejs_compat'],
        r2Buckets: ['PACKS'],
        durableObjects: {
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
