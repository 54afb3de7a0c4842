import { CliError } from '../output/cli-error.ts';
import type { ServePlaces } from './serve-places.ts';

/** Variables that the command reads. */
const variables = ['PACKHOUSE_API_TOKEN', 'INIT_CWD', 'npm_lifecycle_event', 'FORCE_COLOR', 'NO_COLOR', 'TERM'];

/**
 * The arguments of `deno` before the program: the permissions that serving needs, and no others. It may use the network,
 * since an import goes wherever its remote is (which hosts those may be, the service decides: REPO-129), read and write the
 * data folder, read the files named on the command line, ask how much memory there is (LIM-080), and read a few variables
 * of the environment. No code is fetched, nothing is run or asked for.
 *
 * @throws {CliError} if a path has a comma, which Deno takes for the end of it.
 */
export function denoArguments({ data, files }: Pick<ServePlaces, 'data' | 'files'>): readonly string[] {
  return [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-remote',
    '--no-lock',
    // Lets the server collect garbage while it is idle (docs/decisions/0007).
    '--v8-flags=--expose-gc',
    '--allow-net',
    `--allow-read=${[data, ...files].map(listed).join(',')}`,
    `--allow-write=${listed(data)}`,
    '--allow-sys=systemMemoryInfo',
    `--allow-env=${variables.join(',')}`,
  ];
}

/** A path as a list of paths can have it. Deno tells of commas written twice, and then splits there all the same. */
function listed(path: string): string {
  if (!path.includes(',')) return path;
  throw new CliError(
    'usage',
    `Deno cannot be allowed the path ${path}, for its comma.`,
    'Use another path, or another runtime.',
  );
}
