import { percentOf, statusOf, type Change } from './change.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { StockGit } from '../pack/stock-git.test.util.ts';

const letters = { added: 'A', deleted: 'D', modified: 'M', renamed: 'R', type_changed: 'T' } as const;

/** Writes changes as `git diff --raw --no-abbrev -z` does, as a byte text. */
export function rawText(changes: readonly Change[]): string {
  return changes
    .map((change) => {
      const { old, new: to, score } = change;
      const mode = (value = 0): string => value.toString(8).padStart(6, '0');
      const id = (value = '0'.repeat(40)): string => value;
      const similarity = score === undefined ? '' : `${percentOf(score)}`.padStart(3, '0');
      const head = `:${mode(old?.mode)} ${mode(to?.mode)} ${id(old?.oid)} ${id(to?.oid)} ${letters[statusOf(change)]}`;
      const paths = score === undefined ? [(to ?? old)?.path] : [old?.path, to?.path];
      return `${head}${similarity}\0${paths.map((path) => `${path}\0`).join('')}`;
    })
    .join('');
}

/** Returns the raw changes that stock git finds between each two trees, in one run. */
export function rawOfGit(
  git: StockGit,
  pairs: readonly (readonly [ObjectId, ObjectId])[],
  ...flags: string[]
): string[] {
  const lines = pairs.map(([from, to]) => `${from} ${to}\n`).join('');
  const all = git.run(['diff-tree', '--stdin', '-r', '--raw', '--no-abbrev', '-z', ...flags], lines).toString('latin1');
  const found = new Map<string, string>();
  // Git writes nothing for two equal trees.
  for (const part of all.split(/(?=(?<![0-9a-f ])[0-9a-f]{40} [0-9a-f]{40}\n)/))
    found.set(part.slice(0, 81), part.slice(82));
  return pairs.map(([from, to]) => found.get(`${from} ${to}`) ?? '');
}
