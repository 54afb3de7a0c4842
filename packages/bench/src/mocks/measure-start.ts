import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { interleave } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';
import { layPublished } from './published-packages.ts';

/** What a process imports beside `msw/node`; the first is what the others are compared with. */
export const startContenders: readonly { readonly name: string; readonly entry: string | undefined }[] = [
  { name: 'msw/node', entry: undefined },
  { name: 'errors', entry: '@packhouse/msw/errors' },
  { name: 'tagging', entry: '@packhouse/msw/tagging' },
  { name: 'whole mock', entry: '@packhouse/msw' },
];

/** From the start of a process until it has imported an entry as it is published, and what else a test with MSW needs. */
export const measureStart = async (rounds: number): Promise<Row> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-mocks-'));
  try {
    await layPublished(folder, '@packhouse/msw');
    const program = join(folder, 'start.mjs');
    await writeFile(program, startProgram);
    // One round more than is counted: the first brings the files into memory.
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

/** Its clock begins when the process does. */
const startProgram = `
import { setupServer } from 'msw/node';
for (const entry of process.argv.slice(2)) await import(entry);
const milliseconds = performance.now();
setupServer();
process.stdout.write(String(milliseconds));
`;
