import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { differences } from './compare.ts';
import type { Counts } from './counts.ts';
import { makeInput } from './make-input.ts';
import { baselineFile, countWorkloads } from './workloads.ts';

export const countsUsage: string = `pnpm bench counts [options]

Counts what operations cost in numbers that are the same on every machine (work by kind, bytes of files, statements,
commits, bytes sent), and compares them with counts/baseline.json. Fails if one differs by more than 5 %.

  --write        write the baseline instead; say in the commit why it changes
  --make-input   make a new input of the workloads with this machine's git; needs --write after it
`;

/** Reads the committed counts. */
export const readBaseline = async (): Promise<Readonly<Record<string, Counts>>> =>
  JSON.parse(await readFile(baselineFile, 'utf8')) as Readonly<Record<string, Counts>>;

/** Runs the command. Resolves to the lines to print, and if all is as in the baseline. */
export async function runCounts(args: readonly string[]): Promise<{ readonly text: string; readonly isSame: boolean }> {
  const { values } = parseArgs({
    args: [...args],
    options: { write: { type: 'boolean' }, 'make-input': { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return { text: countsUsage, isSame: true };
  if (values['make-input'] === true) {
    await mkdir(dirname(baselineFile), { recursive: true });
    await makeInput();
    return { text: 'The input is new: run "pnpm bench counts --write".\n', isSame: true };
  }
  const rows = await countWorkloads();
  if (values.write === true) {
    await writeFile(baselineFile, `${JSON.stringify(rows, null, 2)}\n`);
    return { text: `Written to ${baselineFile}\n`, isSame: true };
  }
  const found = differences(rows, await readBaseline());
  const text = found.length === 0 ? 'All counts are those of the baseline.' : found.join('\n');
  return { text: `${text}\n`, isSame: found.length === 0 };
}
