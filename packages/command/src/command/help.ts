import type { Screen } from '../output/style.ts';
import { commandName, type ArgumentSpec, type Command, type OptionSpec } from './command.ts';
import { columnsOf } from '../output/columns-of.ts';

/** Columns. Longer lines are hard to read, so no terminal gets more, and a pipe gets exactly these. */
const widthMax = 100;

/** The help on everything: all commands with one line each. `summary` is one sentence about the program. */
export function overview(
  commands: readonly Command[],
  { summary, program }: { readonly summary: string; readonly program: string },
  screen: Screen,
): string {
  const { style } = screen;
  const rows = commands.map((command): Row => [commandName(command), command.summary]);
  return [
    summary,
    '',
    `${style('bold', 'Usage:')} ${program} COMMAND [OPTIONS]`,
    '',
    style('bold', 'Commands:'),
    ...columns(rows, screen),
    '',
    ...wrap(`${program} COMMAND --help (-h) explains one; --version (-v) tells the release.`, widthOf(screen)),
    '',
  ].join('\n');
}

/** The help on one command. */
export function commandHelp(command: Command, program: string, screen: Screen): string {
  const { style } = screen;
  const parts = [
    ...wrap(`${command.summary}.`, widthOf(screen)),
    '',
    `${style('bold', 'Usage:')} ${usage(command, program)}`,
  ];
  if (command.details !== undefined) parts.push('', ...wrap(command.details, widthOf(screen)));
  const section = (title: string, rows: readonly Row[]): void => {
    if (rows.length > 0) parts.push('', style('bold', title), ...columns(rows, screen));
  };
  section(
    'Arguments:',
    command.arguments.map((one) => [argumentForm(one), argumentText(one)]),
  );
  section(
    'Options:',
    command.options.map((option) => [optionForm(option), optionText(option)]),
  );
  // Never wrapped, since users paste them.
  if (command.examples.length > 0)
    parts.push('', style('bold', 'Examples:'), ...command.examples.map((example) => `  ${program} ${example}`));
  return [...parts, ''].join('\n');
}

export function usage(command: Command, program: string): string {
  const words = command.arguments.map((one) => (one.optional === true ? `[${argumentForm(one)}]` : argumentForm(one)));
  const options = command.options.length === 0 ? [] : ['[OPTIONS]'];
  return [program, commandName(command), ...words, ...options].join(' ');
}

/** Returns the name of an argument, with dots behind a repeatable one. */
export function argumentForm({ name, repeatable }: ArgumentSpec): string {
  return repeatable === true ? `${name}...` : name;
}

export function optionForm({ name, short, value }: OptionSpec): string {
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return value === undefined ? names : `${names} ${value}`;
}

/** Returns the description of an option with choices, environment variable and default. */
export function optionText(option: OptionSpec): string {
  const notes = [
    ...(option.choices === undefined ? [] : [`one of ${option.choices.join(', ')}`]),
    ...(option.repeatable === true ? ['may be repeated'] : []),
    ...(option.env === undefined ? [] : [`env ${option.env}`]),
    ...(option.default === undefined ? [] : [`default ${option.default}`]),
  ];
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

/** Returns the description of an argument with its choices. */
export function argumentText({ description, choices }: ArgumentSpec): string {
  return choices === undefined ? description : `${description} (one of ${choices.join(', ')})`;
}

type Row = readonly [left: string, right: string];

function widthOf({ columns: width = widthMax }: Screen): number {
  return Math.min(width, widthMax);
}

/** Lays out two columns. The right column goes below the left one where it would be too narrow. */
function columns(rows: readonly Row[], screen: Screen): string[] {
  const left = Math.max(...rows.map(([text]) => text.length)) + 4;
  const right = widthOf(screen) - left;
  return rows.flatMap(([name, text]) => {
    if (right < 24) return [`  ${name}`, ...wrap(text, widthOf(screen) - 6).map((line) => `      ${line}`)];
    return wrap(text, right).map((line, index) => `${(index === 0 ? `  ${name}` : '').padEnd(left)}${line}`);
  });
}

/** Breaks each line of a text between words to take at most `width` columns. Indented lines are code, and stay whole. */
function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    if (paragraph.startsWith('    ')) return [paragraph];
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? '';
      if (line === '') lines[lines.length - 1] = word;
      else if (columnsOf(line) + 1 + columnsOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}
