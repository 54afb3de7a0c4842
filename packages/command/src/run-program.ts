import { commandName, type Command } from './command/command.ts';
import { commandHelp, overview } from './command/help.ts';
import { parseCommandLine } from './command/parse.ts';
import { CliError, exitCodes } from './output/cli-error.ts';
import type { Io } from './output/io.ts';
import { screenOf, styleOf } from './output/style.ts';

/** A program: commands under one name. */
export interface Program {
  readonly name: string;
  readonly version: string;
  /** One sentence, at the head of the help. */
  readonly summary: string;
  /** Every command, in the order of the help. */
  readonly commands: readonly Command[];
  /** Returns another error of the program as one for people. Default: every other error is unexpected. */
  readonly explain?: (error: unknown) => CliError | undefined;
}

/** Runs one command line and returns its exit code. Never rejects: errors are printed on standard error. */
export async function runProgram(program: Program, args: readonly string[], io: Io): Promise<number> {
  try {
    const parsed = parseCommandLine(args, program.commands, io);
    switch (parsed.kind) {
      case 'version':
        io.out(`${program.name} ${program.version}\n`);
        return 0;
      case 'help':
        io.out(helpOn(program, parsed.words, io));
        return 0;
      case 'run':
        return await parsed.command.run(parsed.invocation, io);
    }
  } catch (error) {
    return tell(error instanceof CliError ? error : (program.explain?.(error) ?? unexpected(error)), io);
  }
}

function helpOn({ summary, commands }: Program, words: readonly string[], io: Io): string {
  const { program } = io;
  const screen = screenOf(io);
  const wanted = words.join(' ');
  const found = commands.filter((command) => commandName(command) === wanted);
  const group = commands.filter((command) => command.words.length > 1 && command.words[0] === wanted);
  const [only] = found.length > 0 ? found : group;
  if (words.length > 0 && only === undefined)
    throw new CliError('usage', `There is no command "${wanted}".`, `${program} --help lists them all.`);
  const all = { summary, program };
  if (only === undefined) return overview(commands, all, screen);
  return found.length > 0 || group.length === 1 ? commandHelp(only, program, screen) : overview(group, all, screen);
}

function tell({ message, hint, kind }: CliError, io: Io): number {
  const style = styleOf(io, io.errIsTerminal);
  io.err(`${style('red', 'error:')} ${message}\n${hint === '' ? '' : `${style('cyan', 'hint:')} ${hint}\n`}`);
  return exitCodes[kind];
}

function unexpected(error: unknown): CliError {
  // The class and message of an unexpected error, for a bug report. A stack trace would only scare users.
  const told = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  return new CliError(
    'internal',
    `Something unexpected happened (${told}).`,
    'This is a fault of Packhouse: please report it with this line.',
  );
}
