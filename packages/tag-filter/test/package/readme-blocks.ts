import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Fenced blocks of the README, by the file name in the comment before each. */
export interface ReadmeBlocks {
  readonly files: ReadonlyMap<string, string>;
  /** Expected output by file name. */
  readonly printed: ReadonlyMap<string, string>;
  /** First lines of blocks without such a comment. */
  readonly unmarked: readonly string[];
}

/** Matches a fenced block with the comment before it, if any. */
const fenced =
  /(?:<!-- (executed by test\/package\/readme\.runtimes\.test\.ts:|printed by) ([\w.]+) -->\n+)?^```\w*\n([^]*?)^```$/gm;

export function readBlocks(): ReadmeBlocks {
  const files = new Map<string, string>();
  const printed = new Map<string, string>();
  const unmarked: string[] = [];
  for (const [, role, name = '', text = ''] of readme.matchAll(fenced)) {
    if (role === undefined) unmarked.push(text.split('\n', 1)[0] ?? '');
    else (role === 'printed by' ? printed : files).set(name, text);
  }
  return { files, printed, unmarked };
}
