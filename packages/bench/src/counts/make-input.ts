import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallHistory } from '../generate/history.ts';
import { writeGeneratedRepository } from '../generate/repository.ts';
import { makeSmallPushes } from '../measures/small-pushes.ts';
import { fetchOfNewest, openSource, tipOfHead } from '../measures/source.ts';
import { inputFile, type CountsInput } from './workloads.ts';

/** Makes a new input of the workloads with the Git of this machine. The baseline must follow. */
export async function makeInput(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-counts-input-'));
  try {
    const origin = join(folder, 'origin.git');
    await writeGeneratedRepository({ ...smallHistory, largeFiles: 0 }, origin);
    const source = await openSource(origin, folder, 'source');
    const pack = async (file: string): Promise<string> => (await readFile(file)).toString('base64');
    const next = await makeSmallPushes(source, 40, 'pushed');
    const input: CountsInput = {
      first: { changes: source.changes, pack: await pack(source.packFile) },
      next: await Promise.all(next.map(async ({ change, packFile }) => ({ change, pack: await pack(packFile) }))),
      tip: await tipOfHead(source),
      newest: { 1: await fetchOfNewest(source, 1), 20: await fetchOfNewest(source, 20) },
    };
    await writeFile(inputFile, `${JSON.stringify(input, null, 1)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
