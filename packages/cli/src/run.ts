import { version } from '@packhouse/hosting/dialects';
import { StartError } from '@packhouse/server/before-start';
import { CliError, exitCodes } from './output/cli-error.ts';
import { commandName } from './command/command.ts';
import { commandHelp, overview } from './command/help.ts';
import { parseCommandLine } from './command/parse.ts';
import { commands } from './commands/all.ts';
import type { Io } from './output/io.ts';
import { screenOf, styleOf } from './output/style.ts';

/** Runs one command line and returns its exit code. Never rejects: errors are printed on standard error. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    const parsed = parseCommandLine(args, commands, io);
    switch (parsed.kind) {
      case 'version':
        io.out(`packhouse ${version}\n`);
        return 0;
      case 'help':
        io.out(helpOn(parsed.words, io));
        return 0;
      case 'run':
        return await parsed.command.run(parsed.invocation, io);
    }
  } catch (error) {
    return tell(error, io);
  }
}

function helpOn(words: readonly string[], io: Io): string {
  const { program } = io;
  const screen = screenOf(io);
  const wanted = words.join(' ');
  const found = commands.filter((command) => commandName(command) === wanted);
  const group = commands.filter((command) => command.words[0] === wanted);
  const [only] = found.length > 0 ? found : group;
  if (words.length > 0 && only === undefined)
    throw new CliError('usage', `There is no command "${wanted}".`, `${program} --help lists them all.`);
  if (only === undefined) return overview(commands, program, screen);
  return found.length > 0 || group.length === 1 ? commandHelp(only, program, screen) : overview(group, program, screen);
}

function tell(error: unknown, io: Io): number {
  const { message, hint, code } = explained(error);
  const style = styleOf(io, io.errIsTerminal);
  io.err(`${style('red', 'error:')} ${message}\n${hint === '' ? '' : `${style('cyan', 'hint:')} ${hint}\n`}`);
  return code;
}

function explained(error: unknown): { message: string; hint: string; code: number } {
  if (error instanceof CliError) return { message: error.message, hint: error.hint, code: exitCodes[error.kind] };
  if (error instanceof StartError) return { message: error.message, hint: error.hint, code: exitCodes.start };
  // The class and message of an unexpected error, for a bug report. A stack trace would only scare users.
  const told = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  return {
    message: `Something unexpected happened (${told}).`,
    hint: 'This is a fault of Packhouse: please report it with this line.',
    code: exitCodes.internal,
  };
}
