import type { Io } from '../output/io.ts';

/** One `--name` of a command. */
export interface OptionSpec {
  readonly name: string;
  /** The one-letter form: `f` for `-f`. */
  readonly short?: string;
  /** The placeholder of the value in the help (`FILE`); absent for a switch. */
  readonly value?: string;
  readonly description: string;
  readonly default?: string;
  /** The environment variable that supplies the value if the option is absent. */
  readonly env?: string;
  /** The allowed values. Default: any value. */
  readonly choices?: readonly string[];
  /** True if the option may be repeated; otherwise the last value counts. Default: false. */
  readonly repeatable?: boolean;
  /** True if the value may be an empty text. Default: false. */
  readonly mayBeEmpty?: boolean;
}

/** One word after the words of the command. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  /** The allowed values. Default: any value. */
  readonly choices?: readonly string[];
  /** True if the argument may be omitted. Only the last one may be. Default: false. */
  readonly optional?: boolean;
  /** True if the argument takes all remaining words. Only the last one may. Default: false. */
  readonly repeatable?: boolean;
}

/** A parsed command line. */
export interface Invocation {
  /** Returns the value of an option: from the command line, else from its environment variable, else its default. */
  readonly text: (option: string) => string | undefined;
  /** Returns all values of a repeatable option, in order; empty if it was not given. */
  readonly texts: (option: string) => readonly string[];
  readonly flag: (option: string) => boolean;
  /** Returns the value of an argument by its name. */
  readonly argument: (name: string) => string;
  /** Returns the value of an argument that may be omitted. */
  readonly optionalArgument: (name: string) => string | undefined;
  /** Returns all words of a repeatable argument, in order; empty if it was omitted. */
  readonly repeatedArgument: (name: string) => readonly string[];
  /** All words of the command line, unchanged, with those of the command first. */
  readonly words: readonly string[];
}

export interface Command {
  /** The words that call the command, such as `repo create`. */
  readonly words: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs for the help on this command. */
  readonly details?: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /**
   * Resolves to the exit code.
   *
   * @throws {CliError} for an error that the user should see.
   */
  readonly run: (invocation: Invocation, io: Io) => Promise<number>;
}

export function commandName(command: Command): string {
  return command.words.join(' ');
}
