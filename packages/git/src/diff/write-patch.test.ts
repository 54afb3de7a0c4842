import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it } from 'vitest';
import { toByteText } from '../bytes/byte-text.ts';
import { nodeCodec } from '../codec/node.ts';
import type { ObjectId } from '../object/object-id.ts';
import { executableMode, fileMode, gitlinkMode, linkMode } from '../object/tree.ts';
import { stockGit } from '../pack/stock-git.test.util.ts';
import type { Change } from './change.ts';
import { countChange } from './compare-contents.ts';
import { compareTrees } from './compare-trees.ts';
import { linePair } from './line-table.ts';
import { detectRenames } from './detect-renames.ts';
import { MadeObjects, somePair, type MadeFiles } from './random-trees.test.util.ts';
import { writePatch } from './write-patch.ts';

const git = stockGit();
afterAll(() => git.remove());

const codec = nodeCodec();

interface Compared {
  readonly patch: string;
  readonly counts: string;
}

async function compare(objects: MadeObjects, from: ObjectId, to: ObjectId): Promise<Compared> {
  let held = 0;
  const hold = (bytes: number): void => void (held += bytes);
  const { changes } = await detectRenames(objects, await compareTrees(objects, from, to));
  let patch = '';
  for await (const piece of writePatch(objects, changes, codec, hold)) patch += toByteText(piece);
  const counts: string[] = [];
  for (const change of changes) {
    const { isBinary, added, deleted } = await countChange(objects, change, hold);
    counts.push(isBinary ? '-\t-' : `${added}\t${deleted}`);
  }
  expect(held).toBe(0);
  return { patch, counts: counts.join('\n') };
}

const diffFlags = ['-M', '--full-index', '--binary', '--no-ext-diff'];

/** Drops what is compressed in binary patches, since it depends on the compressor, and Git may use deltas. */
const withoutData = (patch: string): string =>
  patch.replaceAll(/^(GIT binary patch)\n(?:(?:literal|delta) \d+\n(?:[A-Za-z][^\n]*\n)*\n){2}/gm, '$1\n');

/** Compares all pairs with stock git, which then applies each patch. */
async function expectSame(made: readonly (readonly [MadeFiles, MadeFiles])[]): Promise<void> {
  const objects = new MadeObjects();
  const pairs = made.map(([from, to]) => [objects.tree(from), objects.tree(to)] as const);
  objects.store(git);
  for (const [from, to] of pairs) {
    const { patch, counts } = await compare(objects, from, to);
    const theirs = git.run(['diff', ...diffFlags, from, to]).toString('latin1');
    expect(withoutData(patch)).toBe(withoutData(theirs));
    const numbers = git.run(['diff', '-M', '--numstat', from, to]).toString('latin1').trimEnd().split('\n');
    expect(counts).toBe(numbers.map((line) => line.split('\t').slice(0, 2).join('\t')).join('\n'));
    if (patch === '') continue;
    git.run(['read-tree', from]);
    git.run(['apply', '--cached', '--whitespace=nowarn'], Buffer.from(patch, 'latin1'));
    expect(git.run(['write-tree', '--missing-ok']).toString().trim()).toBe(to);
  }
}

const one = (text: string, mode = fileMode, path = 'file'): MadeFiles => new Map([[path, { mode, text }]]);
const lines = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${text(i)}\n`).join('');

/** A hash that anybody can compute: FNV, as `linePair` once had it. */
function knownHash(line: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < line.length; i++) hash = Math.imul(hash ^ line.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

it('compares lines that were made to share a slot of its table in a time that is linear', () => {
  const made: string[] = [];
  for (let n = 0; made.length < 1000; n++) {
    const line = `${n.toString(36)}\n`;
    if ((knownHash(line) & 0x7ff) === 0) made.push(line);
  }
  const content = Buffer.from(made.join(''));
  let reported = 0;
  for (const amount of linePair(content, content)) reported += amount;
  expect(reported).toBeLessThan(4 * content.length);
});

it('LIM-031: counts a file that is too large as binary, without reading it', async () => {
  const objects = new MadeObjects();
  const [change] = await compareTrees(objects, undefined, objects.tree(one('text\n')));
  objects.reads.length = 0;
  objects.sizeOf = () => 32 * 1024 * 1024 + 1;
  const counts = await countChange(objects, change as Change, () => {});
  expect(counts).toEqual({ isBinary: true, added: 0, deleted: 0 });
  expect(objects.reads).toEqual([]);
});

describe('writePatch', () => {
  test.prop([fc.array(somePair, { minLength: 6, maxLength: 6 })], { numRuns: 1 })(
    'writes the patch of stock git, which applies it, for any two trees',
    (made) => expectSame(made),
  );

  it('writes other types, modes, empty files and incomplete lines like stock git', async () => {
    const noise = String.fromCharCode(0, ...Array.from({ length: 300 }, (_, i) => (i * i * 7) & 255));
    await expectSame([
      [one('text\n'), one('text', linkMode)],
      [one('text\n'), one('text\n', executableMode)],
      [one(''), one('a')],
      [one('a\nb'), one('a\nb\n')],
      [one('short\n'), one(`short\n${'long'.repeat(100_000)}\n`)],
      [new Map(), one('', fileMode, 'tab\there "x" \x80 y')],
      [one('1'.repeat(40), gitlinkMode), one('2'.repeat(40), gitlinkMode)],
      [one(noise), one(`${noise}more`)],
      [one('text\n'), one(noise)],
      [one(`${noise.repeat(9)}a`), one(`${noise.repeat(9)}b`, fileMode, 'moved')],
    ]);
  });

  it('gives up the search for the shortest script where stock git does', async () => {
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 0x7fff_ffff) % below;
    const few = (count: number, kinds: number): string => lines(count, () => `line ${random(kinds)}`);
    const base = Array.from({ length: 3000 }, (_, i) => `int value_${i} = ${random(50)};\n`);
    const shuffled = base.flatMap((line) =>
      random(3) === 0 ? [] : random(3) === 0 ? [line, `new ${random(9)}\n`] : [line],
    );
    await expectSame([
      [one(few(1500, 40)), one(few(1500, 40))],
      [one(few(3000, 900)), one(few(2500, 900))],
      [one(base.join('')), one(shuffled.join(''))],
      [one(few(4000, 3)), one(few(3900, 3))],
    ]);
  });
});
