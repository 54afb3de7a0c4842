import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stockGit, type StockGit } from '../pack/stock-git.test.util.ts';
import { isValidObject } from './check.ts';
import { commitKind, kindNumber, tagKind, treeKind, type ObjectKind } from './kind.ts';

const id = '1234567890abcdef1234567890abcdef12345678';
const people = 'author A <a@example.com> 1 +0000\ncommitter C <c@example.com> 2 +0000\n';
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function entry(mode: string, name: string): string {
  return `${mode} ${name}\0${'\x11'.repeat(20)}`;
}

describe('GIT-146: commits', () => {
  it.each([
    ['plain', `tree ${id}\nparent ${id}\n${people}\nmessage`, true],
    ['without parents', `tree ${id}\n${people}\n`, true],
    ['without a message or empty line', `tree ${id}\n${people}`, true],
    ['with odd people, as old history has them', `tree ${id}\nauthor <<x> 01 nowhere\ncommitter  \n\nm`, true],
    ['with two authors', `tree ${id}\nauthor A <a> 1 +0000\n${people}\nm`, true],
    ['with further headers and NUL in the message', `tree ${id}\n${people}encoding x\ngpgsig y\n z\n\nm\0`, true],
    ['empty', '', false],
    ['without tree', `parent ${id}\n${people}\nm`, false],
    ['with a short tree', `tree ${id.slice(1)}\n${people}\nm`, false],
    ['with a tree that is not hexadecimal', `tree ${id.slice(1)}g\n${people}\nm`, false],
    ['with a short parent', `tree ${id}\nparent ${id.slice(1)}\n${people}\nm`, false],
    ['without author', `tree ${id}\ncommitter C <c> 1 +0000\n\nm`, false],
    ['without committer', `tree ${id}\nauthor C <c> 1 +0000\n\nm`, false],
    ['with a cut-off header', `tree ${id}\n${people}encoding`, false],
    ['with a NUL in the header', `tree ${id}\n${people}x\0y\n\nm`, false],
  ])('%s', (_name, body, valid) => {
    expect(isValidObject(commitKind, bytes(body), true)).toBe(valid);
  });
});

describe('GIT-146: tags', () => {
  it.each([
    ['plain', `object ${id}\ntype commit\ntag v1\ntagger T <t> 1 +0000\n\nm`, true],
    ['without tagger', `object ${id}\ntype tag\ntag v1\n\nm`, true],
    ['without message', `object ${id}\ntype blob\ntag v1\n`, true],
    ['of an unknown type', `object ${id}\ntype comet\ntag v1\n\nm`, false],
    ['without object', `type commit\ntag v1\n\nm`, false],
    ['without type', `object ${id}\ntag v1\n\nm`, false],
    ['without name', `object ${id}\ntype commit\n\nm`, false],
    ['cut off', `object ${id}\ntype commit\ntag v1`, false],
  ])('%s', (_name, body, valid) => {
    expect(isValidObject(tagKind, bytes(body), true)).toBe(valid);
  });
});

describe('GIT-146: trees', () => {
  it.each([
    ['empty', '', true],
    ['with historic modes', entry('100664', 'a') + entry('040000', 'b'), true],
    [
      'with names that only look like .git',
      entry('100644', '.gi') + entry('100644', '.gitx') + entry('100644', 'git'),
      true,
    ],
    ['with any bytes in a name', entry('100644', '\x01\xff\\ :'), true],
    ['an empty name', entry('100644', ''), false],
    ['.', entry('40000', '.'), false],
    ['..', entry('40000', '..'), false],
    ['.git', entry('40000', '.git'), false],
    ['.GiT', entry('100644', '.GiT'), false],
    ['a slash', entry('100644', 'a/b'), false],
    ['no mode', ` a\0${'\x11'.repeat(20)}`, false],
    ['a mode that is not octal', entry('100648', 'a'), false],
    ['a cut-off id', entry('100644', 'a').slice(0, -1), false],
    ['a cut-off name', '100644 a', false],
    ['a cut-off mode', '100', false],
  ])('%s', (_name, body, valid) => {
    expect(isValidObject(treeKind, bytes(body), false)).toBe(valid);
    expect(isValidObject(treeKind, bytes(body), true)).toBe(valid);
  });

  it.each([
    ['unsorted', entry('100644', 'b') + entry('100644', 'a')],
    ['a folder before what sorts before its slash', entry('40000', 'a') + entry('100644', 'a.b')],
    ['twice the same', entry('100644', 'a') + entry('100644', 'a')],
    ['file and folder of one name', entry('100644', 'a') + entry('40000', 'a')],
    ['file and folder of one name apart', entry('100644', 'a') + entry('100644', 'a.b') + entry('40000', 'a')],
  ])('%s only with strict', (_name, body) => {
    expect(isValidObject(treeKind, bytes(body), false)).toBe(true);
    expect(isValidObject(treeKind, bytes(body), true)).toBe(false);
  });
});

describe('beside git fsck', () => {
  let git: StockGit;
  beforeAll(() => {
    git = stockGit();
  });
  afterAll(() => git.remove());

  /** Tests if fsck reports an error of the object itself, not of objects that it points to. */
  function isFaulty(kind: ObjectKind, body: Uint8Array): boolean {
    const oid = git.run(['hash-object', '--literally', '-w', '-t', kind, '--stdin'], body).toString().trim();
    try {
      git.run(['fsck', '--no-dangling', oid]);
      return false;
    } catch (error) {
      return new RegExp(`error in ${kind} ${oid}: (?!broken links)`).test(
        (error as { stderr: Buffer }).stderr.toString(),
      );
    }
  }

  const name = fc.stringMatching(/^(a|\.|-|0|x){1,4}$/).filter((text) => text !== '.' && text !== '..');
  const tree = fc
    .array(fc.tuple(fc.constantFrom('100644', '40000'), name), { maxLength: 7 })
    .chain((entries) => fc.boolean().map((sort) => ({ entries, sort })));

  test.prop([tree], { numRuns: runs(60) })(
    'strict trees are those that fsck finds sorted and unique',
    ({ entries, sort }) => {
      const sortName = ([mode, text]: [string, string]): string => (mode === '40000' ? `${text}/` : text);
      const order = sort ? entries.toSorted((a, b) => (sortName(a) < sortName(b) ? -1 : 1)) : entries;
      const body = bytes(order.map(([mode, text]) => entry(mode, text)).join(''));
      expect(isValidObject(kindNumber.tree, body, true)).toBe(!isFaulty('tree', body));
    },
  );
});
