import { existsSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { FileOrder } from './.ci/file-order.ts';
import { workerHeap } from './.ci/worker-heap.ts';

/** File that `.ci/run` reads the numbers from. */
const report = process.env['PACKHOUSE_TEST_REPORT'];

/** Suites under `test/` that are as light as tests beside the code. */
const light = [
  'cli/test/commands',
  'msw/test/!(front-end)',
  'problem-details/test/{catalogue,custom,negotiation,render,response}',
  'storage/test',
].map((folder) => `packages/${folder}/**/*.test.ts`);
/**
 * Tests beside the code: their files share a worker, which loads each module once. A file that changes something of the
 * process gives it back; spies are given back by Vitest.
 */
const units = ['{packages/*/src,conformance,fixtures,.ci}/**/*.test.ts', ...light];
/** Their tests measure the process that they run in, so each file has its own. */
const alone = ['packages/bench/src/**/*.test.ts', 'packages/server/test/memory/*.test.ts'];

const common: NonNullable<TestProjectInlineConfiguration['test']> = {
  setupFiles: ['.ci/worker-heap.ts', '.ci/failing-inputs.ts', '.ci/tools-installed.ts'],
  env: workerHeap,
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // The default of one second fails on a busy machine.
  expect: { poll: { timeout: 30_000 } },
};

/** Suites that `pnpm test` leaves out: `x.long.test.ts` is run by `pnpm test:long`, and so on. */
const beside = ['runtimes', 'browser', 'long'] as const;
const suite = (name: (typeof beside)[number]): string => `{packages,conformance,fixtures,.ci}/**/*.${name}.test.ts`;
const notTests = ['**/node_modules/**', '**/dist/**', 'packages/workers/test/inside/**'];
const exclude = [...notTests, ...beside.map(suite)];

export default defineConfig({
  test: {
    sequence: { sequencer: FileOrder },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      { test: { ...common, name: 'units', include: units, exclude: [...exclude, ...alone], isolate: false } },
      {
        test: {
          ...common,
          name: 'node',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...exclude, ...light, ...alone],
          isolate: false,
        },
      },
      { test: { ...common, name: 'alone', include: alone, exclude } },
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
