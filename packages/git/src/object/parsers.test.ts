import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fc, test } from '@fast-check/vitest';
import { stockGit, type StockGit } from '../pack/stock-git.test.util.ts';
import { parseCommit } from './commit.ts';
import { blobKind, commitKind, treeKind } from './kind.ts';
import { objectIdAt } from './object-id.ts';
import { parseTag } from './tag.ts';
import { kindOfMode, TreeCursor, TreeError } from './tree.ts';

describe('parsers of bodies that stock git wrote', () => {
  let git: StockGit;
  beforeAll(() => {
    git = stockGit();
  });
  afterAll(() => git.remove());

  const text = (args: readonly string[], input = ''): string => git.run(args, input).toString().trim();

  it('reads trees, commits and tags', () => {
    const blob = text(['hash-object', '-w', '--stdin'], 'x');
    const inner = text(['mktree'], `100644 blob ${blob}\tf\n`);
    const submodule = '1234567890abcdef1234567890abcdef12345678';
    const tree = text(
      ['mktree'],
      `100755 blob ${blob}\trun me\n120000 blob ${blob}\tlink\n040000 tree ${inner}\tfolder\n160000 commit ${submodule}\tsub\n`,
    );
    const seen: string[] = [];
    const body = git.run(['cat-file', 'tree', tree]);
    const entry = new TreeCursor(body);
    while (entry.next()) {
      const name = body.toString('utf8', entry.nameStart, entry.nameEnd);
      seen.push(`${entry.mode.toString(8)} ${kindOfMode(entry.mode)} ${name} ${objectIdAt(body, entry.oidAt)}`);
    }
    expect(seen).toEqual([
      `40000 ${treeKind} folder ${inner}`,
      `120000 ${blobKind} link ${blob}`,
      `100755 ${blobKind} run me ${blob}`,
      `160000 0 sub ${submodule}`,
    ]);

    const first = text(['commit-tree', tree, '-m', 'one']);
    const second = text(['commit-tree', inner, '-p', first, '-m', 'two']);
    const merge = text(['commit-tree', tree, '-p', first, '-p', second, '-m', 'three']);
    const commit = parseCommit(git.run(['cat-file', 'commit', merge]));
    expect(commit?.parentCount).toBe(2);
    expect([0, 20, 40].map((at) => objectIdAt(commit?.ids as Uint8Array, at))).toEqual([tree, first, second]);
    expect(commit?.time).toBe(Number(text(['log', '-1', '--format=%ct', merge])));

    text(['tag', '-a', 'v1', '-m', 'm', merge]);
    const tag = parseTag(git.run(['cat-file', 'tag', 'v1']));
    expect(tag?.kind).toBe(commitKind);
    expect(objectIdAt(tag?.target as Uint8Array)).toBe(merge);
  });
});

test.prop([fc.uint8Array({ maxLength: 120 })])('any bytes make a tree or a TreeError, and the cursor ends', (body) => {
  const cursor = new TreeCursor(body);
  let entries = 0;
  try {
    while (cursor.next()) {
      entries++;
      expect(cursor.oidAt + 20).toBeLessThanOrEqual(body.length);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(TreeError);
  }
  expect(entries).toBeLessThanOrEqual(body.length / 23);
});

test.prop([fc.nat(60), fc.uint8Array({ minLength: 1, maxLength: 10 })])(
  'changed commits parse or do not, without a fault',
  (at, bytes) => {
    const body = Buffer.from(`tree ${'a'.repeat(40)}\nauthor A <a> 1 +0\ncommitter C <c> 77 +0\n\nm`);
    body.set(bytes.subarray(0, body.length - at), at);
    const commit = parseCommit(body);
    if (commit !== undefined) expect(commit.ids).toHaveLength(20 * (1 + commit.parentCount));
  },
);
