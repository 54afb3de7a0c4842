import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { runGit } from '../internal/run-git.ts';

/** The machine of a run. */
export interface Machine {
  readonly processors: number;
  readonly model: string;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly node: string;
  readonly git: string;
}

/** Describes this machine. */
export const thisMachine = async (): Promise<Machine> => ({
  processors: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryBytes: totalmem(),
  platform: process.platform,
  node: process.version,
  git: await runGit(['--version']),
});

/** Writes the numbers of a run as JSON. Without a name, the file has the time in its name. Resolves to the name. */
export const writeResult = async (
  file: string | undefined,
  started: Date,
  machine: Machine,
  result: object,
): Promise<string> => {
  const time = started.toISOString();
  const out = file ?? join('bench-results', `${time.replaceAll(/[:.]/g, '-')}.json`);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, `${JSON.stringify({ started: time, machine, ...result }, null, 2)}\n`);
  return out;
};
