import { describe, expect, it } from 'vitest';
import { GraphSet } from '../graph/graph-set.ts';
import { extended, idOfName, madeGraph } from '../graph/made-graph.test.util.ts';
import type { TreeSource } from '../graph/snapshot-walk.ts';
import { blobKind, treeKind } from '../object/kind.ts';
import { objectIdAt, objectIdToBytes } from '../object/object-id.ts';
import { cost, sliceUnits } from '../work/costs.ts';
import { Scheduler, type Work } from '../work/scheduler.ts';
import { RequestRefusedError } from '../wire/request-error.ts';
import { walkFiltered } from './filtered-walk.ts';
import type { PlacedPart } from './object-filter.ts';
import { SparseMatcher } from './sparse-matcher.ts';
import { parseSparsePatterns } from './sparse-patterns.ts';

/** Folders by name: what they hold, a file where it is no folder's name. */
type Folders = Readonly<Record<string, readonly string[]>>;

interface MadeTrees {
  readonly trees: TreeSource;
  readonly number: (name: string) => number;
  /** How often each was opened. */
  readonly opened: Map<string, number>;
}

async function madeTrees(folders: Folders): Promise<MadeTrees> {
  const names = [...new Set([...Object.keys(folders), ...Object.values(folders).flat()])];
  const numbers = new Map(names.map((name, i) => [name, i]));
  const byId = new Map(names.map((name, i) => [idOfName(name), i]));
  const bodies = names.map((name) =>
    Buffer.concat(
      (folders[name] ?? []).flatMap((entry) => [
        Buffer.from(`${entry in folders ? '40000' : '100644'} ${entry.replace(/^.*:/, '')}\0`),
        objectIdToBytes(idOfName(entry)),
      ]),
    ),
  );
  const graph = {
    ...madeGraph(1, [], names.length),
    kinds: Uint8Array.from(names, (name) => (name in folders ? treeKind : blobKind)),
    sizes: Uint32Array.from(bodies, ({ length }) => length),
  };
  const set = await extended(GraphSet.empty(), graph);
  const opened = new Map<string, number>();
  return {
    opened,
    number: (name) => numbers.get(name) as number,
    trees: {
      set,
      loadIndexes: async () => {},
      findObject: (ids, at) => byId.get(objectIdAt(ids, at)) ?? -1,
      read: (object) => {
        const name = names[object] as string;
        opened.set(name, (opened.get(name) ?? 0) + 1);
        return { kind: treeKind, body: bodies[object] as Buffer };
      },
    },
  };
}

async function lets(
  { trees, number }: MadeTrees,
  part: PlacedPart,
  { roots = [], given = [], held = [] }: Partial<Record<'roots' | 'given' | 'held', readonly string[]>>,
  work: Work = new Scheduler().begin(),
): Promise<(name: string) => boolean> {
  const isHeld = new Set(held.map(number));
  const passes = await walkFiltered(
    { placed: [part] },
    { trees, roots: roots.map(number), given: given.map(number), isHeld: (tree) => isHeld.has(tree), work },
  );
  return (name) => passes(number(name));
}

const patterns = (...lines: readonly string[]): PlacedPart => ({
  kind: 'sparse',
  matcher: new SparseMatcher(parseSparsePatterns(Buffer.from(lines.join('\n')))),
});
const depth = (limit: number): PlacedPart => ({ kind: 'tree', depth: limit });

describe('a walk by depth', () => {
  it('GIT-081: what lies at several depths counts at the smallest, and each tree is opened once', async () => {
    const made = await madeTrees({
      old: ['x'],
      x: ['y'],
      y: ['z'],
      z: ['file', 'deep'],
      new: ['y'],
      newest: ['z', 'top'],
      deep: ['below'],
    });
    const passes = await lets(made, depth(3), { roots: ['old', 'new', 'newest'] });
    const all = ['old', 'x', 'y', 'z', 'file', 'deep', 'new', 'newest', 'top', 'below'];
    expect(all.filter(passes)).toEqual(all.filter((name) => name !== 'below'));
    expect(Object.fromEntries(made.opened)).toEqual({ old: 1, new: 1, newest: 1, x: 1, y: 1, z: 1 });
  });

  it('GIT-081: what is held is not gone through, and depth 1 opens no tree', async () => {
    const made = await madeTrees({ root: ['held', 'other'], held: ['inside'], other: ['file'] });
    const passes = await lets(made, depth(9), { roots: ['root'], held: ['held'] });
    expect(['held', 'inside', 'other', 'file'].filter(passes)).toEqual(['other', 'file']);
    made.opened.clear();
    expect((await lets(made, depth(1), { roots: ['root'] }))('root')).toBe(true);
    expect(made.opened.size).toBe(0);
  });

  it('lets others have their turn, also within one long name', async () => {
    const scheduler = new Scheduler();
    const long = 'n'.repeat(2_000_000);
    const made = await madeTrees({ root: [...Array.from({ length: 1000 }, (_, i) => `f${i}`), long] });
    await lets(made, depth(2), { roots: ['root'] }, scheduler.begin());
    expect(scheduler.totals[cost.entries]).toBeGreaterThan(1001 * 16);
    const many = Array.from({ length: 4000 }, (_, i) => `/${i}*x`);
    expect((await lets(made, patterns(...many), { roots: ['root'] }, scheduler.begin()))(long)).toBe(false);
    // Each byte of the name meets each 32 steps of the patterns.
    expect(scheduler.totals[cost.entries]).toBeGreaterThan((long.length * 4000) / 32);
    expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
  });
});

