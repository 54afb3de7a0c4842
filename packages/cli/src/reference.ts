import {
  argumentForm,
  argumentText,
  commandName,
  optionForm,
  optionText,
  usage,
  type Command,
} from '@packhouse/command';

/** The command reference as Markdown, `docs/cli.md`. A test compares the file with this. */
export function commandReference(commands: readonly Command[], exitCodes: Readonly<Record<string, number>>): string {
  const meanings: Readonly<Record<string, string>> = {
    internal: 'something unexpected',
    usage: 'the command line is wrong, or a question was not answered with yes',
    refused: 'the service says no: not found, taken, not valid',
    credential: 'no credential, or one that does not suffice',
    unreachable: 'nothing answers at the URL, or something else does',
    start:
      'what `serve`, `doctor` or `maintain` works with is not there or taken: port, data folder, configuration, certificate',
    unsound: '`doctor` found something wrong, or `maintain` could not do its work',
  };
  return [
    '# The `packhouse` command',
    '',
    '<!-- Made by `node packages/cli/scripts/write-reference.ts` from the command table; a test keeps it so. -->',
    '',
    'The package is `@packhouse/cli`: `npx @packhouse/cli ...` runs this command without an installation, once there is a release. In a checkout, `npx -y pnpm@12 packhouse ...` is this command and `npx -y pnpm@12 start [OPTIONS]` is `packhouse serve`.',
    '',
    'Results go to standard output, logs and errors to standard error. An error is one sentence and one that says what to do next.',
    '',
    'On a terminal there is a little colour, and commands that take long show their progress on standard error. `NO_COLOR` or `TERM=dumb` switches colour off; `FORCE_COLOR` decides in place of both, on pipes too. Progress needs a terminal other than `dumb`.',
    '',
    'After a broken connection, or a reply that asks for it, a command tries again where that is safe: three times, each after at most 15 seconds. Where nothing listens it ends at once.',
    '',
    '| exit code | meaning |',
    '|---|---|',
    '| 0 | done |',
    ...Object.entries(exitCodes).map(([kind, code]) => `| ${code} | ${meanings[kind] ?? kind} |`),
    '',
    ...commands.flatMap(section),
  ].join('\n');
}

function section(command: Command): string[] {
  const lines = [
    `## \`${commandName(command)}\``,
    '',
    `${command.summary}.`,
    '',
    '```sh',
    usage(command, 'packhouse'),
    '```',
    '',
  ];
  if (command.details !== undefined) lines.push(command.details, '');
  if (command.arguments.length > 0) {
    lines.push(
      '| argument | |',
      '|---|---|',
      ...command.arguments.map((one) => `| \`${argumentForm(one)}\` | ${cell(argumentText(one))} |`),
      '',
    );
  }
  if (command.options.length > 0) {
    lines.push(
      '| option | |',
      '|---|---|',
      ...command.options.map((option) => `| \`${optionForm(option)}\` | ${cell(optionText(option))} |`),
      '',
    );
  }
  if (command.examples.length > 0)
    lines.push('```sh', ...command.examples.map((example) => `packhouse ${example}`), '```', '');
  return lines;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
