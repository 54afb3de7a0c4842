import { optionText, type Command, type OptionSpec } from '@packhouse/command';
import { commandsByFirstWord, groupSummary, helpOption, valuesOf, type Values } from './values.ts';

/** Returns the completion script for fish 3. */
export function fishCompletion(commands: readonly Command[]): string {
  const groups = [...commandsByFirstWord(commands)];
  const lines = [
    ...groups.map(([first, members]) => word('', first, groupSummary(members))),
    word('', 'help', helpOption.description),
    `complete -c packhouse -n '__packhouse_at' -s v -l version -d 'Print the release'`,
    optionLine('', helpOption),
    ...commands.flatMap((command) => [
      ...(command.words.length === 1
        ? []
        : [word(command.words[0] as string, command.words[1] as string, command.summary)]),
      ...commandLines(command),
    ]),
  ];
  return `# Completion of packhouse for fish. Made by "packhouse completion fish".
# Whether the words before the cursor are exactly these.
function __packhouse_at
    set -l words (commandline -opc)[2..-1]
    test "$words" = "$argv"
end
# Whether the words before the cursor begin with these.
function __packhouse_in
    set -l words (commandline -opc)[2..-1]
    set -l length (count $argv)
    test (count $words) -ge $length; and test "$words[1..$length]" = "$argv"
end
complete -c packhouse -f
${lines.join('\n')}
`;
}

function word(before: string, name: string, summary: string): string {
  return `complete -c packhouse -n ${quoted(`__packhouse_at ${before}`.trim())} -a ${name} -d ${quoted(summary)}`;
}

function commandLines(command: Command): readonly string[] {
  const name = command.words.join(' ');
  const offered = command.arguments.map(valuesOf).find((values) => values.length > 0) ?? [];
  return [
    ...[...command.options, helpOption].map((option) => optionLine(name, option)),
    ...(offered.length === 0 ? [] : [`complete -c packhouse -n ${quoted(`__packhouse_in ${name}`)} ${offer(offered)}`]),
  ];
}

function optionLine(command: string, option: OptionSpec): string {
  const { name, short, value } = option;
  const condition = command === '' ? '__packhouse_at' : `__packhouse_in ${command}`;
  return [
    `complete -c packhouse -n ${quoted(condition)}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    `-l ${name}`,
    ...(value === undefined ? [] : ['-r', offer(valuesOf(option))]),
    `-d ${quoted(optionText(option))}`,
  ].join(' ');
}

function offer(values: Values): string {
  if (values === 'files') return '-F';
  if (values === 'folders') return `-f -a '(__fish_complete_directories)'`;
  return values.length === 0 ? '-f' : `-f -a ${quoted(values.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