describe('a walk by patterns', () => {
  it('GIT-083: one of several paths does, and a tree is opened once where the patterns say the same', async () => {
    const made = await madeTrees({
      one: ['src', 'docs'],
      two: ['src', 'more'],
      src: ['shared'],
      docs: ['shared', 'page'],
      more: ['shared'],
      shared: ['a.c', 'a.h'],
    });
    const passes = await lets(made, patterns('*.c', '/docs/shared/'), { roots: ['one', 'two'] });
    expect(['a.c', 'a.h', 'page', 'shared', 'docs'].filter(passes)).toEqual(['a.c', 'a.h', 'shared', 'docs']);
    // Within `docs` all of it passes; elsewhere there is one state for all folders.
    expect(Object.fromEntries(made.opened)).toEqual({ one: 1, two: 1, src: 1, docs: 1, more: 1, shared: 2 });
  });

  it('GIT-083: what is held is not gone through', async () => {
    const made = await madeTrees({ root: ['held', 'other'], held: ['inside'], other: ['file'] });
    const passes = await lets(made, patterns('*'), { roots: ['root'], held: ['held'] });
    expect(['held', 'inside', 'other', 'file'].filter(passes)).toEqual(['other', 'file']);
  });

  it('GIT-083: of a wanted tree, the names in it are matched, and there is no folder for itself', async () => {
    const made = await madeTrees({ tree: ['a', 'sub'], sub: ['a:a', 'b'] });
    const within = async (...lines: readonly string[]): Promise<string[]> => {
      const passes = await lets(made, patterns(...lines), { given: ['tree'] });
      return ['a', 'a:a', 'b'].filter(passes);
    };
    expect(await within('/a')).toEqual(['a']);
    expect(await within('/sub/b', 'a')).toEqual(['a', 'a:a', 'b']);
    expect(await within('/')).toEqual([]);
  });

  it('GIT-083: beyond the cache, walks trees again without missing any', async () => {
    // Each folder of the root has its own state: one whose pattern may still match.
    const count = 4000;
    const names = Array.from({ length: count }, (_, i) => `n${i}`);
    const made = await madeTrees({
      root: names,
      ...Object.fromEntries(names.map((name) => [name, ['sub']])),
      sub: ['file'],
    });
    const lines = names.flatMap((name, i) => (i % 2 === 0 ? [] : [`/${name}/sub/nothing`]));
    const passes = await lets(made, patterns(...lines, `/n${count - 1}/sub/file`), { roots: ['root'] });
    expect(passes('file')).toBe(true);
    // Once for each of these, and once for all the others, were that not forgotten.
    expect(made.opened.get('sub')).toBeGreaterThan(count / 2 + 1);
    expect(made.opened.get('sub')).toBeLessThan(count / 2 + 20);
  });

  it('GIT-083: refuses folders in which each path has its own state', async () => {
    // 2 ** 40 paths, and patterns that remember which way was taken at each of the last 40 folders.
    const levels = 40;
    const folders = Object.fromEntries(
      Array.from({ length: levels }, (_, i) => [`l${i}`, [`l${i + 1}`, `other${i}`]] as const),
    );
    const others = Object.fromEntries(Array.from({ length: levels }, (_, i) => [`other${i}`, [`l${i + 1}`]] as const));
    const made = await madeTrees({ ...folders, ...others, [`l${levels}`]: ['file'] });
    const lines = Array.from({ length: levels }, (_, i) => `**/other${i}/**/${'*/'.repeat(i % 3)}nothing`);
    await expect(lets(made, patterns(...lines), { roots: ['l0'] })).rejects.toThrow(RequestRefusedError);
    const opened = (): number => [...made.opened.values()].reduce((sum, times) => sum + times, 0);
    const many = opened();
    // More patterns take longer for each byte.
    made.opened.clear();
    const fillers = Array.from({ length: 2000 }, (_, i) => `/some/folder/that/is/not/there/${i}`);
    await expect(lets(made, patterns(...fillers, ...lines), { roots: ['l0'] })).rejects.toThrow(RequestRefusedError);
    expect(opened()).toBeLessThan(many / 8);
  });
});
