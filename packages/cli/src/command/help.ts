import { commandName, type ArgumentSpec, type Command, type OptionSpec } from './command.ts';

/** The help on everything: all commands with one line each. */
export function overview(commands: readonly Command[], program: string): string {
  const lines = commands.map((command): [string, string] => [commandName(command), command.summary]);
  return [
    'Packhouse hosts Git repositories for programs.',
    '',
    `Usage: ${program} COMMAND [OPTIONS]`,
    '',
    'Commands:',
    ...columns(lines),
    '',
    `${program} COMMAND --help explains one; --version tells the release.`,
    '',
  ].join('\n');
}

/** The help on one command. */
export function commandHelp(command: Command, program: string): string {
  const parts = [`${command.summary}.`, '', `Usage: ${usage(command, program)}`];
  if (command.details !== undefined) parts.push('', command.details);
  if (command.arguments.length > 0) {
    parts.push(
      '',
      'Arguments:',
      ...columns(command.arguments.map((one): [string, string] => [argumentForm(one), one.description])),
    );
  }
  parts.push(
    '',
    'Options:',
    ...columns(command.options.map((option): [string, string] => [optionForm(option), optionText(option)])),
  );
  if (command.examples.length > 0)
    parts.push('', 'Examples:', ...command.examples.map((example) => `  ${program} ${example}`));
  return [...parts, ''].join('\n');
}

export function usage(command: Command, program: string): string {
  const words = command.arguments.map((one) => (one.optional === true ? `[${argumentForm(one)}]` : argumentForm(one)));
  return [program, commandName(command), ...words, '[OPTIONS]'].join(' ');
}

/** Its name, with dots behind one that may be repeated. */
export function argumentForm({ name, repeatable }: ArgumentSpec): string {
  return repeatable === true ? `${name}...` : name;
}

export function optionForm({ name, short, value }: OptionSpec): string {
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return value === undefined ? names : `${names} ${value}`;
}

/** The description with choices, environment variable and default. */
export function optionText(option: OptionSpec): string {
  const notes = [
    ...(option.choices === undefined ? [] : [`one of ${option.choices.join(', ')}`]),
    ...(option.repeatable === true ? ['may be repeated'] : []),
    ...(option.env === undefined ? [] : [`env ${option.env}`]),
    ...(option.default === undefined ? [] : [`default ${option.default}`]),
  ];
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
