import type { ArgumentSpec, Command, OptionSpec } from '@packhouse/command';

/** The completions for a value: paths, fixed words, or none. */
export type Values = 'files' | 'folders' | readonly string[];

export function valuesOf({
  choices = [],
  name,
  value = name,
}: OptionSpec | (ArgumentSpec & { value?: never })): Values {
  if (value === 'FILE') return 'files';
  return value === 'DIR' ? 'folders' : choices;
}

/** Groups the commands by their first word, in the order of the table. */
export function commandsByFirstWord(commands: readonly Command[]): ReadonlyMap<string, readonly Command[]> {
  return Map.groupBy(commands, ({ words }) => words[0] as string);
}

export const helpOption: OptionSpec = { name: 'help', short: 'h', description: 'Explain the command' };

/** Returns the summary of a first word that begins several commands. */
export function groupSummary(commands: readonly Command[]): string {
  const [only] = commands;
  return only !== undefined && only.words.length === 1
    ? only.summary
    : commands.map(({ words }) => words[1]).join(', ');
}

/** Quotes a text in single quotes for a POSIX shell. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
