import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blobKind } from '../object/kind.ts';
import type { SetPack } from '../graph/set-pack.ts';
import { offsetDelta } from '../pack/entry-header.ts';
import type { MadeEntry } from '../pack/made-pack.test.util.ts';
import { blob, closure, commit, tree, type MadeObject } from './made-history.test.util.ts';
import { MaintainedRepository } from './maintained-repository.test.util.ts';

const main = 'refs/heads/main';

/** A commit over one tree with these blobs. */
function over(blobs: readonly MadeObject[], parents: readonly MadeObject[] = [], second = 1): MadeObject {
  return commit(tree(blobs.map((object, i) => ({ name: `f${i}`, object }))), parents, second);
}

function withoutBlobs(value: MadeObject): MadeObject[] {
  return [...closure([value]).values()].filter(({ kind }) => kind !== blobKind);
}

async function push(
  repository: MaintainedRepository,
  ref: string,
  value: MadeObject,
  pack: readonly MadeEntry[],
): Promise<void> {
  expect(await repository.push([{ ref, new: value }], pack)).toEqual([`ok ${ref}`]);
}

/** Ids of the bases of all deltas of the only pack, by id. */
async function bases(repository: MaintainedRepository): Promise<Map<string, string>> {
  const view = await repository.freshView();
  const found = new Map<string, string>();
  const [pack, ...others] = view.set.packs;
  if (pack === undefined || others.length > 0) throw new Error('not one pack');
  const index = await view.packIndex(pack);
  pack.graph.bases.forEach((base, ordinal) => base >= 0 && found.set(index.id(ordinal), index.id(base)));
  return found;
}

/** How the deltas of the only pack name bases that stand before them. */
async function typesOfDeltas(repository: MaintainedRepository): Promise<Set<number>> {
  const view = await repository.freshView();
  const [pack] = view.set.packs as [SetPack];
  const { offsets, bases: baseOf } = pack.graph;
  const bytes = repository.store.files.get(`${pack.record.id}.pack`) as Uint8Array;
  const types = [...baseOf.keys()].filter((i) => (baseOf[i] as number) >= 0 && (baseOf[i] as number) < i);
  return new Set(types.map((i) => ((bytes[offsets[i] as number] as number) >> 4) & 7));
}

/** Versions of a file, each a little longer. */
function versions(count: number): MadeObject[] {
  const line = 'a line of a file that grows\n';
  return Array.from({ length: count }, (_, i) => blob(line.repeat(10) + line.repeat(i)));
}

