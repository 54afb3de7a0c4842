import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { startServer } from '../runtimes/program.ts';
import type { RunningEntry } from '../runtimes/running-entry.ts';

const program = fileURLToPath(new URL('../../node_modules/node-20/bin/node', import.meta.url));
/** Version of Node 20 in the tests. */
export const oldestNode: string = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();

const server = fileURLToPath(new URL('../runtimes/serve-entry.ts', import.meta.url));

/**
 * Serves the entry module of a project in the oldest supported Node. That Node cannot run TypeScript, so the project's
 * files are transpiled; packages stay as installed.
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
