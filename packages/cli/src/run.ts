import { CliError, runProgram, type Io, type Program } from '@packhouse/command';
import { version } from '@packhouse/hosting/dialects';
import { StartError } from '@packhouse/server/before-start';
import { commands } from './commands/all.ts';

const program: Program = {
  name: 'packhouse',
  version,
  summary: 'Packhouse hosts Git repositories for programs.',
  commands,
  explain: (error) =>
    error instanceof StartError ? new CliError('start', error.message, error.hint, { cause: error }) : undefined,
};

/** Runs one command line and returns its exit code. Never rejects: errors are printed on standard error. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  return await runProgram(program, args, io);
}
