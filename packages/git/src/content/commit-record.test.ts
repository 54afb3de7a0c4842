import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectId } from '../object/object-id.ts';
import { stockGit, type StockGit } from '../pack/stock-git.test.util.ts';
import { commitRecord, type Commit } from './commit-record.ts';

const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const some = 'ab'.repeat(20) as ObjectId;

const body = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'), 'latin1');

/** Parses a time that git printed, which may be empty or exceed JSON numbers (REPO-046). */
function timeOf(printed: string): string {
  return Number.isSafeInteger(Number(printed)) ? String(Number(printed)) : '0';
}

/** Bytes that are almost an ident line, one per character. */
const nearlyIdent = fc
  .array(
    fc.constantFrom(
      'A',
      'b c',
      '<',
      '>',
      '<a@b>',
      ' ',
      '  ',
      '\t',
      '1700000000',
      '0',
      '+0100',
      '-0',
      '+',
      '.',
      '\xe4',
      '\xc3\xa4',
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));
const ident = fc.oneof(nearlyIdent, fc.constant('Ada <ada@example.test> 1795165100 +0100'));
const encoding = fc.constantFrom(
  '',
  'encoding ISO-8859-1',
  'encoding UTF-8',
  'encoding KOI8-R',
  'encoding none',
  'encoding',
);
const message = fc
  .array(fc.constantFrom('a', '\n', 'line', ' ', '\xe4', '\xc3\xa4', '\xff', 'encoding KOI8-R'), { maxLength: 6 })
  .map((parts) => parts.join(''));

describe('commits as stock git shows them', () => {
  let git: StockGit;
  beforeAll(() => {
    git = stockGit();
  });
  afterAll(() => git.remove());

  /** By id, each with its body. */
  function written(bodies: readonly Buffer[]): Map<string, Buffer> {
    const names = bodies.map((one, i) => {
      writeFileSync(join(git.folder, `c${i}`), one);
      return `c${i}`;
    });
    const ids = git.run(['hash-object', '-t', 'commit', '-w', '--literally', '--stdin-paths'], `${names.join('\n')}\n`);
    return new Map(
      ids
        .toString()
        .trim()
        .split('\n')
        .map((id, i) => [id, bodies[i] as Buffer]),
    );
  }

  /** Returns the fields of commits as git prints them, with malformed UTF-8 as U+FFFD. */
  function shown(ids: readonly string[]): Map<string, readonly string[]> {
    const format = ['H', 'an', 'ae', 'at', 'cn', 'ce', 'ct', 'B'].map((one) => `%${one}`).join('%x01');
    const out = git.run(['log', '-z', '--no-walk=unsorted', '--stdin', `--format=${format}`], `${ids.join('\n')}\n`);
    return new Map(
      new TextDecoder('utf-8', { ignoreBOM: true })
        .decode(out)
        .split('\0')
        .slice(0, -1)
        .map((line) => line.split('\u0001'))
        .map(([id = '', ...fields]) => [id, fields]),
    );
  }

  function fields({ author, committer, authoredAt, committedAt, message: text }: Commit): readonly string[] {
    return [author.name, author.email, String(authoredAt), committer.name, committer.email, String(committedAt), text];
  }

  test.prop([fc.array(fc.tuple(ident, ident, encoding, message), { minLength: 20, maxLength: 40 })], {
    numRuns: runs(25),
  })('REPO-055: people, times and messages of odd commits are those of git log', (commits) => {
    const bodies = written(
      commits.map(([author, committer, header, text]) =>
        body(
          `tree ${tree}`,
          `author ${author}`,
          `committer ${committer}`,
          ...(header === '' ? [] : [header]),
          '',
          text,
        ),
      ),
    );
    const expected = shown([...bodies.keys()]);
    for (const [id, bytes] of bodies) {
      const [an = '', ae = '', at = '', cn = '', ce = '', ct = '', text = ''] = expected.get(id) ?? [];
      const wanted = [an, ae, timeOf(at), cn, ce, timeOf(ct), text.replace(/\n$/, '')];
      expect([id, ...fields(commitRecord(id as ObjectId, bytes))]).toEqual([id, ...wanted]);
    }
  });
});

describe('a commit', () => {
  const one = 'Ada <ada@example.test> 7 +0100';

  it('REPO-055: shows tree and parents as the object has them', () => {
    const parents = ['12'.repeat(20), '34'.repeat(20), '12'.repeat(20)];
    const lines = [
      `tree ${tree}`,
      ...parents.map((id) => `parent ${id}`),
      `author ${one}`,
      `committer ${one}`,
      '',
      'm',
    ];
    expect(commitRecord(some, body(...lines))).toEqual({
      hash: some,
      treeHash: tree,
      message: 'm',
      author: { name: 'Ada', email: 'ada@example.test' },
      committer: { name: 'Ada', email: 'ada@example.test' },
      parents,
      authoredAt: 7,
      committedAt: 7,
    });
  });

  it('REPO-055: loses one line end, and needs no message', () => {
    const said = (text: string): string =>
      commitRecord(some, Buffer.from(`tree ${tree}\nauthor ${one}\ncommitter ${one}\n${text}`)).message;
    expect(['', '\n', '\n\n', '\n\n\n', '\na\0b\n', '\nx\n\n'].map(said)).toEqual(['', '', '', '\n', 'a\0b', 'x\n']);
  });

  it('REPO-055: decodes long texts in one byte a character', () => {
    const long = 'ä\u0080'.repeat(20_000);
    const bytes = Buffer.from(`tree ${tree}\nauthor ${one}\ncommitter ${one}\nencoding latin-1\n\n${long}`, 'latin1');
    expect(commitRecord(some, bytes).message).toBe(long);
  });

  it('REPO-055: of several authors shows the last, of several encodings takes the first', () => {
    const lines = [
      `tree ${tree}`,
      `author A <a> 1 +0000`,
      `author B <b> 2 +0000`,
      `committer ${one}`,
      'encoding KOI8-R',
      'encoding ISO-8859-1',
      '',
      '\xc1',
    ];
    const shownCommit = commitRecord(some, body(...lines));
    expect([shownCommit.author.name, shownCommit.authoredAt, shownCommit.message]).toEqual(['B', 2, 'а']);
  });

  it('REPO-046: a time beyond what JSON can say is 0', () => {
    const at = (time: string): number =>
      commitRecord(some, body(`tree ${tree}`, `author A <a> ${time} +0000`, `committer ${one}`, '')).authoredAt;
    expect(['9007199254740991', '9007199254740992', '9'.repeat(400), '-1'].map(at)).toEqual([
      9007199254740991, 0, 0, 0,
    ]);
  });

  it('GIT-146: that does not parse is a fault of the store', () => {
    expect(() => commitRecord(some, Buffer.from('tree x'))).toThrow('does not parse');
  });
});
