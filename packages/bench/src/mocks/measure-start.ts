import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { interleave } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';
import { layPublished } from './published-packages.ts';

/** The entries that a process imports in addition to `msw/node`. The first is the baseline. */
export const startContenders: readonly { readonly name: string; readonly entry: string | undefined }[] = [
  { name: 'msw/node', entry: undefined },
  { name: 'errors', entry: '@packhouse/msw/errors' },
  { name: 'tagging', entry: '@packhouse/msw/tagging' },
  { name: 'whole mock', entry: '@packhouse/msw' },
];

/**
 * Measures the time from the start of a process until it has imported a published entry and the other needs of a test
 * with MSW.
 */
export const measureStart = async (rounds: number): Promise<Row> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-mocks-'));
  try {
    await layPublished(folder, '@packhouse/msw');
    const program = join(folder, 'start.mjs');
    await writeFile(program, startProgram);
    // One round more than counted: the first loads the files into memory.
    const samples = await interleave(startContenders, rounds + 1, async ({ entry }) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        program,
        ...(entry === undefined ? [] : [entry]),
      ]);
      return Number(stdout);
    });
    const counted = Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, all.slice(1)]));
    return { name: 'start', title: 'start and import', unit: 'ms', samples: counted, gitStarts: 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The clock of this program begins with its process. */
const startProgram = `
import { setupServer } from 'msw/node';
for (const entry of process.argv.slice(2)) await import(entry);
const milliseconds = performance.now();
setupServer();
process.stdout.write(String(milliseconds));
`;
