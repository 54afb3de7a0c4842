import { CliError, runProgram, type Io, type Program } from '@packhouse/command';
import { version } from '@packhouse/hosting/dialects';
import { StartError } from '@packhouse/server/before-start';
import { commands } from './commands/all.ts';

const program: Program = {
  name: 'packhouse',
  version,
  summary: 'Packhouse hosts Git repositories for programs.',
  commands,
  explain(error) {
    if (error instanceof StartError) return new CliError('start', error.message, error.hint, { cause: error });
    if (!(error instanceof Error && error.name === 'NotCapable')) return undefined;
    const hint = 'See "Runtimes" in docs/operating.md, or let "serve --runtime deno" give the permissions.';
    return new CliError('start', `Deno lacks a permission: ${error.message}.`, hint, { cause: error });
  },
};

/** Runs one command line and returns its exit code. Never rejects: errors are printed on standard error. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  return await runProgram(program, args, io);
}
