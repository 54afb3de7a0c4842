import { storedSize, type PackRecord } from '../ports/repo-state.ts';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { blob, closure, commit, tag, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { ObjectId } from '../object/object-id.ts';
import { recordsOf } from '../refs/packed-refs.ts';
import { createGitEngine } from '../engine/engine.ts';
import { forkOf } from './forked-repository.test.util.ts';
import { planFork } from './plan-fork.ts';

const main = 'refs/heads/main';
const side = 'refs/heads/side';

const file = (text: string): MadeObject => tree([{ name: 'file', object: blob(text) }]);
const first = commit(file('one\n'), [], 1);
const second = commit(file('two\n'), [first], 2);
const other = commit(file('of a side branch\n'), [first], 3);
const orphan = commit(file('of nobody else\n'), [], 4);

/** Each push brings what no ref reached before. */
async function pushed(...pushes: readonly (readonly [string, MadeObject])[]): Promise<MaintainedRepository> {
  const repository = new MaintainedRepository();
  for (const [ref, value] of pushes) {
    const pack = [...closure([value], closure(repository.refs.values())).values()];
    expect(await repository.push([{ ref, new: value }], pack)).toEqual([`ok ${ref}`]);
  }
  return repository;
}

const idsOf = (...values: readonly MadeObject[]): string[] => [...closure(values).keys()].sort();
const onlyDefault = { defaultBranchOnly: true, hiddenRefs: [] };
const everything = { defaultBranchOnly: false, hiddenRefs: [] };

describe('planFork', () => {
  it('REPO-122: of an empty repository, or one without its default branch, is empty', async () => {
    const nothing = { refs: [], packs: [], shallow: [], objects: 0, bytes: 0 };
    const empty = new MaintainedRepository();
    expect(await planFork(empty.engine, empty.repository, empty.state.current, everything)).toEqual(nothing);
    const unborn = await pushed(['refs/heads/a', first], ['refs/heads/b', other]);
    expect(await planFork(unborn.engine, unborn.repository, unborn.state.current, onlyDefault)).toEqual(nothing);
  });

  it('GIT-130: copies the only branch where the default branch does not exist', async () => {
    const { names } = await forkOf(await pushed(['refs/heads/a', first]), onlyDefault);
    expect(names).toEqual(['refs/heads/a']);
  });

  it('REPO-124: looks at nothing of one pack that refs reach whole, and shares it', async () => {
    const parent = await pushed([main, second], [side, other]);
    await parent.maintain({ mode: 'full' });
    const [pack] = parent.state.packs;
    expect(pack).toMatchObject({ exact: true, where: 'store' });
    const { reads } = parent.store;
    const engine = createGitEngine({ codec: nodeCodec() });
    const { refs, ...plan } = await planFork(engine, parent.repository, parent.state.current, everything);
    expect(parent.store.reads).toBe(reads);
    expect(refs.flatMap((slice) => [...recordsOf(slice)])).toEqual(parent.state.records);
    expect(plan).toEqual({
      packs: [{ ...pack, borrowed: 'whole', exact: true, position: 1, after: 0 }],
      shallow: [],
      objects: closure([second, other]).size,
      bytes: storedSize(pack as PackRecord),
    });
  });

  it('REPO-121: counts just what the copied refs reach, and marks a pack that holds more', async () => {
    const parent = await pushed([main, second], [side, other]);
    await parent.maintain({ mode: 'full' });
    const { plan, names, repository } = await forkOf(parent, onlyDefault);
    expect(names).toEqual([main]);
    expect(plan.objects).toBe(closure([second]).size);
    expect(plan.packs).toMatchObject([{ borrowed: 'part', exact: false }]);
    expect([...(await repository.clone(repository.state.current))].sort()).toEqual(idsOf(second));
    await repository.check();
    // Stock git lists the same for these refs.
    await repository.checkByGit();
  });

  it('REPO-121: counts tags, and what refs to trees and blobs name', async () => {
    const alone = blob('named by a ref alone\n');
    const folder = file('in a folder\n');
    const values = { t1: tag(tag(second, 5), 6), t2: tag(folder, 7), t3: alone, t4: folder };
    const pushes = Object.entries(values).map(([name, value]) => [`refs/tags/${name}`, value] as const);
    const parent = await pushed([main, first], ...pushes, [side, other]);
    const { plan, repository } = await forkOf(parent, { hiddenRefs: [side] });
    expect(plan.objects).toBe(closure([first, ...Object.values(values)]).size);
    await repository.checkByGit();
  });

  it('GIT-129: never copies hidden refs, nor shares what only they need', async () => {
    const parent = await pushed([main, first], ['refs/internal/x', orphan]);
    const { plan, names } = await forkOf(parent, { hiddenRefs: ['refs/internal'] });
    expect(names).toEqual([main]);
    expect(plan.packs.map(({ id }) => id)).toEqual([parent.state.packs[0]?.id]);
  });

  it('omits packs that no copied ref needs, and numbers positions again', async () => {
    const parent = await pushed([main, first], ['refs/heads/orphan', orphan], [main, second]);
    const [one, , three] = parent.state.packs;
    expect(three).toMatchObject({ position: 3, after: 2 });
    const { plan, repository } = await forkOf(parent, onlyDefault);
    expect(plan.packs).toEqual([
      { ...one, exact: false, position: 1, after: 0 },
      { ...three, exact: false, position: 2, after: 1 },
    ]);
    await repository.check();
    // Packs in rows are copied: they are not shared, and merged as in the parent.
    await repository.maintain({ mode: 'full' });
    expect(repository.state.packs).toMatchObject([{ borrowed: 'no', exact: true }]);
  });

  it('REPO-124: takes for its own the packs in rows behind all that are shared, or hold what is another’s', async () => {
    const parent = await pushed([main, first], ['refs/heads/orphan', orphan]);
    await parent.maintain({ mode: 'full' });
    await parent.push([{ ref: main, new: second }], [...closure([second], closure([first])).values()]);
    const { plan } = await forkOf(parent, onlyDefault);
    expect(plan.packs).toMatchObject([
      { where: 'store', borrowed: 'part' },
      { where: 'rows', borrowed: 'no' },
    ]);
    const whole = await forkOf(parent);
    expect(whole.plan.packs.map(({ borrowed }) => borrowed)).toEqual(['whole', 'no']);
    await whole.repository.check();
  });

  it('keeps a pack that nothing is reached in, where a newer one leans on it', async () => {
    const junk = blob('pushed along\n');
    const parent = new MaintainedRepository();
    const more = [...closure([first]).values(), junk];
    await parent.push([{ ref: 'refs/heads/old', new: first }], more);
    await parent.push([{ ref: 'refs/heads/orphan', new: orphan }], [...closure([orphan]).values()]);
    // Holds the orphan a second time, and names it as being at home in the pack before.
    await parent.push([{ ref: main, new: second }], [...closure([second]).values(), ...closure([orphan]).values()]);
    const { plan, repository } = await forkOf(parent, onlyDefault);
    expect(plan.packs.map(({ borrowed }) => borrowed)).toEqual(['part', 'part', 'part']);
    expect(plan.objects).toBe(closure([second]).size);
    await repository.check();
  });

  it('GIT-075: takes over the part of a boundary that the shared packs know', async () => {
    const parent = await pushed([main, first], ['refs/heads/orphan', orphan]);
    parent.state.shallow = [first.id as ObjectId, orphan.id as ObjectId];
    const { plan } = await forkOf(parent, onlyDefault);
    expect(plan.shallow).toEqual([first.id]);
    expect((await forkOf(parent)).plan.shallow).toEqual([first.id, orphan.id]);
    // One pack knows both: pushed to the fork, the orphan would have no parents there either.
    await parent.maintain({ mode: 'full' });
    expect((await forkOf(parent, onlyDefault)).plan.shallow).toEqual([first.id, orphan.id]);
  });

  it('plans a fork of a fork by what is left of it', async () => {
    const parent = await pushed([main, second], [side, other], ['refs/heads/orphan', orphan]);
    await parent.maintain({ mode: 'full' });
    const { repository: child } = await forkOf(parent, { hiddenRefs: ['refs/heads/orphan'] });
    expect(child.state.packs).toMatchObject([{ borrowed: 'part' }]);
    const { plan, repository } = await forkOf(child, onlyDefault);
    expect(plan.objects).toBe(closure([second]).size);
    expect([...(await repository.clone(repository.state.current))].sort()).toEqual(idsOf(second));
  });
});
