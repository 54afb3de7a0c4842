import { defineConfig } from 'vitest/config';

/** File that `.ci/run` reads the numbers from. */
const report = process.env['PACKHOUSE_TEST_REPORT'];

export default defineConfig({
  test: {
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        test: {
          name: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'conformance/**/*.test.ts',
            'fixtures/**/*.test.ts',
            '.ci/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', 'packages/workers/test/inside/**'],
          setupFiles: ['.ci/failing-inputs.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      'packages/workers/test/vitest.inside.config.ts',
    ],
    // Tests start servers and stock git as child processes. More workers than this only make them wait for each other
    // on a small machine, and a timeout there would say nothing about the code.
    maxWorkers: 2,
    teardownTimeout: 20_000,
  },
});