describe('a made pack', () => {
  it('makes whole what would stand more than 50 deltas from a whole object, and nothing else', async () => {
    const repository = new MaintainedRepository();
    const blobs = versions(140);
    // Each push brings a chain of 20 on top of the last version, which it names by id.
    for (let from = 0, parent: MadeObject[] = []; from < 140; from += 20) {
      const part = blobs.slice(from, from + 20);
      const value = over(part, parent, from);
      const chain: MadeEntry[] = [];
      for (const [i, object] of part.entries()) {
        const base = i === 0 ? blobs[from - 1] : chain[i - 1];
        chain.push(base === undefined ? object : { ...object, base, by: 'id' });
      }
      const known = closure(parent);
      await push(repository, main, value, [...chain, ...withoutBlobs(value).filter(({ id }) => !known.has(id))]);
      parent = [value];
    }
    await repository.maintain({ mode: 'full' });
    await repository.check();
    await repository.checkByGit();
    const found = await bases(repository);
    expect(await typesOfDeltas(repository)).toEqual(new Set([offsetDelta]));
    const depth = (id: string): number => (found.has(id) ? 1 + depth(found.get(id) as string) : 0);
    const depths = blobs.map(({ id }) => depth(id));
    expect(Math.max(...depths)).toBe(50);
    expect(depths.filter((deep) => deep === 0).length).toBe(3);
  });

  it('folds what one pack held twice, also where that closes a circle of deltas, at any size', async () => {
    for (const size of [300, 9_000_000]) {
      const repository = new MaintainedRepository(1_000_000);
      const [one, two] = [blob('a'.repeat(size)), blob(`${'a'.repeat(size)}b`)];
      const value = over([one, two]);
      // `one` stands first as a delta of `two`, and again whole; `two` is a delta of the latter.
      const whole: MadeEntry = { ...one };
      const second: MadeEntry = { ...two, base: whole, by: 'offset' };
      const first: MadeEntry = { ...one, base: second, by: 'id' };
      await push(repository, main, value, [first, whole, second, ...withoutBlobs(value)]);
      expect(repository.state.packs.map(({ objects }) => objects)).toEqual([5]);
      repository.pass(repository.grace + 1);
      await repository.maintain();
      expect(repository.state.packs.map(({ objects }) => objects)).toEqual([4]);
      await repository.check();
      await repository.checkByGit();
    }
  });

  it('makes whole what leaned on a dead object, at any size', async () => {
    for (const size of [10, 100_000]) {
      const repository = new MaintainedRepository(60_000);
      const noise = Buffer.from(Array.from({ length: size }, (_, i) => (i * i * 7919) % 251));
      const base = blob(`dead ${noise.toString('latin1')}`);
      const leaning = [1, 2].map((i) => blob(`alive ${i} ${noise.toString('latin1')}`));
      const dead = over([base]);
      const value = over(leaning);
      await push(repository, 'refs/heads/dead', dead, [base, ...withoutBlobs(dead)]);
      await repository.maintain({ mode: 'full' });
      await push(repository, main, value, [
        ...leaning.map((object): MadeEntry => ({ ...object, base, by: 'id' })),
        ...withoutBlobs(value),
      ]);
      await repository.maintain({ mode: 'full' });
      expect([...(await bases(repository)).values()]).toEqual([base.id, base.id]);
      await repository.push([{ ref: 'refs/heads/dead', new: null }], []);
      repository.pass(repository.grace + 1);
      await repository.maintain({ rowsMax: size > 10 ? 0 : 100_000 });
      expect(repository.state.packs.map(({ where }) => where)).toEqual([size > 10 ? 'store' : 'rows']);
      expect(await repository.stored()).toEqual(new Set(closure([value]).keys()));
      await repository.check();
      await repository.checkByGit();
    }
  });

  it('copies entries larger than any window', async () => {
    const repository = new MaintainedRepository(5_000_000);
    const large = [1_900_000, 1_200_000, 1_000].map((size) =>
      blob(randomBytes(size).toString('base64').slice(0, size)),
    );
    // The first maintenance finds them in rows, the second one in the store.
    for (const [i, object] of large.entries()) {
      const value = over([object], [], i);
      await push(repository, `refs/heads/b${i}`, value, [...closure([value]).values()]);
      if (i > 0) await repository.maintain({ mode: 'full' });
    }
    expect(repository.state.retired.map(({ pack }) => pack.where)).toEqual(['rows', 'rows', 'store', 'rows']);
    expect(repository.state.packs.map(({ where, exact }) => [where, exact])).toEqual([['store', true]]);
    await repository.check();
    await repository.checkByGit();
  });

  it('is undefined if nothing is left', async () => {
    const repository = new MaintainedRepository();
    const value = over(versions(3));
    await push(repository, main, value, [...closure([value]).values()]);
    await repository.push([{ ref: main, new: null }], []);
    repository.pass(repository.grace + 1);
    const report = await repository.maintain();
    expect([report.mergedPacks, report.madePacks, repository.state.packs]).toEqual([1, 0, []]);
    expect(repository.store.files.size).toBe(0);
    await push(repository, main, value, [...closure([value]).values()]);
    await repository.check();
  });

  it('is in rows up to a size, and else in the store', async () => {
    for (const rowsMax of [0, 400, 100_000]) {
      const repository = new MaintainedRepository();
      const value = over(versions(3));
      const next = over(versions(4), [value], 2);
      await push(repository, main, value, [...closure([value]).values()]);
      await push(repository, main, next, [...closure([next], closure([value])).values()]);
      await repository.maintain({ mode: 'full', rowsMax });
      const [pack, ...others] = repository.state.packs;
      expect([pack?.where, others.length]).toEqual([rowsMax === 100_000 ? 'rows' : 'store', 0]);
      expect(repository.store.files.size).toBe(rowsMax === 100_000 ? 0 : 3);
      await repository.check();
    }
  });
});
