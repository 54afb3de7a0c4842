import { existsSync } from 'node:fs';
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
  setupFiles: ['.ci/failing-inputs.ts', '.ci/tools-installed.ts'],
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** Suites that `pnpm test` leaves out: `x.long.test.ts` is run by `pnpm test:long`, and so on. */
const beside = ['runtimes', 'browser', 'long'] as const;
const everywhere = '{packages/*/{src,test},conformance,fixtures,.ci}/**';
const suite = (name: (typeof beside)[number]): string => `${everywhere}/*.${name}.test.ts`;
const notTests = ['**/node_modules/**', '**/dist/**', 'packages/workers/test/inside/**'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        test: { ...common, name: 'libraries', include: shared, exclude: beside.map(suite), isolate: false },
      },
      {
        test: {
          ...common,
          name: 'node',
          include: [`${everywhere}/*.test.ts`],
          exclude: [...notTests, ...shared, ...beside.map(suite)],
        },
      },
      ...beside.map((name) => ({ test: { ...common, name, include: [suite(name)], exclude: notTests } })),
      // Its configuration loads a package of tools/.
      ...(existsSync('tools/node_modules') ? ['packages/workers/test/vitest.inside.config.ts'] : []),
    ],
    // Tests start servers and stock git as child processes. More workers than this only make them wait for each other
    // on a small machine, and a timeout there would say nothing about the code.
    maxWorkers: 2,
    teardownTimeout: 20_000,
  },
});
