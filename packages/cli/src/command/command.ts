import type { Io } from '../output/io.ts';

/** One `--name` of a command. */
export interface OptionSpec {
  readonly name: string;
  /** One letter that stands for it: `f` for `-f`. */
  readonly short?: string;
  /** What stands for the value in the help (`FILE`); absent for a switch. */
  readonly value?: string;
  readonly description: string;
  readonly default?: string;
  /** The environment variable that stands in for it. */
  readonly env?: string;
  /** What the value may be. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times; otherwise the last one counts. Default false. */
  readonly repeatable?: boolean;
}

/** One word after the command's own. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  /** What it may be. */
  readonly choices?: readonly string[];
  /** Whether it may be left out; only the last one may. Default false. */
  readonly optional?: boolean;
  /** Whether it takes every word that is left; only the last one may. Default false. */
  readonly repeatable?: boolean;
}

/** A command line that was understood. */
export interface Invocation {
  /** The value of an option: given, else of its environment variable, else its default. */
  readonly text: (option: string) => string | undefined;
  /** Every value of a repeatable option, in order; none if it was not given. */
  readonly texts: (option: string) => readonly string[];
  readonly flag: (option: string) => boolean;
  /** By the name of the argument. */
  readonly argument: (name: string) => string;
  /** The same of one that may be left out. */
  readonly optionalArgument: (name: string) => string | undefined;
  /** Every word of a repeatable argument, in order; none if it was left out. */
  readonly repeatedArgument: (name: string) => readonly string[];
  /** The words of the command line as they were given, the command's own first. */
  readonly words: readonly string[];
}

export interface Command {
  /** The words that call it, such as `repo create`. */
  readonly words: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs for its own help. */
  readonly details?: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Resolves to the exit code. Throws `CliError` for what a user is to be told. */
  readonly run: (invocation: Invocation, io: Io) => Promise<number>;
}

export function commandName(command: Command): string {
  return command.words.join(' ');
}
