import { readFileSync } from 'node:fs';

export const readme: string = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** A command of a `console` block, and its output. */
export interface Command {
  readonly command: string;
  readonly output: string;
}

/** The blocks of a Markdown text that are marked as run by `readme.test.ts`. */
export interface ReadmeBlocks {
  /** Contents of files by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Commands for files that serve, by file name. */
  readonly commands: ReadonlyMap<string, readonly Command[]>;
  /** Log of files after one request, by file name. */
  readonly logs: ReadonlyMap<string, string>;
  /** First lines of blocks with no mark or an unknown one. */
  readonly unmarked: readonly string[];
}

/** Matches a fenced block with the comment before it, if any. */
const fenced =
  /(?:<!-- executed by test\/package\/readme\.runtimes\.test\.ts: ([^>]*) -->\s*)?^```(\w*)\n([^]*?)^```$/gm;

export function readBlocks(markdown: string): ReadmeBlocks {
  const files = new Map<string, string>();
  const commands = new Map<string, readonly Command[]>();
  const logs = new Map<string, string>();
  const unmarked: string[] = [];
  for (const [, mark = '', language, text = ''] of markdown.matchAll(fenced)) {
    const [, role = '', names = ''] = /^(against |log of |)([\w., -]+)$/.exec(mark) ?? [];
    if (names === '') unmarked.push(text.split('\n', 1)[0] ?? '');
    for (const name of names === '' ? [] : names.split(', ')) {
      if (role === '' && language === 'ts') files.set(name, text);
      else if (role === 'against ' && language === 'console') commands.set(name, readCommands(text));
      else if (role === 'log of ') logs.set(name, text);
      else unmarked.push(mark);
    }
  }
  return { files, commands, logs, unmarked };
}

function readCommands(text: string): readonly Command[] {
  return text
    .split(/^\$ /m)
    .filter((part) => part !== '')
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), output: part.slice(end + 1) };
    });
}

/** Replaces ray ids and times, which vary, by numbers in order of appearance. */
export function withoutChance(text: string): string {
  const known = new Map<string, string>();
  return text.trimEnd().replaceAll(/\b[0-9a-f]{16}\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (found) => {
    const name = known.get(found) ?? `<${found.endsWith('Z') ? 'time' : 'ray id'} ${known.size + 1}>`;
    known.set(found, name);
    return name;
  });
}
