import { parseArgs } from 'node:util';
import { nearest } from './nearest.ts';
import { CliError } from '../output/cli-error.ts';
import type { Io } from '../output/io.ts';
import { commandName, type Command, type Invocation } from './command.ts';

/** The result of parsing: a command, help, or the version. */
export type Parsed =
  | { readonly kind: 'run'; readonly command: Command; readonly invocation: Invocation }
  /** Help on a command, on a group of commands (its words), or on everything (no words). */
  | { readonly kind: 'help'; readonly words: readonly string[] }
  | { readonly kind: 'version' };

/**
 * Finds the command and reads its options, which may appear anywhere after its words.
 *
 * @throws {CliError} kind `usage`.
 */
export function parseCommandLine(
  args: readonly string[],
  commands: readonly Command[],
  io: Pick<Io, 'env' | 'program'>,
): Parsed {
  const [first] = args;
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help', words: [] };
  if (first === '--version' || first === '-v') return { kind: 'version' };
  if (first === 'help') return { kind: 'help', words: args.slice(1).filter((word) => !word.startsWith('-')) };
  if (first.startsWith('-')) {
    throw new CliError(
      'usage',
      `The command is missing before ${first}.`,
      `Write the command first: ${io.program} ${commands[0] === undefined ? '' : commandName(commands[0])}, or ${io.program} --help for all of them.`,
    );
  }
  const command = commands.find(({ words }) => words.every((word, index) => args[index] === word));
  if (command === undefined) return groupOrNothing(args, commands, io);
  const rest = args.slice(command.words.length);
  const end = rest.indexOf('--');
  const beforeEnd = end === -1 ? rest : rest.slice(0, end);
  if (beforeEnd.includes('--help') || beforeEnd.includes('-h')) return { kind: 'help', words: command.words };
  return { kind: 'run', command, invocation: readOptions(command, rest, io) };
}

function groupOrNothing(args: readonly string[], commands: readonly Command[], io: Pick<Io, 'program'>): Parsed {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const group = commands.filter((command) => command.words.length > 1 && command.words[0] === words[0]);
  if (group.length > 0) {
    if (args.some((arg) => arg === '--help' || arg === '-h')) return { kind: 'help', words: words.slice(0, 1) };
    const verbs = group.map((command) => command.words[1] as string);
    const verb = words[1];
    const close = verb === undefined ? undefined : nearest(verb, verbs);
    const message =
      verb === undefined ? `"${words[0]}" needs a second word.` : `There is no command "${words[0]} ${verb}".`;
    throw new CliError(
      'usage',
      message,
      `${close === undefined ? '' : `Did you mean "${words[0]} ${close}"? `}There are: ${verbs.join(', ')}.`,
    );
  }
  const firsts = [...new Set(commands.map((command) => command.words[0] as string))];
  const close = nearest(words[0] ?? '', firsts);
  throw new CliError(
    'usage',
    `There is no command "${words[0]}".`,
    `${close === undefined ? '' : `Did you mean "${close}"? `}${io.program} --help lists them all.`,
  );
}

function readOptions(command: Command, args: readonly string[], io: Pick<Io, 'env' | 'program'>): Invocation {
  const name = commandName(command);
  const help = `${io.program} ${name} --help explains it.`;
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      command.options.map((option) => [
        option.name,
        {
          type: option.value === undefined ? ('boolean' as const) : ('string' as const),
          ...(option.short === undefined ? {} : { short: option.short }),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string | true>();
  const repeated = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const option = command.options.find((candidate) => candidate.name === token.name);
    const isWhole = token.rawName === `--${token.name}` || token.rawName === `-${option?.short}`;
    if (option === undefined || !isWhole) {
      const close = nearest(
        token.name,
        command.options.map((candidate) => candidate.name),
      );
      throw new CliError(
        'usage',
        `"${name}" has no option ${token.rawName}.`,
        close === undefined ? help : `Did you mean --${close}? ${help}`,
      );
    }
    if (option.value === undefined) {
      if (token.value !== undefined)
        throw new CliError('usage', `--${option.name} takes no value.`, `Write --${option.name} alone.`);
      given.set(option.name, true);
      continue;
    }
    if (
      token.value === undefined ||
      (token.value === '' && option.mayBeEmpty !== true) ||
      (token.inlineValue !== true && token.value.startsWith('--'))
    ) {
      throw new CliError('usage', `--${option.name} needs a value.`, `Write --${option.name} ${option.value}.`);
    }
    given.set(option.name, token.value);
    if (option.repeatable === true) repeated.set(option.name, [...(repeated.get(option.name) ?? []), token.value]);
  }
  checkArguments(command, words, help);

  const text = (wanted: string): string | undefined => {
    const option = command.options.find((candidate) => candidate.name === wanted);
    const value = given.get(wanted);
    if (typeof value === 'string') return value;
    const fromEnv = option?.env === undefined ? undefined : io.env[option.env];
    return fromEnv === undefined || fromEnv === '' ? option?.default : fromEnv;
  };
  for (const { name: option, choices } of command.options) {
    const value = text(option);
    if (choices !== undefined && value !== undefined && !choices.includes(value)) {
      throw new CliError('usage', `--${option} cannot be "${value}".`, `It is one of: ${choices.join(', ')}.`);
    }
  }
  const place = (wanted: string): number => command.arguments.findIndex((candidate) => candidate.name === wanted);
  const argument = (wanted: string): string | undefined => words[place(wanted)];
  return {
    text,
    texts: (wanted) => repeated.get(wanted) ?? [],
    flag: (wanted) => given.get(wanted) === true,
    words: [...command.words, ...args],
    argument: (wanted) => argument(wanted) as string,
    optionalArgument: argument,
    repeatedArgument: (wanted) => words.slice(place(wanted)),
  };
}

function checkArguments(command: Command, words: readonly string[], help: string): void {
  const missing = command.arguments[words.length];
  if (missing !== undefined && missing.optional !== true)
    throw new CliError('usage', `${missing.name} is missing: ${missing.description}.`, help);
  for (const [index, { name, choices }] of command.arguments.entries()) {
    const word = words[index];
    if (choices !== undefined && word !== undefined && !choices.includes(word))
      throw new CliError('usage', `${name} cannot be "${word}".`, `It is one of: ${choices.join(', ')}.`);
  }
  const last = command.arguments.at(-1);
  if (words.length <= command.arguments.length || last?.repeatable === true) return;
  const extra = words[command.arguments.length] ?? '';
  // The likely mistakes: "--" as for npm, and a name with a space and without quotes.
  const isOption = extra.startsWith('-') && extra !== '-';
  const together = words.slice(command.arguments.length - 1).join(' ');
  const quoted = last === undefined ? '' : `If ${last.name} has a space in it, quote it: "${together}". `;
  const hint = isOption ? 'Leave out the "--" before it. ' : quoted;
  throw new CliError(
    'usage',
    `"${commandName(command)}" takes ${command.arguments.length === 0 ? 'no arguments' : `${command.arguments.map((argument) => argument.name).join(' ')} alone`}, and "${extra}" is one too many.`,
    `${hint}${help}`,
  );
}
