import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './.ci/longest-first.ts';

/** File that `.ci/run` reads the numbers from. */
const report = process.env['PACKHOUSE_TEST_REPORT'];

/**
 * Tests beside the code of packages whose modules keep nothing that another test could meet: their files share a worker,
 * which loads each module once. A file that changes something of the process gives it back; spies are given back by
 * Vitest.
 */
const shared = ['git', 'hosting', 'storage', 'router', 'binding', 'problem-details', 'tag-filter'].map(
  (name) => `packages/${name}/src/**/*.test.ts`,
);

const common: NonNullable<TestProjectInlineConfiguration['test']> = {
  setupFiles: ['.ci/failing-inputs.ts'],
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        test: { ...common, name: 'libraries', include: shared, isolate: false },
      },
      {
        test: {
          ...common,
          name: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'conformance/**/*.test.ts',
            'fixtures/**/*.test.ts',
            '.ci/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', 'packages/workers/test/inside/**', ...shared],
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
