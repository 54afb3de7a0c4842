import { fc, it as property } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stockGit, type StockGit } from '../pack/stock-git.test.util.ts';
import { atOnce } from '../work/loops.ts';
import { SparseMatcher } from './sparse-matcher.ts';
import { parseSparsePatterns } from './sparse-patterns.ts';

/** Tests if the patterns pass a file of a commit. */
function passes(matcher: SparseMatcher, path: string): boolean {
  const names = path.split('/').map((name) => Buffer.from(name));
  const file = names.pop() as Buffer;
  let folder = matcher.root;
  for (const name of names) folder = atOnce(matcher.enter(folder, name, 0, name.length));
  return atOnce(matcher.passesFile(folder, file, 0, file.length));
}

const matcherOf = (patterns: string | Uint8Array): SparseMatcher =>
  new SparseMatcher(parseSparsePatterns(Buffer.from(patterns)));

describe('sparse patterns and stock git', () => {
  const names = [
    'a',
    'b',
    'ab',
    'ba',
    'aab',
    'a b',
    'a ',
    '!a',
    '#a',
    '[',
    ']',
    'a]',
    '-',
    '*',
    '\\',
    'ä',
    'A',
    '1',
    '~',
  ];
  const paths = names.flatMap((name, i) => [
    // Those are folders.
    ...(['a', 'b', 'ab'].includes(name) ? [] : [name]),
    `a/${name}`,
    `b/a/${name}`,
    `ab/${names[(i * 7) % names.length]}/b/${name}`,
    `${names[(i * 3) % names.length]}.d/a/a/b/${name}`,
  ]);
  const byBlob = new Map<string, string>();
  let git: StockGit;

  beforeAll(() => {
    git = stockGit();
    const quoted = (path: string): string => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const files = paths.map((path) => `M 100644 inline ${quoted(path)}\ndata ${Buffer.byteLength(path)}\n${path}\n`);
    git.run(
      ['fast-import', '--quiet'],
      `commit refs/heads/main\ncommitter A <a@example.com> 0 +0000\ndata 0\n${files.join('')}\n`,
    );
    for (const line of git.run(['ls-tree', '-r', '-z', 'main']).toString().split('\0')) {
      const [, oid, path] = /^100644 blob (\w+)\t(.*)$/s.exec(line) ?? [];
      if (oid !== undefined && path !== undefined) byBlob.set(oid, path);
    }
    expect(byBlob.size).toBe(paths.length);
  });
  afterAll(() => git.remove());

  const word = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', '/', '*', '**', '?', 'a/', '/a') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('**/', '/**', '/**/', '[ab]', '[!a]', '[^b]', '[a-b]', '.d', '\\a', '\\/'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '[]a]',
        '[[:alpha:]]',
        '[[:digit:][:space:]]',
        '[[:nope:]]',
        '[[:]',
        '[!-~]',
        '[a-',
        '[\\]]',
        '[b-a]',
        '[--a]',
        '[',
        ']',
        '\\',
        '!',
        ' ',
        '  ',
        '\\ ',
        '#',
        '\r',
        '\0',
        'ä',
        '-',
        '***',
        '1',
        '[[:upper:]-b]',
      ),
    },
  );
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
  const signed = fc.tuple(fc.constantFrom('', '', '!'), line).map((both) => both.join(''));
  const file = fc
    .tuple(fc.constantFrom('', '', '', '\ufeff'), fc.array(signed, { maxLength: 6 }), fc.constantFrom('', '\n', '\r\n'))
    .map(([mark, list, end]) => mark + list.join(end === '\r\n' ? end : '\n') + end);

  const agrees = (patterns: string): void => {
    const oid = git.run(['hash-object', '-w', '--stdin'], patterns).toString().trim();
    const listed = git
      .run(['rev-list', '--objects', '--no-object-names', `--filter=sparse:oid=${oid}`, 'main'])
      .toString();
    const sent = listed.split('\n').flatMap((id) => byBlob.get(id) ?? []);
    const matcher = matcherOf(patterns);
    expect(paths.filter((path) => passes(matcher, path)).sort()).toEqual(sent.sort());
  };

  property.prop([file], { numRuns: runs(250) })('GIT-083: the two let the same files through', agrees);

  it.each([
    ['/*', '!/*/'],
    ['*', '!a'],
    ['a**'],
    ['a/**/b', '!b/a/b'],
    ['/a**/b'],
    ['a\\'],
    ['**/a/**/b'],
    ['**/**/a'],
    ['/ab/**'],
    ['a/b/'],
    ['/'],
    ['!/'],
    ['', '   '],
    ['[!-9]'],
    ['ab/*/b/?'],
    ['**a/b'],
    ['\\!a', '\\#a'],
    ['a\\ ', 'b  '],
    ['[a-]'],
    ['[a-a-~]'],
    ['[[:anope:]]'],
    ['[[:constructor:]]', 'b'],
    ['*.d/**\\/b/a'],
    ['#a', 'b'],
  ])('GIT-083: %j and more', (...patterns) => agrees(patterns.join('\n')));
});

describe('sparse patterns', () => {
  it('GIT-083: a pattern that spreads over many words of bits is whole', () => {
    const long = 'x'.repeat(100);
    const matcher = matcherOf(`${`/${'y'.repeat(31)}\n`.repeat(40)}/**/${long}/**/b*d\n!/${long}/bad\n`);
    expect(
      ['b', `${long}/bd`, `q/r/${long}/s/t/bxd`, `${long}/bad`, 'y'.repeat(31)].map((path) => passes(matcher, path)),
    ).toEqual([false, true, true, false, true]);
    for (let shift = 0; shift < 70; shift++) {
      const shifted = matcherOf(`${'z'.repeat(shift)}\n**/a/**/b\n`);
      expect(['a/b', 'x/a/y/b', 'xa/b', 'a/xb', 'b'].map((path) => passes(shifted, path))).toEqual([
        true,
        true,
        false,
        false,
        false,
      ]);
    }
  });

  it('GIT-083: patterns that would have to be tried over and over take no longer', () => {
    const matcher = matcherOf(`${'*a'.repeat(2000)}b\n${'**/a/'.repeat(2000)}*\n`);
    expect(passes(matcher, 'a'.repeat(4000))).toBe(false);
    expect(passes(matcher, `${'a'.repeat(4000)}b`)).toBe(true);
  });

  it('GIT-083: folders in which the same may happen are in the same state', () => {
    const matcher = matcherOf('*.c\n/lib/**/x\n');
    const enter = (folder: typeof matcher.root, name: string) =>
      atOnce(matcher.enter(folder, Buffer.from(name), 0, name.length));
    expect(enter(matcher.root, 'one')).toEqual(enter(enter(matcher.root, 'two'), 'three'));
    expect(enter(matcher.root, 'one')).not.toEqual(enter(matcher.root, 'lib'));
  });
});
