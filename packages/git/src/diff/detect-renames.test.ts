import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it } from 'vitest';
import type { ObjectId } from '../object/object-id.ts';
import { executableMode, fileMode, linkMode } from '../object/tree.ts';
import { stockGit } from '../pack/stock-git.test.util.ts';
import { compareTrees } from './compare-trees.ts';
import { detectRenames, type RenameOptions } from './detect-renames.ts';
import { rawOfGit, rawText } from './raw-changes.test.util.ts';
import { MadeObjects, somePair, type MadeFile, type MadeFiles } from './random-trees.test.util.ts';

const git = stockGit();
afterAll(() => git.remove());

const find = async (
  objects: MadeObjects,
  [from, to]: readonly [ObjectId, ObjectId],
  options?: RenameOptions,
): Promise<string> => rawText((await detectRenames(objects, await compareTrees(objects, from, to), options)).changes);

type Made = readonly (readonly [MadeFiles, MadeFiles])[];

/** Compares all pairs with stock git. */
async function expectSame(made: Made, options?: RenameOptions, ...flags: string[]): Promise<void> {
  const objects = new MadeObjects();
  const pairs = made.map(([from, to]) => [objects.tree(from), objects.tree(to)] as const);
  objects.store(git);
  const ours = [];
  for (const pair of pairs) ours.push(await find(objects, pair, options));
  expect(ours).toEqual(rawOfGit(git, pairs, '-M', ...flags));
}

const lines = (from: number, to: number, step = 1): string =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => `this is line ${from + i * step}\n`).join('');
const files = (made: Readonly<Record<string, string | MadeFile>>): MadeFiles =>
  new Map(
    Object.entries(made).map(([path, file]) => [
      path,
      typeof file === 'string' ? { mode: fileMode, text: file } : file,
    ]),
  );

describe('detectRenames', () => {
  test.prop([fc.array(somePair, { minLength: 60, maxLength: 60 })], { numRuns: 1 })(
    'finds the renames and scores of stock git, for any two trees',
    (made) => expectSame(made),
  );

  it('decides like stock git between candidates', async () => {
    const text = lines(0, 100);
    await expectSame([
      // Equal contents: names decide, then the order of paths.
      [files({ 'a/x': text, 'b/y': text, 'c/z': text }), files({ 'd/y': text, 'e/w': text, 'f/v': text })],
      // More equal sources than are looked at.
      [
        files(Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`a/f${1000 + i}`, text]))),
        files({ 'b/f1125': text, 'b/f1000': text }),
      ],
      // A unique name needs 75 %, other names 50 %.
      [files({ 'a/name': lines(0, 100) }), files({ 'b/name': lines(20, 120) })],
      [files({ 'a/name': lines(0, 100), 'a/one': lines(30, 130) }), files({ 'b/name': lines(35, 135) })],
      // Equally similar candidates, with and without the same name.
      [
        files({
          'a/1': lines(0, 90),
          'a/2': lines(0, 90),
          'a/3': lines(0, 90),
          'a/4': lines(0, 90),
          'a/5': lines(0, 90),
        }),
        files({ 'b/5': lines(10, 90), 'b/6': lines(10, 90), 'c/5': lines(10, 90) }),
      ],
      // Links and modes.
      [
        files({ link: { mode: linkMode, text }, tool: { mode: fileMode, text: lines(0, 50) } }),
        files({ 'link 2': { mode: linkMode, text }, 'tool 2': { mode: executableMode, text: lines(0, 49) } }),
      ],
      [files({ link: { mode: linkMode, text } }), files({ file: text })],
      [files({ 'empty/a': '' }), files({ 'empty/b': '' })],
      // Long lines count in pieces, and CR before LF is skipped.
      [files({ long: 'x'.repeat(5000) + lines(0, 9) }), files({ longer: 'x'.repeat(5100) + lines(3, 9) })],
      [files({ dos: text.replaceAll('\n', '\r\n') }), files({ unix: text })],
    ]);
  });

  it('leaves empty files alone if asked', async () => {
    await expectSame([[files({ a: '' }), files({ b: '' })]], { renamesEmpty: false }, '--no-rename-empty');
  });

  it('looks for no inexact renames beyond the limit', async () => {
    const numbers = [0, 1, 2, 3, 4];
    const made = files(Object.fromEntries(numbers.map((i) => [`old/a${i}`, lines(i * 100, i * 100 + 40)])));
    const moved = files(Object.fromEntries(numbers.map((i) => [`new/b${i}`, lines(i * 100 + 2, i * 100 + 40)])));
    const before = new Map([...made, ...files({ exact: 'exact\n', 'old/name': lines(900, 940) })]);
    const after = new Map([...moved, ...files({ 'exact 2': 'exact\n', 'new/name': lines(901, 940) })]);
    for (const renameLimit of [4, 5]) await expectSame([[before, after]], { renameLimit }, `-l${renameLimit}`);
    const objects = new MadeObjects();
    const changes = await compareTrees(objects, objects.tree(before), objects.tree(after));
    expect((await detectRenames(objects, changes, { renameLimit: 4 })).isLimited).toBe(true);
    let held = 0;
    const found = await detectRenames(objects, changes, { renameLimit: 5, hold: (bytes) => void (held += bytes) });
    expect([found.isLimited, held]).toEqual([false, 0]);
  });
});
