import { describe, expect, it } from 'vitest';
import {
  CliError,
  commandHelp,
  commandName,
  overview,
  parseCommandLine,
  plain,
  styleOf,
  usage,
  type Command,
  type Invocation,
  type Parsed,
} from '@packhouse/command';
import { commands } from './all.ts';

function parse(line: readonly string[], env: Readonly<Record<string, string>> = {}): Parsed {
  return parseCommandLine(line, commands, { env, program: 'packhouse' });
}

function invocation(line: readonly string[], env: Readonly<Record<string, string>> = {}): Invocation {
  const parsed = parse(line, env);
  if (parsed.kind !== 'run') throw new Error(parsed.kind);
  return parsed.invocation;
}

describe('parseCommandLine', () => {
  it('reads options anywhere after the words of the command', () => {
    const read = invocation(['repo', 'create', '--namespace', 'team', 'notes', '--json', '--description=a --b']);
    expect(read.argument('NAME')).toBe('notes');
    expect(read.text('namespace')).toBe('team');
    expect(read.text('description')).toBe('a --b');
    expect(read.flag('json')).toBe(true);
    expect(read.flag('read-only')).toBe(false);
  });

  it('prefers the command line to the environment, and that to the default', () => {
    const url = (line: readonly string[], env: Readonly<Record<string, string>>): unknown =>
      invocation(['repo', 'list', ...line], env).text('url');
    expect(url([], {})).toBe('http://127.0.0.1:8787');
    expect(url([], { PACKHOUSE_URL: 'http://a' })).toBe('http://a');
    expect(url([], { PACKHOUSE_URL: '' })).toBe('http://127.0.0.1:8787');
    expect(url(['--url', 'http://b'], { PACKHOUSE_URL: 'http://a' })).toBe('http://b');
  });

  it('accepts a name that begins with a hyphen after --', () => {
    expect(invocation(['repo', 'get', '--', '--help']).argument('NAME')).toBe('--help');
  });

  it('allows an optional argument to be omitted', () => {
    expect(invocation(['maintain', 'notes']).optionalArgument('REPO')).toBe('notes');
    expect(invocation(['maintain', '--full']).optionalArgument('REPO')).toBeUndefined();
    expect(() => parse(['maintain', 'a', 'b'])).toThrow('"maintain" takes REPO alone, and "b" is one too many.');
  });

  it('gives all remaining words to a repeatable argument, wherever options are', () => {
    const pairs = (...line: readonly string[]): readonly string[] =>
      invocation(['tag', 'set', ...line]).repeatedArgument('KEY=VALUE');
    expect(pairs('worker', 'e77a')).toEqual([]);
    expect(pairs('worker', 'e77a', 'env=prod')).toEqual(['env=prod']);
    expect(pairs('worker', 'e77a', 'env=prod', '--merge', 'a=b=c', '--', '--x=', 'y')).toEqual([
      'env=prod',
      'a=b=c',
      '--x=',
      'y',
    ]);
    expect(invocation(['tag', 'set', 'worker', 'e77a', 'env=prod', 'team=core']).argument('ID')).toBe('e77a');
    expect(() => parse(['tag', 'set', 'worker'])).toThrow('ID is missing: ');
  });

  it('requires at least one word for a repeatable argument that is not optional', () => {
    const [words, options, examples] = [['name'], [], ['name a']];
    const repeats: Command = {
      words,
      options,
      examples,
      summary: 'Names',
      arguments: [{ name: 'NAME', description: 'a name', repeatable: true }],
      run: async () => 0,
    };
    const io = { env: {}, program: 'packhouse' };
    expect(() => parseCommandLine(['name'], [repeats], io)).toThrow('NAME is missing: a name.');
    expect(parseCommandLine(['name', 'a', 'b'], [repeats], io).kind).toBe('run');
    expect(usage(repeats, 'packhouse')).toBe('packhouse name NAME...');
  });

  it('recognises requests for help and for the version', () => {
    expect(parse([])).toEqual({ kind: 'help', words: [] });
    expect(parse(['-h'])).toEqual({ kind: 'help', words: [] });
    expect(parse(['help', 'repo', 'create'])).toEqual({ kind: 'help', words: ['repo', 'create'] });
    expect(parse(['repo', '--help'])).toEqual({ kind: 'help', words: ['repo'] });
    expect(parse(['repo', 'create', 'a', '--help'])).toEqual({ kind: 'help', words: ['repo', 'create'] });
    expect(parse(['--version'])).toEqual({ kind: 'version' });
    expect(parse(['-v'])).toEqual({ kind: 'version' });
    for (const { words } of commands) {
      expect(parse([...words, '-h'])).toEqual({ kind: 'help', words });
      if (words.length > 1) expect(parse([words[0] as string, '-h'])).toEqual({ kind: 'help', words: [words[0]] });
    }
  });

  it.each([
    ['srve', 'There is no command "srve".', 'Did you mean "serve"?'],
    ['repos list', 'There is no command "repos".', 'Did you mean "repo"?'],
    ['repo lst', 'There is no command "repo lst".', 'Did you mean "repo list"?'],
    [
      'repo',
      '"repo" needs a second word.',
      'There are: create, fork, list, get, refs, update, delete, log, ls, cat, diff, archive, import, search, commit, merge, cherry-pick, revert.',
    ],
    ['--json repo list', 'The command is missing before --json.', 'Write the command first'],
    ['serve --prot 1', '"serve" has no option --prot.', 'Did you mean --port?'],
    ['serve -p 1', '"serve" has no option -p.', '--help'],
    ['serve --port', '--port needs a value.', 'Write --port N.'],
    ['serve --data --json', '--data needs a value.', 'Write --data DIR.'],
    ['serve --port=', '--port needs a value.', 'Write --port N.'],
    ['serve --json=yes', '--json takes no value.', 'Write --json alone.'],
    ['serve --dialect klingon', '--dialect cannot be "klingon".', 'It is one of: neutral, cloudflare.'],
    ['repo create', 'NAME is missing: the name of the repo.', '--help explains it.'],
    ['repo create my repo', '"repo create" takes NAME alone, and "repo" is one too many.', 'quote it: "my repo"'],
    ['serve now', '"serve" takes no arguments, and "now" is one too many.', '--help'],
    ['serve -- --port 1', '"serve" takes no arguments, and "--port" is one too many.', 'Leave out the "--" before it.'],
    ['toString', 'There is no command "toString".', '--help'],
  ])('says what is wrong with "%s" and what to do', (line, message, hint) => {
    let error: unknown;
    try {
      parse(line.split(' '));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(CliError);
    expect(error).toMatchObject({ kind: 'usage', message });
    expect((error as CliError).hint).toContain(hint);
  });
});

describe('commandHelp', () => {
  const pipe = { style: plain, columns: undefined };

  it('marks repeatable arguments', () => {
    const help = commandHelp(commands.find(({ words }) => words.join(' ') === 'tag set') as Command, 'packhouse', pipe);
    expect(help).toContain('Usage: packhouse tag set TYPE ID [KEY=VALUE...] [OPTIONS]\n');
    expect(help).toMatch(/\n {2}KEY=VALUE\.\.\. +a tag\n/);
  });

  it.each(commands.map((command) => [commandName(command), command] as const))(
    'explains every option of %s, and its examples parse',
    (_, command) => {
      const help = commandHelp(command, 'packhouse', pipe);
      for (const option of command.options) expect(help).toContain(`--${option.name}`);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) expect(parse(example.split(' '))).toMatchObject({ kind: 'run', command });
    },
  );

  it.each([30, 50, 80, 200])('fits a terminal of %i columns', (columns) => {
    const screen = { style: plain, columns };
    const texts = commands.flatMap((command) => {
      // Usage, code and examples are for pasting, and stay whole.
      const help = commandHelp(command, 'packhouse', screen).split('\nExamples:')[0] as string;
      return help.split('\n').filter((line) => !line.startsWith('Usage:') && !/^ {4}\S/.test(line));
    });
    texts.push(...overview(commands, { summary: 'Hosts.', program: 'packhouse' }, screen).split('\n').slice(4));
    for (const line of texts) {
      const fits = line.length <= Math.min(columns, 100);
      // A single word may be longer than a narrow terminal is wide.
      expect(fits || !/\S .*\S/.test(line.trim()), line).toBe(true);
    }
    const words = (text: string): string[] => text.split(/\s+/);
    for (const command of commands) {
      expect(words(commandHelp(command, 'packhouse', screen))).toEqual(words(commandHelp(command, 'packhouse', pipe)));
    }
  });

  it('styles only its headings', () => {
    const [serve] = commands as [Command];
    const style = styleOf({ env: {} }, true);
    expect(commandHelp(serve, 'packhouse', { style, columns: undefined })).toBe(
      commandHelp(serve, 'packhouse', pipe).replaceAll(/^(?:Usage|Options|Examples):/gm, '\x1b[1m$&\x1b[22m'),
    );
  });
});
