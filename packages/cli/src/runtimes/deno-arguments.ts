import { CliError } from '@packhouse/command';
import type { ServePlaces } from './serve-places.ts';
import { sharedStorageVariables } from './shared-storage-of.ts';

/** Environment variables that the command reads. */
const variables = ['PACKHOUSE_API_TOKEN', 'INIT_CWD', 'npm_lifecycle_event', 'FORCE_COLOR', 'NO_COLOR', 'TERM'];

/** Those that the client of PostgreSQL reads. */
const postgresVariables = ['PG*', 'NODE_PG_FORCE_NATIVE', 'USER', 'HOME'];

/**
 * Returns the arguments of `deno` before the program: the permissions that serving needs, and no others. The server may
 * use the network, read and write the data folder, and read the files named on the command line. It may also ask for
 * the size of memory (LIM-080) and read a few environment variables. Network access is not limited to hosts, since an
 * import connects to any remote; the service decides which hosts are allowed (REPO-129). Deno fetches no code, runs no
 * program and never prompts.
 *
 * @throws {CliError} if a path has a comma, at which Deno would split it.
 */
export function denoArguments({
  data,
  files,
  shared,
}: Pick<ServePlaces, 'data' | 'files' | 'shared'>): readonly string[] {
  const writable = shared?.folder === undefined ? [data] : [data, shared.folder];
  const read = shared === undefined ? variables : [...variables, ...sharedStorageVariables, ...postgresVariables];
  return [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-remote',
    '--no-lock',
    // Lets the server collect garbage while it is idle (docs/decisions/0007).
    '--v8-flags=--expose-gc',
    '--allow-net',
    `--allow-read=${[...writable, ...files].map(listed).join(',')}`,
    `--allow-write=${writable.map(listed).join(',')}`,
    '--allow-sys=systemMemoryInfo',
    `--allow-env=${read.join(',')}`,
  ];
}

/** Returns a path for a list of paths. Deno documents doubled commas as an escape, but splits there nevertheless. */
function listed(path: string): string {
  if (!path.includes(',')) return path;
  throw new CliError(
    'usage',
    `Deno cannot be allowed the path ${path}, for its comma.`,
    'Use another path, or another runtime.',
  );
}
