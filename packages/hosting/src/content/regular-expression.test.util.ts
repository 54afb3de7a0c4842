import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '@fast-check/vitest';
import type { LinePattern } from '@packhouse/git';
import { compileExpression } from './regular-expression.ts';

/** Expressions of the syntax that RE2 and PCRE share. */
export const someExpression: fc.Arbitrary<string> = fc.letrec<{ all: string; part: string; atom: string }>((tie) => ({
  all: fc
    .tuple(
      fc.constantFrom('', '', '^', '\\b'),
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '', '$', '\\b', '\\B'),
    )
    .map(([a, parts, b]) => a + parts.join('') + b),
  part: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{2,}'))
    .map(([atom, count]) => atom + count),
  atom: fc.oneof(
    {
      arbitrary: fc.constantFrom(
        'a',
        'b',
        'foo',
        '_',
        '\\.',
        '.',
        '\\d',
        '\\w',
        '\\W',
        '[a-c]',
        '[^a]',
        '[^\\w ]',
        '\\t',
        'ba',
      ),
      weight: 8,
    },
    { arbitrary: fc.tuple(tie('part'), tie('part')).map(([a, b]) => `(?:${a}|${b})`), weight: 1 },
    { arbitrary: fc.tuple(tie('part'), tie('part')).map(([a, b]) => `(${a}${b})`), weight: 1 },
  ),
})).all;

const words = fc.constantFrom('a', 'b', 'ab', 'A', 'foo', 'Foo', '_', '.', ' ', '\t', '7', '\r', '\n', '\n', '\n');
export const someLines: fc.Arbitrary<string> = fc.array(words, { maxLength: 60 }).map((parts) => parts.join(''));

/** Returns line and column of each line of a text that matches. */
function placesOf(pattern: LinePattern, text: string): string[] {
  const bytes = Buffer.from(text);
  const end = text.endsWith('\n') ? bytes.length - 1 : bytes.length;
  const places: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const match = pattern.find(bytes, at, end);
    if (match === undefined) break;
    const lineStart = bytes.subarray(0, match.start).lastIndexOf('\n') + 1;
    places.push(`${bytes.subarray(0, lineStart).toString().split('\n').length}:${match.start - lineStart + 1}`);
    const next = bytes.indexOf('\n', match.start);
    at = next < 0 ? bytes.length : next + 1;
  }
  return places;
}

/** Returns the places in each text that we find, and those that `git grep -P` finds. */
export async function comparedWithGit(
  source: string,
  texts: readonly string[],
  ignoreCase: boolean,
): Promise<readonly [ours: readonly string[], ofGit: readonly string[]]> {
  const pattern = await compileExpression(source, { isLiteral: false, ignoreCase });
  if (typeof pattern === 'string') throw new Error(pattern);
  const ours = texts.flatMap((text, i) => placesOf(pattern, text).map((place) => `t${1000 + i}:${place}`));
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-grep-'));
  try {
    for (const [i, text] of texts.entries()) writeFileSync(join(folder, `t${1000 + i}`), text);
    const options = ['grep', '--no-index', '-I', '-n', '--column', ...(ignoreCase ? ['-i'] : []), '-P', '-e', source];
    let printed = '';
    try {
      const env = { ...process.env, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
      printed = execFileSync('git', options, { cwd: folder, env, stdio: 'pipe' }).toString();
    } catch (error) {
      const { status, stderr } = error as { status?: number; stderr?: Uint8Array };
      // Git gives up where it would take too long, as we do not.
      fc.pre(!String(stderr).includes('match limit exceeded'));
      if (status !== 1) throw error;
    }
    // Git finds an empty match behind the last line feed, too, and shows a line that the file does not have.
    const ofGit = printed.split('\n').flatMap((printedLine) => {
      const [place, file, line] = /^t(\d+):(\d+):\d+/.exec(printedLine) ?? [];
      const lines = texts[Number(file) - 1000]?.replace(/\n$/, '').split('\n').length ?? 0;
      return place === undefined || Number(line) > lines ? [] : [place];
    });
    return [ours, ofGit];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
