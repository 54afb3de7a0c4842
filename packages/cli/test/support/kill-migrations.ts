import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fc } from '@fast-check/vitest';
import type { MigrateProcessOptions } from './migrate-process.ts';

const program = fileURLToPath(new URL('migrate-process.ts', import.meta.url));

/** Runs a migration in a process. Returns its number of steps; undefined if it was killed. */
function migrateInProcess(options: MigrateProcessOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(Number(out));
      else reject(new Error(`The migration ended with ${code}: ${errors}`));
    });
  });
}

/** Kills a migration at random steps this many times, and then lets it end, unless it ended before a kill. */
export async function killMigrations(
  options: Pick<MigrateProcessOptions, 'data' | 'shared' | 'back'>,
  { kills, steps, seed }: { readonly kills: number; readonly steps: number; readonly seed: number },
): Promise<void> {
  const points = fc.sample(fc.record({ killAt: fc.integer({ min: 2, max: steps }), after: fc.nat(30) }), {
    seed,
    numRuns: kills,
  });
  for (const point of points) {
    await migrateInProcess({ ...options, ...point });
    // A folder that is complete appears at once, and a later copy to it is refused.
    if (options.back && existsSync(options.data)) return;
  }
  await migrateInProcess({ ...options, killAt: 0, after: 0 });
}
