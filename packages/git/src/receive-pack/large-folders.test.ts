import { describe, expect, it } from 'vitest';
import {
  blob,
  closure,
  commit,
  tree,
  type MadeObject,
  type MadeTreeEntry,
} from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { MadeEntry } from '../pack/made-pack.test.util.ts';
import { cost } from '../work/costs.ts';

const main = 'refs/heads/main';
const entriesAFolder = 8_000;
const versions = 16;
const folders = ['first', 'second', 'third'];

/** Commits on top of each other. Each changes a few entries of each large folder. */
function largeFolders(): readonly MadeObject[] {
  const same = blob('same');
  const contents = folders.map((): MadeTreeEntry[] =>
    Array.from({ length: entriesAFolder }, (_, i) => ({ name: `file-${String(i).padStart(6, '0')}`, object: same })),
  );
  const commits: MadeObject[] = [];
  for (let version = 0; version < versions; version++) {
    const trees = contents.map((entries, folder) => {
      const at = (version * 997 + folder) % entriesAFolder;
      const { name } = entries[at] as MadeTreeEntry;
      entries[at] = { name, object: blob(`version ${version} of ${folder}`) };
      return tree(entries);
    });
    const root = tree(folders.map((name, i) => ({ name, object: trees[i] as MadeObject })));
    commits.push(commit(root, commits.slice(-1), version));
  }
  return commits;
}

/** All that commits reach. Each large folder is a delta of the same folder in the commit before it in the list. */
function inChains(commits: readonly MadeObject[]): readonly MadeEntry[] {
  const entries = new Map<string, MadeEntry>();
  let bases: MadeEntry[] = [];
  for (const one of commits) {
    const [root] = one.links as [MadeObject];
    entries.set(one.id, one);
    entries.set(root.id, root);
    bases = folders.map((name, i) => {
      const made = root.links[folders.indexOf(name)] as MadeObject;
      const base = bases[i];
      const entry: MadeEntry = base === undefined ? made : { ...made, base, by: 'offset' };
      entries.set(made.id, entry);
      return entry;
    });
  }
  for (const [id, object] of closure(commits)) if (!entries.has(id)) entries.set(id, object);
  return [...entries.values()];
}

const commits = largeFolders();
const tip = commits.at(-1) as MadeObject;
const orders = [
  ['oldest first, as fast-import writes them', commits],
  ['newest first, as pack-objects writes them', commits.toReversed()],
] as const;

describe.each(orders)('folders of many entries, %s', (_, order) => {
  it('GIT-188: makes each version of a folder a small number of times', async () => {
    const repository = new MaintainedRepository(1_000_000);
    expect(await repository.push([{ ref: main, new: tip }], inChains(order))).toEqual([`ok ${main}`]);
    const size = entriesAFolder * '100644 file-000000\0'.length + entriesAFolder * 20;
    const { totals } = repository.engine.scheduler;
    const made = (totals[cost.rebuilt] as number) + (totals[cost.inflated] as number);
    // Once when the pack is resolved, once when it is walked over, with some room for small objects.
    expect(made / (folders.length * versions * size)).toBeLessThan(2.3);
    await repository.check();
  });

  it('GIT-149: refuses a commit that lacks an object, and those behind it, and takes those before it', async () => {
    const [before, broken, behind] = [commits[3], commits[6], commits[9]] as [MadeObject, MadeObject, MadeObject];
    const lost = blob('version 6 of 1').id;
    const entries = inChains(order).filter((entry) => (entry as MadeObject).id !== lost);
    const repository = new MaintainedRepository(1_000_000);
    const values = [behind, broken, before].map((value, i) => ({ ref: `refs/heads/${i}`, new: value }));
    expect(await repository.push(values, entries)).toEqual([
      'ng refs/heads/0 missing necessary objects',
      'ng refs/heads/1 missing necessary objects',
      'ok refs/heads/2',
    ]);
  });
});

it.each(['parent', 'child'])(
  'GIT-149: refuses a parent that names a file as its tree, and its child, with the tree of the %s first',
  async (first) => {
    const text = blob('100644 no tree\0and cut off');
    const parent = commit(text, [], 1);
    const root = tree([{ name: 'file', object: blob('file') }]);
    const child = commit(root, [parent], 2);
    const entries = [...closure([child]).values()];
    const trees = first === 'parent' ? [text, root] : [root, text];
    const pack = [...trees, ...entries.filter((entry) => !trees.includes(entry))];
    const repository = new MaintainedRepository();
    const values = [parent, child].map((value, i) => ({ ref: `refs/heads/${i}`, new: value }));
    expect(await repository.push(values, pack)).toEqual([
      'ng refs/heads/0 missing necessary objects',
      'ng refs/heads/1 missing necessary objects',
    ]);
  },
);
