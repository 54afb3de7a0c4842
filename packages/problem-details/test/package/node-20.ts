import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { startServer } from '../runtimes/program.ts';
import type { RunningEntry } from '../runtimes/running-entry.ts';

const program = fileURLToPath(new URL('../../node_modules/node-20/bin/node', import.meta.url));
/** Its version, as the tests have it. */
export const oldestNode: string = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();

const server = fileURLToPath(new URL('../runtimes/serve-entry.ts', import.meta.url));

/**
 * Serves the entry module of a project in the oldest Node that the package promises to run on. It runs no TypeScript, so
 * what the project has written is translated; packages stay as they were installed.
 */
export async function startOnNode20(entry: string): Promise<RunningEntry> {
  const folder = join(dirname(entry), 'on-node-20');
  await build({
    entryPoints: [server, entry],
    entryNames: '[name]',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2024',
    logLevel: 'silent',
  });
  return startServer(program, [join(folder, 'serve-entry.mjs'), join(folder, 'entry.mjs')]);
}
