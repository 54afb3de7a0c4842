import { leanFlags } from '../lean.ts';
import type { ServePlaces } from './serve-places.ts';

/** Variables that the command reads. */
const variables = ['PACKHOUSE_API_TOKEN', 'INIT_CWD', 'npm_lifecycle_event'];

/**
 * The arguments of `deno` before the program: the permissions that serving needs, and no others. It may listen at one
 * place, read and write the data folder, read the files named on the command line, and read three variables of the
 * environment. Nothing is fetched, run or asked for.
 */
export function denoArguments({ host, port, data, files }: ServePlaces): readonly string[] {
  return [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-remote',
    '--no-lock',
    // Once it runs, Deno no longer heeds them (docs/decisions/0007-process-memory.md).
    `--v8-flags=${leanFlags.join(',')}`,
    `--allow-net=${host.includes(':') ? `[${host}]` : host}:${port}`,
    `--allow-read=${[data, ...files].map(escaped).join(',')}`,
    `--allow-write=${escaped(data)}`,
    `--allow-env=${variables.join(',')}`,
  ];
}

/** In a list of paths a comma is written twice. */
function escaped(path: string): string {
  return path.replaceAll(',', ',,');
}
