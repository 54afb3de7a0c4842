import type { ArgumentSpec, Command, OptionSpec } from '../command/command.ts';

/** What a shell can offer for a value: paths, some words, or nothing. */
export type Values = 'files' | 'folders' | readonly string[];

export function valuesOf({
  choices = [],
  name,
  value = name,
}: OptionSpec | (ArgumentSpec & { value?: never })): Values {
  if (value === 'FILE') return 'files';
  return value === 'DIR' ? 'folders' : choices;
}

/** The commands by their first word, in the order of the table. */
export function commandsByFirstWord(commands: readonly Command[]): ReadonlyMap<string, readonly Command[]> {
  return Map.groupBy(commands, ({ words }) => words[0] as string);
}

export const helpOption: OptionSpec = { name: 'help', short: 'h', description: 'Explain the command' };

/** What stands for a first word that has others behind it. */
export function groupSummary(commands: readonly Command[]): string {
  const [only] = commands;
  return only !== undefined && only.words.length === 1
    ? only.summary
    : commands.map(({ words }) => words[1]).join(', ');
}

/** In single quotes of a POSIX shell. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
